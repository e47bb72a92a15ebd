//! Passes a stream of events of the upstream on: event by event, because each is searched for the upstream's key.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use memchr::memmem::rfind;

use super::key_forms::KeyForms;
use super::response::is_compressed;
use super::{GatewayError, GatewayState, headers};

/// Largest event, in bytes. One of ours has up to a thousand ids for each kind of change.
const EVENT_BYTES: usize = 4 << 20;

/// The response to a request for a stream.
pub(crate) enum Forwarded {
    /// A response of another kind, such as an error.
    Whole(Bytes),
    Stream(EventStream),
}

/// The events of the upstream.
pub(crate) struct EventStream {
    host: String,
    body: Incoming,
    key: KeyForms,
    idle_timeout: Duration,
    /// The beginning of the next event.
    received: BytesMut,
}

impl GatewayState {
    /// Turns the upstream's response into ours. Its headers need those of a stream.
    pub(super) async fn check_stream(
        &self,
        response: Response<Incoming>,
        key: &KeyForms,
    ) -> Result<Response<Forwarded>, GatewayError> {
        let head = response.headers();
        let is_stream = response.status() == StatusCode::OK && is_event_stream(head);
        if !is_stream || is_compressed(head) {
            let response = self.check(response, key, "").await?;
            return Ok(response.map(Forwarded::Whole));
        }
        let headers = headers::for_browser(head);
        if headers.values().any(|value| key.occur_in(value.as_bytes())) {
            return Err(GatewayError::Upstream(shows_key(self.upstream.host())));
        }
        let mut response = response.map(|body| {
            Forwarded::Stream(EventStream {
                host: self.upstream.host().to_owned(),
                body,
                key: key.clone(),
                idle_timeout: self.limits.idle_timeout,
                received: BytesMut::new(),
            })
        });
        *response.headers_mut() = headers;
        Ok(response)
    }
}

impl EventStream {
    /// Returns the next events, or nothing at the end. After an error, the browser resumes as after any end.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        loop {
            let frame = tokio::time::timeout(self.idle_timeout, self.body.frame()).await;
            let data = match frame {
                Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
                Ok(None) => return None,
                Ok(Some(Err(error))) => {
                    tracing::debug!(%error, "{} closed the connection of a stream", self.host);
                    return None;
                }
                Err(_) => {
                    tracing::warn!("{} stopped sending the events of a stream", self.host);
                    return None;
                }
            };
            self.received.extend_from_slice(&data);
            let Some(end) = end_of_events(&self.received) else {
                if self.received.len() > EVENT_BYTES {
                    tracing::warn!(
                        "{} sent an event of more than {EVENT_BYTES} bytes",
                        self.host
                    );
                    return None;
                }
                continue;
            };
            let events = self.received.split_to(end).freeze();
            if self.key.occur_in(&events) {
                tracing::warn!("{}", shows_key(&self.host));
                return None;
            }
            return Some(events);
        }
    }
}

fn shows_key(host: &str) -> String {
    format!(
        "a stream of events of {host} contains the key of this gateway and was ended. The operator of the gateway must \
         make sure that {host} does not echo requests, and replace that key"
    )
}

/// Returns where the last complete event ends: after an empty line.
fn end_of_events(text: &[u8]) -> Option<usize> {
    let ends = ["\n\n", "\r\n\r\n", "\r\r"].map(|end| {
        let at = rfind(text, end.as_bytes())?;
        Some(at + end.len())
    });
    ends.into_iter().flatten().max()
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().split(';').next();
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"))
}

#[cfg(test)]
mod tests {
    use super::end_of_events;

    #[test]
    fn events_end_with_an_empty_line() {
        for (text, end) in [
            ("", None),
            ("event: a\nid: 1", None),
            ("event: a\nid: 1\n", None),
            ("event: a\n\n", Some(10)),
            ("event: a\n\nevent: b\n", Some(10)),
            ("event: a\n\n: c\n\ndata", Some(15)),
            ("event: a\r\n\r\nevent", Some(12)),
        ] {
            assert_eq!(end_of_events(text.as_bytes()), end, "{text:?}");
        }
    }
}
