//! What a response means: the body of a success, or an error that says everything.

use lead_workspace_api::{Decode, Detail, ErrorBody};

use super::config::Config;
use super::error::{Error, ErrorKind};
use super::operation::Operation;
use super::transport::{Reply, Trouble};

/// The longest text of a server that is shown, in characters.
const SAID: usize = 300;

/// The body of a success.
pub(super) fn read(
    operation: Operation,
    config: &Config,
    reply: Result<Reply, Trouble>,
) -> Result<Vec<u8>, Error> {
    let reply = match reply {
        Ok(reply) => reply,
        Err(trouble) => return Err(unanswered(operation, config, trouble)),
    };
    let web_page = is_web_page(&reply);
    if (200..300).contains(&reply.status) {
        if web_page {
            return Err(undecodable(
                operation,
                config,
                "it is a web page, not the workspace's data",
            ));
        }
        return Ok(reply.body);
    }
    let detail = if web_page { None } else { detail(&reply.body) };
    let said = |detail: Option<&Detail>| {
        let text = detail.map(Detail::to_string).unwrap_or_default();
        config.redact(&text.chars().take(SAID).collect::<String>())
    };
    let kind = match reply.status {
        401 => ErrorKind::KeyRefused,
        403 => ErrorKind::Forbidden,
        404 => ErrorKind::NotFound,
        429 => ErrorKind::RateLimited,
        // spec: not shown; 422 is what the upstream's framework gives, 400 what others do.
        400 | 422 => ErrorKind::Validation(match detail {
            Some(Detail::Entries(entries)) if !entries.is_empty() => Detail::Entries(entries),
            other => Detail::Text(match said(other.as_ref()) {
                empty if empty.is_empty() => "it did not say why".into(),
                text => text,
            }),
        }),
        0 | 300..400 => ErrorKind::Redirected,
        _ => ErrorKind::Status(said(detail.as_ref())),
    };
    Err(Error {
        status: Some(reply.status),
        request_id: reply.request_id.map(|id| config.redact(&id)),
        retry_after: reply.retry_after,
        // These may come from between us and a server that did the work.
        ambiguous: operation.writes() && matches!(reply.status, 408 | 500 | 502 | 504),
        ..operation.error(kind)
    })
}

/// A success whose body cannot be read. A write was done, as far as anybody can tell.
pub(super) fn undecodable(operation: Operation, config: &Config, reason: &str) -> Error {
    Error {
        ambiguous: operation.writes(),
        ..operation.error(ErrorKind::Decode(config.redact(reason)))
    }
}

fn unanswered(operation: Operation, config: &Config, trouble: Trouble) -> Error {
    let kind = match trouble {
        Trouble::Timeout => ErrorKind::Timeout(operation.timeout()),
        Trouble::Redirected => ErrorKind::Redirected,
        Trouble::TooLarge => ErrorKind::TooLarge(config.body_cap),
        Trouble::Network(words) => ErrorKind::Network(config.redact(&words)),
    };
    Error {
        ambiguous: operation.writes() && !matches!(kind, ErrorKind::Redirected),
        ..operation.error(kind)
    }
}

fn detail(body: &[u8]) -> Option<Detail> {
    ErrorBody::decode(body).ok().map(|body| body.detail)
}

/// Proxies and captive portals answer with pages of their own, some of them with status 200.
fn is_web_page(reply: &Reply) -> bool {
    let declared = reply.content_type.as_deref().is_some_and(|kind| {
        kind.trim_start()
            .to_ascii_lowercase()
            .starts_with("text/html")
    });
    declared || reply.body.trim_ascii_start().first() == Some(&b'<')
}
