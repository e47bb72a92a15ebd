//! Turns a response into the body of a success or a complete error.

use lead_workspace_api::{Detail, ErrorBody, without_mark};

use super::config::Credentials;
use super::error::{Error, ErrorKind};
use super::operation::Operation;
use super::transport::{HttpResponse, TransportError};

/// The detail of a refusal that has none.
const NO_REASON: &str = "the server gave no reason";

/// The context for reading a response.
pub(super) struct ResponseReader<'a> {
    pub(super) operation: Operation,
    pub(super) key: Option<&'a Credentials>,
    /// The largest body, in bytes.
    pub(super) cap: usize,
    /// The time limit of the attempt.
    pub(super) limit: std::time::Duration,
}

impl ResponseReader<'_> {
    /// Returns the response if it is a success.
    pub(super) fn read(
        &self,
        response: Result<HttpResponse, TransportError>,
    ) -> Result<HttpResponse, Error> {
        let response = match response {
            Ok(response) => response,
            Err(error) => return Err(self.transport_error(error)),
        };
        if (200..300).contains(&response.status) {
            return match self.unreadable(&response) {
                Some(reason) => {
                    let mut error = self.operation.error(ErrorKind::Decode(reason));
                    error.status = Some(response.status);
                    error.request_id = response.request_id;
                    Err(error)
                }
                None => Ok(response),
            };
        }
        let body = (!is_web_page(&response)).then_some(&response.body);
        let mut detail = body.and_then(|body| self.detail(body));
        let message = detail.as_ref().map(Detail::to_string).unwrap_or_default();
        let kind = match response.status {
            401 => ErrorKind::KeyRefused,
            403 => ErrorKind::Forbidden,
            404 => ErrorKind::NotFound,
            429 => ErrorKind::RateLimited,
            // spec: not shown; 422 is what the upstream's framework sends, 400 what others send.
            400 | 422 => {
                // Not kept twice: it may be large.
                let told = detail.take_if(|_| !message.is_empty());
                ErrorKind::Validation(told.unwrap_or(Detail::Text(NO_REASON.into())))
            }
            0 | 300..400 => ErrorKind::Redirected,
            _ => ErrorKind::Status,
        };
        let mut error = self.operation.error(kind);
        error.status = Some(response.status);
        error.request_id = response.request_id;
        error.retry_after = response.retry_after;
        Err(error.with_detail(detail, message))
    }

    fn transport_error(&self, error: TransportError) -> Error {
        let kind = match error {
            TransportError::Timeout => ErrorKind::Timeout(self.limit),
            TransportError::Redirected => ErrorKind::Redirected,
            TransportError::TooLarge => ErrorKind::TooLarge(self.cap),
            TransportError::Refused(message) => ErrorKind::Argument(format!(
                "the platform refused the request: {}",
                redact(self.key, &message)
            )),
            TransportError::NotSent(mut exception) | TransportError::Network(mut exception) => {
                exception.message = redact(self.key, &exception.message);
                let kind = ErrorKind::Network(exception.message.clone());
                return self.operation.error(kind).with_exception(exception);
            }
        };
        self.operation.error(kind)
    }

    /// Returns why a successful response cannot be the expected one.
    fn unreadable(&self, response: &HttpResponse) -> Option<String> {
        if is_web_page(response) {
            return Some("it is a web page, not the workspace's data".into());
        }
        let declared = response.content_type.as_deref().unwrap_or_default();
        let kind = declared
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        // Without an expected body, the content does not matter.
        let json = kind.is_empty() || kind.ends_with("/json") || kind.ends_with("+json");
        let is_there = !response.body.is_empty();
        (self.operation.has_body() && is_there && !json).then(|| format!("it is {kind}, not JSON"))
    }

    /// Reads the server's error detail, with the key removed wherever it was echoed.
    fn detail(&self, body: &[u8]) -> Option<Detail> {
        let body = std::str::from_utf8(without_mark(body)).ok()?;
        let body = ErrorBody::from_value(&parse(&redact(self.key, body))?)?;
        Some(body.detail)
    }
}

#[cfg(all(target_arch = "wasm32", not(feature = "ui")))]
pub(crate) use super::js_value::parse;

/// Parses JSON text.
#[cfg(any(not(target_arch = "wasm32"), feature = "ui"))]
pub(crate) fn parse(text: &str) -> Option<serde_json::Value> {
    serde_json::from_str(text).ok()
}

fn redact(key: Option<&Credentials>, text: &str) -> String {
    key.map_or_else(|| text.to_owned(), |key| key.redact(text))
}

/// Proxies and captive portals respond with pages of their own, some of them with status 200.
fn is_web_page(response: &HttpResponse) -> bool {
    let declared = response.content_type.as_deref().is_some_and(|kind| {
        kind.trim_start()
            .to_ascii_lowercase()
            .starts_with("text/html")
    });
    declared || without_mark(&response.body).trim_ascii_start().first() == Some(&b'<')
}
