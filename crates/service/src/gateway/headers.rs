//! Selects the headers that pass the gateway. Pure functions.
//!
//! The lists name what passes. Cookies, `Forwarded` and `X-Forwarded-*`, hop-by-hop headers and the
//! headers named in `Connection` are dropped without being listed.

use http::header::{ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_LANGUAGE, DATE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue};
use lead_workspace_api::{LAST_EVENT_ID_HEADER, WORKSPACE_NAME_HEADER};

pub(super) const TENANT: HeaderName = HeaderName::from_static("x-tenant-id");

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");
const WORKSPACE_NAME: HeaderName = HeaderName::from_static(WORKSPACE_NAME_HEADER);

/// Content type of every body that passes, in both directions: the API has no other, and a page of
/// the upstream must not be served as one of ours.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

const LAST_EVENT_ID: HeaderName = HeaderName::from_static(LAST_EVENT_ID_HEADER);

const TO_UPSTREAM: [HeaderName; 4] = [ACCEPT, ACCEPT_LANGUAGE, LAST_EVENT_ID, REQUEST_ID];

/// `Date` is included, because a `Retry-After` that is a date is relative to it. The request id is
/// not: the gateway sets its own, which is the one that the upstream received.
const TO_BROWSER: [HeaderName; 5] = [
    CONTENT_LANGUAGE,
    DATE,
    RETRY_AFTER,
    RETRY_AFTER_MS,
    WORKSPACE_NAME,
];

/// Returns the headers of the request to the upstream, without its key.
pub(super) fn for_upstream(request: &HeaderMap, tenant: Option<HeaderValue>) -> HeaderMap {
    let mut headers = select(request, &TO_UPSTREAM);
    if let Some(tenant) = tenant {
        headers.insert(TENANT, tenant);
    }
    // A compressed response could not be searched for the key.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers
}

/// Returns the headers of the response to the browser.
pub(super) fn for_browser(response: &HeaderMap) -> HeaderMap {
    select(response, &TO_BROWSER)
}

/// Selects the first value of each name; the contract has no repeated headers.
fn select(all: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let selected = names.iter().filter_map(|name| {
        let value = all.get(name)?;
        Some((name.clone(), value.clone()))
    });
    selected.collect()
}
