//! Turns a response into the body of a success or a complete error.

use lead_workspace_api::{Decode, Detail, ErrorBody, without_mark};

use super::config::Credentials;
use super::error::{Error, ErrorKind};
use super::operation::Operation;
use super::transport::{HttpResponse, TransportError};

/// Maximum length of a server message that is shown, in characters.
const MESSAGE_CAP: usize = 300;

/// Parses the body of an error. Replaceable, because JavaScript has a JSON parser already: compiled
/// into its module, the Rust parser and its value types would make up a fifth of it.
pub(crate) type ErrorBodyParser = fn(&str) -> Option<ServerMessage>;

/// An error message of a server.
pub(crate) struct ServerMessage {
    /// The detail for Rust callers.
    pub(crate) detail: Detail,
    /// The detail as text for users.
    pub(crate) said: String,
    /// The complete detail as JSON, if `detail` is incomplete.
    pub(crate) json: Option<String>,
}

/// The parser for Rust callers.
pub(super) fn explain(body: &str) -> Option<ServerMessage> {
    let body = ErrorBody::decode(body.as_bytes()).ok()?;
    let said: String = body.detail.to_string().chars().take(MESSAGE_CAP).collect();
    Some(ServerMessage {
        detail: body.detail,
        said,
        json: None,
    })
}

/// The context for reading a response.
pub(super) struct ResponseReader<'a> {
    pub(super) operation: Operation,
    pub(super) key: Option<&'a Credentials>,
    /// The largest body, in bytes.
    pub(super) cap: usize,
    /// The time limit of the attempt.
    pub(super) limit: std::time::Duration,
    pub(super) explain: ErrorBodyParser,
}

impl ResponseReader<'_> {
    /// Returns the response if it is a success.
    pub(super) fn read(
        &self,
        reply: Result<HttpResponse, TransportError>,
    ) -> Result<HttpResponse, Error> {
        let reply = match reply {
            Ok(reply) => reply,
            Err(trouble) => return Err(self.unanswered(trouble)),
        };
        if (200..300).contains(&reply.status) {
            return match self.unreadable(&reply) {
                Some(reason) => {
                    let mut error = self.operation.error(ErrorKind::Decode(reason));
                    error.status = Some(reply.status);
                    error.request_id = reply.request_id;
                    Err(error)
                }
                None => Ok(reply),
            };
        }
        let told = (!is_web_page(&reply)).then(|| self.told(&reply.body));
        let (detail, said, json) = match told.flatten() {
            Some(ServerMessage { detail, said, json }) => (Some(detail), said, json),
            None => (None, String::new(), None),
        };
        let kind = match reply.status {
            401 => ErrorKind::KeyRefused,
            403 => ErrorKind::Forbidden,
            404 => ErrorKind::NotFound,
            429 => ErrorKind::RateLimited,
            // spec: not shown; 422 is what the upstream's framework sends, 400 what others send.
            400 | 422 => ErrorKind::Validation(match detail {
                Some(Detail::Entries(entries)) if !entries.is_empty() => Detail::Entries(entries),
                Some(Detail::Other(raw)) => Detail::Other(raw),
                _ if said.is_empty() => Detail::Text("it did not say why".into()),
                _ => Detail::Text(said.clone()),
            }),
            0 | 300..400 => ErrorKind::Redirected,
            _ => ErrorKind::Status(said.clone()),
        };
        let mut error = self.operation.error(kind);
        error.status = Some(reply.status);
        error.request_id = reply.request_id;
        error.retry_after = reply.retry_after;
        Err(error.with_detail(said, json))
    }

    fn unanswered(&self, trouble: TransportError) -> Error {
        let kind = match trouble {
            TransportError::Timeout => ErrorKind::Timeout(self.limit),
            TransportError::Redirected => ErrorKind::Redirected,
            TransportError::TooLarge => ErrorKind::TooLarge(self.cap),
            TransportError::Refused(words) => {
                let words = redact(self.key, &words);
                ErrorKind::Argument(format!("the platform refused the request: {words}"))
            }
            TransportError::NotSent(words) | TransportError::Network(words) => {
                ErrorKind::Network(redact(self.key, &words))
            }
        };
        self.operation.error(kind)
    }

    /// Returns why a successful response cannot be the expected one.
    fn unreadable(&self, reply: &HttpResponse) -> Option<String> {
        if is_web_page(reply) {
            return Some("it is a web page, not the workspace's data".into());
        }
        let declared = reply.content_type.as_deref().unwrap_or_default();
        let kind = declared
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        // Without an expected body, the content does not matter.
        let json = kind.is_empty() || kind.ends_with("/json") || kind.ends_with("+json");
        let is_there = !reply.body.is_empty();
        (self.operation.answers() && is_there && !json).then(|| format!("it is {kind}, not JSON"))
    }

    /// Parses the server's error message, with the key removed wherever it was echoed.
    fn told(&self, body: &[u8]) -> Option<ServerMessage> {
        let body = std::str::from_utf8(without_mark(body)).ok()?;
        (self.explain)(&redact(self.key, body))
    }
}

fn redact(key: Option<&Credentials>, text: &str) -> String {
    key.map_or_else(|| text.to_owned(), |key| key.redact(text))
}

/// Proxies and captive portals respond with pages of their own, some of them with status 200.
fn is_web_page(reply: &HttpResponse) -> bool {
    let declared = reply.content_type.as_deref().is_some_and(|kind| {
        kind.trim_start()
            .to_ascii_lowercase()
            .starts_with("text/html")
    });
    declared || without_mark(&reply.body).trim_ascii_start().first() == Some(&b'<')
}
