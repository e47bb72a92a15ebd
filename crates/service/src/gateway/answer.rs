//! Checks the upstream's response and turns it into ours.

use std::time::Duration;

use axum::body::Body;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::headers::{self, JSON};
use super::key_forms::KeyForms;
use super::{Limits, Parts};
use crate::http::{ApiError, json_response};
use crate::store::StoreError;

/// Size in bytes above which a response is searched on a blocking thread.
const SMALL: usize = 256 << 10;

impl Parts {
    /// Turns the upstream's response into ours. Reads the whole response first, so that no part of
    /// it reaches the browser if it must not pass, or breaks off.
    pub(super) async fn handed_on(
        &self,
        answer: Response<Incoming>,
        key: &KeyForms,
        open: &str,
    ) -> Result<Response<Body>, ApiError> {
        let host = self.upstream.host();
        let (head, body) = answer.into_parts();
        let status = head.status;
        let refused = |text: String| Err(ApiError::BadGateway(text));
        if matches!(
            status,
            StatusCode::UNAUTHORIZED | StatusCode::PROXY_AUTHENTICATION_REQUIRED
        ) {
            // With a 401 the client would request another key from the user, whose key is valid.
            return refused(format!(
                "{host} refused the key of this gateway ({}). Your own key is fine and nothing was \
                 changed. The person who runs the gateway must put a valid key into the file of \
                 --upstream-key-file, which is then read again by itself",
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
        if !is_plain(&head.headers) {
            return refused(format!(
                "the answer of {host} is compressed, which the gateway did not ask for, and was not \
                 read. {open}The person who runs the gateway must turn that off there"
            ));
        }
        let body = whole(body, &head.headers, self.limits).await.map_err(|problem| match problem {
            Problem::TooLarge => ApiError::BadGateway(format!(
                "the answer of {host} is larger than {} bytes and was not read. {open}Ask for less \
                 at once, or for smaller pages",
                self.limits.answer_bytes
            )),
            Problem::Stopped(time) => ApiError::GatewayTimeout(format!(
                "{host} sent nothing more of its answer for {} s. {open}Try again in a moment",
                time.as_secs()
            )),
            Problem::Broken(error) => ApiError::BadGateway(format!(
                "{host} broke off in its answer ({error}). {open}Try again in a moment"
            )),
        })?;
        let mut headers = headers::back(&head.headers);
        let in_head = headers.values().any(|value| key.are_in(value.as_bytes()));
        let key = key.clone();
        let (body, in_body) = if body.len() <= SMALL {
            let found = key.are_in(&body);
            (body, found)
        } else {
            let search = move || (key.are_in(&body), body);
            let searched = tokio::task::spawn_blocking(search).await;
            let (found, body) = searched.map_err(|_| StoreError::Panicked)?;
            (body, found)
        };
        if in_head || in_body {
            return refused(format!(
                "the answer of {host} ({}) holds the key of this gateway, and was kept back. {open}\
                 The person who runs the gateway must see to it that {host} does not repeat what it \
                 is sent, and change that key",
                status.as_u16()
            ));
        }
        let told = head.headers.get(CONTENT_TYPE);
        if body.is_empty() || told.is_none_or(is_json) {
            let mut response = Response::new(());
            *response.status_mut() = status;
            if !body.is_empty() {
                headers.insert(CONTENT_TYPE, JSON);
            }
            *response.headers_mut() = headers;
            return Ok(response.map(|()| Body::from(body)));
        }
        if status.is_success() {
            return refused(format!(
                "{host} answered with something that is no JSON, and so is no answer of the API. \
                 {open}The person who runs the gateway must see whether --upstream is the address of \
                 the API"
            ));
        }
        // An error page of a server in between: only the status and the time to wait matter.
        let detail = format!("{host} answered with {} and no reason", status.as_u16());
        let mut response = json_response(status, &serde_json::json!({ "detail": detail }));
        response.headers_mut().extend(headers);
        Ok(response)
    }
}

/// Returns whether a `content-type` is JSON.
fn is_json(value: &HeaderValue) -> bool {
    let text = value.to_str().unwrap_or_default();
    let kind = text.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
        || kind.starts_with("application/") && kind.ends_with("+json")
}

fn is_plain(headers: &HeaderMap) -> bool {
    let encoding = headers.get(CONTENT_ENCODING);
    encoding.is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

enum Problem {
    TooLarge,
    Stopped(Duration),
    Broken(hyper::Error),
}

/// Reads a whole body within the limits on size and idle time.
async fn whole(
    mut body: Incoming,
    headers: &HeaderMap,
    limits: Limits,
) -> Result<Vec<u8>, Problem> {
    let announced = headers.get(CONTENT_LENGTH);
    let announced: Option<u64> = announced.and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length| length > limits.answer_bytes) {
        return Err(Problem::TooLarge);
    }
    let mut read = Vec::new();
    loop {
        let frame = tokio::time::timeout(limits.pause_time, body.frame()).await;
        let Some(frame) = frame.map_err(|_| Problem::Stopped(limits.pause_time))? else {
            return Ok(read);
        };
        let data = frame
            .map_err(Problem::Broken)?
            .into_data()
            .unwrap_or_default();
        if (read.len() + data.len()) as u64 > limits.answer_bytes {
            return Err(Problem::TooLarge);
        }
        read.extend_from_slice(&data);
    }
}
