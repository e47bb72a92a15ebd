//! Request bodies: read within limits.

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, EXPECT};
use http::{HeaderMap, Request};
use http_body_util::BodyExt;
use tokio::runtime::Handle;

use super::{ApiError, Limits};
use crate::erased::run_blocking;

/// How many bytes of a too large body are still received, so that the client gets to read the
/// response. A browser that is cut off while sending only sees a broken connection.
const MAX_DRAINED: usize = 64 << 20;

/// Refuses a compressed body: what it unpacks to has no limit, and no client needs one.
pub(super) fn refuse_encoded(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    let encoded = encodings.find(|name| !name.as_bytes().eq_ignore_ascii_case(b"identity"));
    encoded.map_or(Ok(()), |name| {
        let name = String::from_utf8_lossy(name.as_bytes()).into_owned();
        Err(ApiError::Encoded(name))
    })
}

/// Reads a whole body of at most `max` bytes within the time limit.
pub(super) async fn read(
    request: Request<Body>,
    max: usize,
    limits: Limits,
) -> Result<Bytes, ApiError> {
    let headers = request.headers();
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let is_too_large = announced.is_some_and(|length| length > max as u64);
    // With `Expect: 100-continue` the client has not sent the body yet.
    if is_too_large && headers.contains_key(EXPECT) {
        return Err(ApiError::TooLarge(max));
    }
    let mut body = request.into_body();
    let length = announced.map_or(0, |length| length.min(max as u64) as usize);
    let mut bytes = Vec::with_capacity(length);
    let reading = async {
        let mut received = 0;
        while let Some(frame) = body.frame().await {
            let broken = |error| {
                ApiError::BadRequest(format!(
                    "the body is incomplete: {error}; nothing was changed"
                ))
            };
            let Ok(data) = frame.map_err(broken)?.into_data() else {
                continue;
            };
            received += data.len();
            if received <= max {
                bytes.extend_from_slice(&data);
            } else if received > max.saturating_add(MAX_DRAINED) {
                break;
            }
        }
        if received > max {
            Err(ApiError::TooLarge(max))
        } else {
            Ok(())
        }
    };
    match tokio::time::timeout(limits.body_time, reading).await {
        Err(_) if is_too_large => Err(ApiError::TooLarge(max)),
        Err(_) => Err(ApiError::BodyTimeout),
        Ok(read) => read.map(|()| bytes.into()),
    }
}

/// Runs parsing or serializing on a blocking thread, so that it does not delay other requests.
pub(super) async fn on_blocking_thread<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let computed = run_blocking(&Handle::current(), compute).await;
    computed.map_err(ApiError::Store)
}
