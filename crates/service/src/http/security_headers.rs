//! Response headers that limit what a browser does with the answers of this service. Every answer
//! has them: pages, files, the API, errors, and what a gateway forwards.

use http::header::{CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue};

use super::options::ServiceOptions;

const CROSS_ORIGIN_OPENER_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-opener-policy");
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// The UI only writes to the clipboard. Browsers warn about names that they do not know.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), \
    clipboard-write=(self), display-capture=(), encrypted-media=(), fullscreen=(), \
    geolocation=(), gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), \
    microphone=(), midi=(), payment=(), picture-in-picture=(), publickey-credentials-create=(), \
    publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()";

/// A page of another origin may request this path without permission, to find out whether a server
/// runs at an address: the UI's connection test does. It cannot read the response.
const PROBED_PATH: &str = "/health";

pub(super) struct SecurityHeaders(Vec<(HeaderName, HeaderValue)>);

impl SecurityHeaders {
    pub(super) fn new(options: &ServiceOptions) -> Self {
        let same_origin = HeaderValue::from_static("same-origin");
        Self(vec![
            (
                CONTENT_SECURITY_POLICY,
                content_security_policy(&options.allow_connections),
            ),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (CROSS_ORIGIN_OPENER_POLICY, same_origin.clone()),
            (CROSS_ORIGIN_RESOURCE_POLICY, same_origin),
            (PERMISSIONS_POLICY, HeaderValue::from_static(PERMISSIONS)),
            // No `strict-transport-security`: it would hold for every port of the host, also for
            // services that are not ours.
        ])
    }

    /// Adds the headers to the response for a path. Replaces headers of the same names.
    pub(super) fn add_to(&self, response: &mut HeaderMap, path: &str) {
        for (name, value) in &self.0 {
            response.insert(name, value.clone());
        }
        if path == PROBED_PATH {
            let cross_origin = HeaderValue::from_static("cross-origin");
            response.insert(CROSS_ORIGIN_RESOURCE_POLICY, cross_origin);
        }
    }
}

/// Returns the Content-Security-Policy, which forbids everything that the UI does not use. The UI
/// needs Wasm, and the pictures of people and companies, which are on other servers. It turns no
/// text into HTML or scripts (Trusted Types). It connects only to this service unless the operator
/// allows more: a link may name another address, and a key that is typed then must not be sent
/// there.
fn content_security_policy(connections: &[String]) -> HeaderValue {
    let more = connections.iter().map(|source| format!(" {source}"));
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' https: data:; connect-src 'self'{}; object-src 'none'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        more.collect::<String>()
    );
    // Fails only for text that is not valid in a header; then allow nothing.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}
