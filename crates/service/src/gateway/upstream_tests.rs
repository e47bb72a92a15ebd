use super::{Upstream, UpstreamKey};

#[test]
fn an_upstream_has_a_scheme_a_host_and_an_optional_base() {
    for (text, path, uri) in [
        ("https://api.example", "/api/x", "https://api.example/api/x"),
        (
            "https://api.example/",
            "/api/x",
            "https://api.example/api/x",
        ),
        (
            "http://10.0.0.5:80/a/b/",
            "/api/x",
            "http://10.0.0.5:80/a/b/api/x",
        ),
        ("http://[::1]:9", "/api/x", "http://[::1]:9/api/x"),
    ] {
        let upstream: Upstream = text.parse().unwrap();
        assert_eq!(upstream.uri(path, None).unwrap(), uri);
        assert_eq!(
            upstream.uri(path, Some("q=%2F..")).unwrap().to_string(),
            format!("{uri}?q=%2F..")
        );
    }
    for wrong in [
        "",
        "api.example",
        "/api",
        "ftp://api.example",
        "https://",
        "https://me:secret@api.example",
        "https://api.example/?a=b",
        "https://api.example/#a",
        "https://api.example/../x",
        "https://api.example/%2e%2e",
        "https://api.example//x",
        "https://api.example/a b",
    ] {
        assert!(wrong.parse::<Upstream>().is_err(), "{wrong}");
    }
}

#[test]
fn remote_http_upstreams_are_in_the_clear() {
    let clear = |text: &str| text.parse::<Upstream>().unwrap().is_unencrypted();
    assert!(clear("http://api.example") && clear("http://10.0.0.5"));
    for text in [
        "https://api.example",
        "http://127.0.0.1:1",
        "http://[::1]",
        "http://localhost:1",
    ] {
        assert!(!clear(text), "{text}");
    }
}

#[test]
fn a_key_is_one_line_and_never_printed() {
    let key: UpstreamKey = " secret-key\r\n".parse().unwrap();
    assert_eq!(key.header(), "Bearer secret-key");
    assert!(key.header().is_sensitive());
    assert!(!format!("{key:?}").contains("secret"));
    for wrong in ["", " \n", "a\nsecret", "a secret", "sécret", "sec\u{0}ret"] {
        let message = wrong.parse::<UpstreamKey>().unwrap_err();
        assert!(!message.contains("secret"), "{message}");
    }
}
