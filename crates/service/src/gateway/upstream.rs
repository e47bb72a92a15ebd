//! The upstream: where it is, the key for it, and the connections to it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderValue, Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};

use super::Template;
use super::key_forms::KeyForms;

/// Address of an upstream: `https://api.example/base`.
#[derive(Clone, Debug)]
pub struct Upstream {
    scheme: Scheme,
    authority: Authority,
    /// Prefix of every path; empty or `/base`.
    base: String,
}

impl std::str::FromStr for Upstream {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "an upstream looks like https://api.example or http://10.0.0.5:8080/base";
        let uri: Uri = text
            .parse()
            .map_err(|error| format!("{text:?} is not a valid URL ({error}); {form}"))?;
        let (Some(scheme), Some(authority)) = (uri.scheme(), uri.authority()) else {
            return Err(format!("{text:?} has no scheme or no host; {form}"));
        };
        if *scheme != Scheme::HTTP && *scheme != Scheme::HTTPS {
            return Err(format!("the scheme {scheme} is not supported; {form}"));
        }
        if authority.as_str().contains('@') {
            return Err(
                "the upstream's address must not contain a user name or a password; put the key into \
                 the file of --upstream-key-file"
                    .into(),
            );
        }
        if uri.query().is_some() || text.contains('#') {
            return Err(format!(
                "an upstream must not have a query or a fragment; {form}"
            ));
        }
        let base = uri.path().trim_end_matches('/');
        if !base.is_empty() {
            // The same rule as for every path that passes.
            base.parse::<Template>()?;
        }
        Ok(Self {
            scheme: scheme.clone(),
            authority: authority.clone(),
            base: base.to_owned(),
        })
    }
}

impl Upstream {
    /// Returns the host, with the port if the address has one.
    pub fn host(&self) -> &str {
        self.authority.as_str()
    }

    /// Returns whether the key crosses a network unencrypted.
    pub fn is_unencrypted(&self) -> bool {
        let host = self.authority.host();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let is_here = bare == "localhost"
            || bare
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback());
        self.scheme == Scheme::HTTP && !is_here
    }

    pub(super) fn uri(&self, path: &str, query: Option<&str>) -> Result<Uri, http::Error> {
        let mut rest = format!("{}{path}", self.base);
        if let Some(query) = query {
            rest.push('?');
            rest.push_str(query);
        }
        Uri::builder()
            .scheme(self.scheme.clone())
            .authority(self.authority.clone())
            .path_and_query(PathAndQuery::try_from(rest)?)
            .build()
    }
}

/// The upstream's key. It has no text form, so that it cannot be logged.
#[derive(Clone)]
pub struct UpstreamKey {
    header: HeaderValue,
    forms: Arc<KeyForms>,
}

impl std::str::FromStr for UpstreamKey {
    type Err = String;

    /// Reads the contents of a key file. Error messages never contain them.
    fn from_str(text: &str) -> Result<Self, String> {
        let key = text.trim();
        if key.is_empty() {
            return Err("it is empty".into());
        }
        if key.lines().count() > 1 {
            return Err("it has more than one line".into());
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("the key contains spaces or invalid characters".into());
        }
        let value = HeaderValue::try_from(format!("Bearer {key}"));
        let mut value = value.map_err(|_| "the key is not valid in a header".to_owned())?;
        value.set_sensitive(true);
        Ok(Self {
            header: value,
            forms: Arc::new(KeyForms::new(key)),
        })
    }
}

impl UpstreamKey {
    pub(super) fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Returns the byte strings that reveal the key in a response.
    pub(super) fn forms(&self) -> &KeyForms {
        &self.forms
    }
}

impl fmt::Debug for UpstreamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// HTTP client for an upstream. It does not follow redirects.
pub(super) enum UpstreamClient {
    Plain(legacy::Client<HttpConnector, Full<Bytes>>),
    Tls(legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl UpstreamClient {
    pub(super) fn for_upstream(upstream: &Upstream, connect: Duration) -> Result<Self, String> {
        let mut http = HttpConnector::new();
        http.set_connect_timeout(Some(connect));
        http.set_nodelay(true);
        let mut builder = legacy::Client::builder(TokioExecutor::new());
        builder
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(20));
        if upstream.scheme == Scheme::HTTP {
            return Ok(Self::Plain(builder.build(http)));
        }
        http.enforce_http(false);
        // Trust the certificates of the system, so that a company's own CA works, too.
        let tls = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| {
                format!(
                    "no trusted CA certificates found ({error}), so the certificate of {} cannot be \
                     verified. Install the system's ca-certificates, or set SSL_CERT_FILE",
                    upstream.host()
                )
            })?
            .https_only()
            .enable_http1()
            .wrap_connector(http);
        Ok(Self::Tls(builder.build(tls)))
    }

    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, Error> {
        match self {
            Self::Plain(client) => client.request(request).await,
            Self::Tls(client) => client.request(request).await,
        }
    }
}

#[cfg(test)]
#[path = "upstream_tests.rs"]
mod tests;
