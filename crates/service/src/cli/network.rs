//! Validation of listen addresses, origins and connection sources. Pure functions.

use std::net::IpAddr;

use http::Uri;
use http::uri::PathAndQuery;

/// Refuses an address on which the network could read the traffic, unless that is `allowed`: with
/// TLS or `--insecure-network`.
pub(super) fn may_listen(host: IpAddr, allowed: bool) -> Result<(), String> {
    if host.is_loopback() || allowed {
        return Ok(());
    }
    Err(format!(
        "--host {host} exposes the service to the network without TLS: others could read keys and \
         leads. Nothing was started. Add --tls-cert and --tls-key; or omit --host and put a reverse \
         proxy with TLS in front, with --allow-host NAME for its host name; or add \
         --insecure-network if the network is trusted"
    ))
}

/// Parses the name of a host as requests have it. Refuses what would never match.
pub(super) fn host_name(text: &str) -> Result<String, String> {
    const FORM: &str = "a host name looks like leads.example";
    let name = text.trim();
    if name.contains('*') {
        return Err(format!(
            "requests have one name, not a pattern, so {name} never matches; list each name; {FORM}"
        ));
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    if name.chars().all(is_of_name) {
        return Ok(name.to_owned());
    }
    Err(format!(
        "requests name a host in ASCII, without scheme, port, path and spaces, so {name} never matches; {FORM}"
    ))
}

/// Parses an origin in the form that browsers send: scheme, host, and a port unless it is the
/// scheme's default. Refuses anything else.
pub(super) fn origin(text: &str) -> Result<String, String> {
    const FORM: &str = "an origin looks like https://app.example or http://localhost:3000";
    if text.contains('*') {
        return Err(format!(
            "browsers send one origin, not a pattern, so {text} never matches; list each origin. {FORM}"
        ));
    }
    // A list may have spaces after its commas.
    let text = text.trim().trim_end_matches('/').to_ascii_lowercase();
    let uri: Uri = text.parse().map_err(|_| FORM.to_owned())?;
    let default_port = match uri.scheme_str() {
        Some("https") => 443,
        Some("http") => 80,
        _ => return Err(FORM.into()),
    };
    let bare = uri
        .path_and_query()
        .is_none_or(|rest| *rest == PathAndQuery::from_static("/"));
    let Some(authority) = uri.authority().filter(|_| bare && !text.contains('#')) else {
        return Err(FORM.into());
    };
    if authority.as_str().contains('@') || authority.as_str().ends_with(':') {
        return Err(FORM.into());
    }
    if authority.port_u16() == Some(default_port) {
        return Err(format!(
            "browsers omit the default port {default_port}, so {text} never matches; omit it here, too"
        ));
    }
    Ok(text)
}

/// Parses an origin, or "any", into sources of a Content-Security-Policy.
pub(super) fn connection(text: &str) -> Result<String, String> {
    if text.trim() == "any" {
        return Ok("https: http:".into());
    }
    let found = origin(text)?;
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._:/".contains(c);
    if found.chars().all(is_allowed) {
        return Ok(found);
    }
    Err(format!(
        "browsers take only host names and IPv4 addresses in a Content-Security-Policy, and would \
         ignore {found}; use a host name, e.g. http://localhost:3000"
    ))
}

#[cfg(test)]
mod tests {
    use super::{connection, host_name, may_listen, origin};

    #[test]
    fn an_origin_has_the_form_that_browsers_send() {
        for (text, sent) in [
            ("https://App.example/", "https://app.example"),
            (" https://b.example", "https://b.example"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:3000", "http://[::1]:3000"),
            ("https://app.example:80", "https://app.example:80"),
        ] {
            assert_eq!(origin(text).as_deref(), Ok(sent));
        }
        for (text, words) in [
            ("*", "not a pattern"),
            ("https://*.app.example", "not a pattern"),
            ("https://app.example:443", "omit the default port 443"),
            ("http://app.example:80/", "omit the default port 80"),
            ("app.example", "looks like"),
            ("https://", "looks like"),
            ("https://a/b", "looks like"),
            ("https://a?b", "looks like"),
            ("https://a#b", "looks like"),
            ("https://a b", "looks like"),
            ("https://me@a.example", "looks like"),
            ("https://a.example:", "looks like"),
            ("ftp://a.example", "looks like"),
        ] {
            let error = origin(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_host_name_that_never_matches_is_refused() {
        for (text, name) in [
            ("leads.example", "leads.example"),
            (" b.example ", "b.example"),
            ("my_host", "my_host"),
        ] {
            assert_eq!(host_name(text).as_deref(), Ok(name));
        }
        for (text, words) in [
            ("*.example.org", "not a pattern"),
            ("https://leads.example", "looks like"),
            ("leads.example/path", "looks like"),
            ("leads.example:8787", "looks like"),
            ("a b", "looks like"),
            ("müller.example", "in ASCII"),
        ] {
            let error = host_name(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn connect_origins_are_a_list_or_all() {
        assert_eq!(connection("any").as_deref(), Ok("https: http:"));
        assert_eq!(
            connection("https://a.example/").as_deref(),
            Ok("https://a.example")
        );
        for (text, words) in [
            ("*", "not a pattern"),
            ("https:", "looks like"),
            ("https://a.example:443", "omit the default port"),
            ("https://a.example/path", "looks like"),
            ("https://a.example;script-src", "only host names"),
            ("https://a,b", "only host names"),
            ("http://[::1]:3000", "only host names"),
        ] {
            let error = connection(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn other_machines_need_an_explicit_option() {
        for (host, allowed) in [
            ("127.0.0.1", true),
            ("::1", true),
            ("0.0.0.0", false),
            ("10.0.0.5", false),
        ] {
            let host = host.parse().unwrap();
            assert_eq!(may_listen(host, false).is_ok(), allowed, "{host}");
            assert!(may_listen(host, true).is_ok());
        }
        let message = may_listen("0.0.0.0".parse().unwrap(), false).unwrap_err();
        assert!(
            message.contains("reverse proxy with TLS") && message.contains("--insecure-network"),
            "{message}"
        );
    }
}
