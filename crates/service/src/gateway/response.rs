//! Checks the upstream's response before any of it reaches the browser.

use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::json;

use super::headers::{self, JSON};
use super::key_forms::KeyForms;
use super::{GatewayError, GatewayState, UpstreamLimits};
use crate::store::StoreError;

/// Size in bytes above which a response is searched on a blocking thread.
const INLINE_SEARCH_BYTES: usize = 256 << 10;

impl GatewayState {
    /// Turns the upstream's response into ours. Reads the whole response first, so that no part of
    /// it reaches the browser if it must not pass, or breaks off.
    ///
    /// `outcome` is what errors say about the effect of the request: a sentence, or nothing.
    pub(super) async fn check(
        &self,
        response: Response<Incoming>,
        key: &KeyForms,
        outcome: &str,
    ) -> Result<Response<Bytes>, GatewayError> {
        let host = self.upstream.host();
        let (head, body) = response.into_parts();
        let status = head.status;
        let refuse = |text: String| Err(GatewayError::Upstream(text));
        if matches!(
            status,
            StatusCode::UNAUTHORIZED | StatusCode::PROXY_AUTHENTICATION_REQUIRED
        ) {
            // With a 401 the client would request another key from the user, whose key is valid.
            return refuse(format!(
                "{host} refused the key of this gateway ({}). Your own key is valid, and nothing was \
                 changed. The operator of the gateway must put a valid key into the file of \
                 --upstream-key-file; no restart is needed",
                status.as_u16()
            ));
        }
        if status.is_redirection() || status.is_informational() {
            return refuse(format!(
                "{host} answered with {}, a redirect, which the gateway does not follow. Nothing was \
                 changed here. The operator of the gateway must pass the address of the API itself \
                 as --upstream",
                status.as_u16()
            ));
        }
        if is_compressed(&head.headers) {
            return refuse(format!(
                "{host} sent a compressed response, which the gateway did not ask for and did not \
                 read. {outcome}The operator of the gateway must turn compression off there"
            ));
        }
        let body = read(body, &head.headers, self.limits).await;
        let body = body.map_err(|error| match error {
            ReadError::TooLarge => GatewayError::Upstream(format!(
                "the response of {host} is larger than {} bytes and was not read. {outcome}Request \
                 less at once, such as smaller pages",
                self.limits.response_bytes
            )),
            ReadError::Idle(time) => GatewayError::Timeout(format!(
                "{host} stopped sending its response for {} s. {outcome}Try again in a moment",
                time.as_secs()
            )),
            ReadError::Incomplete(error) => GatewayError::Upstream(format!(
                "{host} closed the connection during its response ({error}). {outcome}Try again in a \
                 moment"
            )),
        })?;
        let mut headers = headers::for_browser(&head.headers);
        let in_headers = headers.values().any(|value| key.occur_in(value.as_bytes()));
        let in_body = if body.len() <= INLINE_SEARCH_BYTES {
            key.occur_in(&body)
        } else {
            let (key, body) = (key.clone(), body.clone());
            let search = move || key.occur_in(&body);
            let searched = tokio::task::spawn_blocking(search).await;
            searched.map_err(|_| StoreError::Panicked)?
        };
        if in_headers || in_body {
            return refuse(format!(
                "the response of {host} ({}) contains the key of this gateway and was withheld. \
                 {outcome}The operator of the gateway must make sure that {host} does not echo \
                 requests, and replace that key",
                status.as_u16()
            ));
        }
        let content_type = head.headers.get(CONTENT_TYPE);
        let body = if body.is_empty() || content_type.is_none_or(is_json) {
            body
        } else if status.is_success() {
            return refuse(format!(
                "{host} answered with something other than JSON, so it is not the API. {outcome}The \
                 operator of the gateway must check that --upstream is the address of the API"
            ));
        } else {
            // An error page of a server in between: only the status and the time to wait matter.
            let detail = format!("{host} answered with {} and no message", status.as_u16());
            Bytes::from(json!({ "detail": detail }).to_string())
        };
        if !body.is_empty() {
            headers.insert(CONTENT_TYPE, JSON);
        }
        let mut response = Response::new(body);
        *response.status_mut() = status;
        *response.headers_mut() = headers;
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

pub(super) fn is_compressed(headers: &HeaderMap) -> bool {
    let encoding = headers.get(CONTENT_ENCODING);
    encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

enum ReadError {
    TooLarge,
    Idle(Duration),
    Incomplete(hyper::Error),
}

/// Reads a whole body within the limits on size and idle time.
async fn read(
    mut body: Incoming,
    headers: &HeaderMap,
    limits: UpstreamLimits,
) -> Result<Bytes, ReadError> {
    let announced = headers.get(CONTENT_LENGTH);
    let announced: Option<u64> = announced.and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length| length > limits.response_bytes) {
        return Err(ReadError::TooLarge);
    }
    let mut bytes = Vec::new();
    loop {
        let frame = tokio::time::timeout(limits.idle_timeout, body.frame()).await;
        let Some(frame) = frame.map_err(|_| ReadError::Idle(limits.idle_timeout))? else {
            return Ok(bytes.into());
        };
        let data = frame
            .map_err(ReadError::Incomplete)?
            .into_data()
            .unwrap_or_default();
        if (bytes.len() + data.len()) as u64 > limits.response_bytes {
            return Err(ReadError::TooLarge);
        }
        bytes.extend_from_slice(&data);
    }
}
