//! The upstream's answer on its way back: what passes, and what must not look like ours.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{Response, StatusCode};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep};

use super::{Limits, headers};
use crate::http::ApiError;

/// Turns the upstream's answer into ours.
pub(super) fn handed_on(
    answer: Response<Incoming>,
    host: &str,
    limits: Limits,
) -> Result<Response<Body>, ApiError> {
    let status = answer.status();
    let refused = |text: String| Err(ApiError::BadGateway(text));
    if matches!(
        status,
        StatusCode::UNAUTHORIZED | StatusCode::PROXY_AUTHENTICATION_REQUIRED
    ) {
        // As a 401 it would ask the person for another key, and theirs is right.
        return refused(format!(
            "{host} refused the key of this gateway ({}). Your own key is fine and nothing was \
             changed. Whoever runs the gateway must put a valid key into the file of \
             --upstream-key-file and start it again",
            status.as_u16()
        ));
    }
    if status.is_redirection() || status.is_informational() {
        return refused(format!(
            "{host} answered with {}, which leads elsewhere; the gateway does not follow. Nothing \
             was changed here. Whoever runs the gateway must give the API's own address as \
             --upstream",
            status.as_u16()
        ));
    }
    let announced = answer.headers().get(CONTENT_LENGTH);
    let announced: Option<u64> = announced.and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length| length > limits.answer_bytes) {
        return refused(format!(
            "the answer of {host} is larger than {} bytes and was not read. If you changed \
             something, it may have been done. Ask for less at once, or for smaller pages",
            limits.answer_bytes
        ));
    }
    let (parts, body) = answer.into_parts();
    let mut response = Response::new(Body::new(Capped {
        body,
        left: limits.answer_bytes,
        pause: limits.pause_time,
        timer: Box::pin(tokio::time::sleep(limits.pause_time)),
    }));
    *response.status_mut() = status;
    *response.headers_mut() = headers::back(&parts.headers);
    Ok(response)
}

/// A body that ends with an error when it grows too large or stands still. Whoever reads it then
/// sees a connection that broke off, never a body that looks whole.
struct Capped {
    body: Incoming,
    left: u64,
    pause: Duration,
    timer: Pin<Box<Sleep>>,
}

impl hyper::body::Body for Capped {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let Poll::Ready(frame) = polled else {
            let stands = self.timer.as_mut().poll(context).is_ready();
            let slow = || io::Error::new(io::ErrorKind::TimedOut, "the upstream stopped sending");
            return if stands {
                Poll::Ready(Some(Err(slow())))
            } else {
                Poll::Pending
            };
        };
        let next = Instant::now() + self.pause;
        self.timer.as_mut().reset(next);
        Poll::Ready(match frame {
            None => None,
            Some(Err(error)) => Some(Err(io::Error::other(error))),
            Some(Ok(frame)) => {
                let length = frame.data_ref().map_or(0, Bytes::len) as u64;
                match self.left.checked_sub(length) {
                    Some(left) => {
                        self.left = left;
                        Some(Ok(frame))
                    }
                    None => Some(Err(io::Error::other("the answer is too large"))),
                }
            }
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
