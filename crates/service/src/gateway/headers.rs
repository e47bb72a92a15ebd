//! Which headers pass a gateway. Pure.
//!
//! A list of what passes, not of what does not: cookies, `Forwarded` and `X-Forwarded-*`, the
//! hop-by-hop headers and whatever `Connection` names are left behind without being known by name.

use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_LANGUAGE, DATE, RETRY_AFTER,
};
use http::{HeaderMap, HeaderName, HeaderValue};

/// The workspace that a request is for.
pub(super) const TENANT: HeaderName = HeaderName::from_static("x-tenant-id");

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// The type of every body that passes, in both directions: the API has no other, and a page of an
/// upstream must not be one of ours.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

const ONWARD: [HeaderName; 3] = [ACCEPT, ACCEPT_LANGUAGE, REQUEST_ID];

/// `Date` among them: a `Retry-After` that is a date is meant against it. Not the request id: the
/// gateway puts its own, which is the one that the upstream was given.
const BACK: [HeaderName; 4] = [CONTENT_LANGUAGE, DATE, RETRY_AFTER, RETRY_AFTER_MS];

/// The headers of a request on its way to the upstream.
pub(super) fn onward(
    asked: &HeaderMap,
    key: HeaderValue,
    tenant: Option<HeaderValue>,
) -> HeaderMap {
    let mut headers = picked(asked, &ONWARD);
    headers.insert(AUTHORIZATION, key);
    if let Some(tenant) = tenant {
        headers.insert(TENANT, tenant);
    }
    // What is compressed could not be looked through for the key.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers
}

/// The headers of an answer on its way to the browser.
pub(super) fn back(answered: &HeaderMap) -> HeaderMap {
    picked(answered, &BACK)
}

/// The first value of each name: a second one is nothing that the contract knows.
fn picked(all: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let named = names.iter().filter_map(|name| {
        let value = all.get(name)?;
        Some((name.clone(), value.clone()))
    });
    named.collect()
}
