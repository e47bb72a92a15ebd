//! Valid and invalid addresses, keys and workspace ids.

use lead_workspace::api::TenantId;
use lead_workspace::client::{Config, ConfigError, Credentials};

#[test]
fn base_urls_are_validated() {
    let url = |text| Config::new(text).map(|config| config.base_url().to_owned());
    assert_eq!(url(""), Ok(String::new()));
    assert_eq!(
        url(" https://a.example/x/ "),
        Ok("https://a.example/x".into())
    );
    assert_eq!(
        url("http://127.0.0.1:8787"),
        Ok("http://127.0.0.1:8787".into())
    );
    assert_eq!(url("HTTPS://a.example"), Ok("https://a.example".into()));
    assert_eq!(
        url("/proxy/"),
        Ok("/proxy".into()),
        "relative to the page's origin"
    );
    for bad in [
        "//a.example",
        "/proxy?x=1",
        "/proxy/../x",
        "proxy",
        "a.example",
        "ftp://a.example",
        "javascript:alert(1)",
        "https://",
        "https://name:word@a.example",
        "https://a.example/?x=1",
        "https://a.example/#x",
        "https://a.example\n/x",
        "https://a.example\\x",
    ] {
        assert!(matches!(url(bad), Err(ConfigError::BaseUrl(_))), "{bad:?}");
    }
}

#[test]
fn errors_about_an_address_have_no_key_and_no_password() {
    for (address, shown) in [
        (
            "https://a.example/#key=lwk_1_s3cret",
            "\"https://a.example/\"",
        ),
        ("https://a.example?key=s3cret", "\"https://a.example\""),
        (
            "https://ada:s3cret@a.example/x",
            "\"https://…@a.example/x\"",
        ),
        ("a.example", "\"a.example\""),
        ("ada:s3cret@a.example", "\"…@a.example\""),
    ] {
        let error = Config::new(address).unwrap_err().to_string();
        assert!(
            error.starts_with(shown) && !error.contains("s3cret"),
            "{error}"
        );
    }
}

#[test]
fn line_breaks_are_trimmed_at_the_ends_and_rejected_inside() {
    assert_eq!(Credentials::new(" lwk_1_x\n").unwrap().key(), "lwk_1_x");
    assert_eq!(Credentials::new("lwk_1\n_x"), Err(ConfigError::Key));
    assert_eq!(Credentials::new("lwk 1"), Err(ConfigError::Key));
    assert_eq!(Credentials::new("schlüssel"), Err(ConfigError::Key));
    assert_eq!(Credentials::new(" \n"), Err(ConfigError::NoKey));
    let tenant = |text: &str| {
        Credentials::new("k").and_then(|key| key.in_workspace(Some(TenantId::new(text))))
    };
    assert!(tenant("acme").is_ok());
    assert_eq!(tenant("a\r\nb"), Err(ConfigError::Tenant));
    assert_eq!(tenant(""), Err(ConfigError::Tenant));
}

#[test]
fn errors_show_what_is_wrong_and_an_example() {
    let error = Config::new("ftp://a.example").unwrap_err().to_string();
    assert!(error.contains("ftp://a.example"), "{error}");
    assert!(error.contains("https://workspace.example"), "{error}");
    for error in [ConfigError::NoKey, ConfigError::Key] {
        let text = error.to_string();
        assert!(text.contains("key") && text.ends_with('.'), "{text}");
    }
    assert!(ConfigError::Tenant.to_string().contains("workspace id"));
}

#[test]
fn debug_output_never_shows_the_key() {
    let credentials = Credentials::new("lwk_1_topsecret").unwrap();
    let config = Config::new("").unwrap().with(credentials.clone());
    let shown = format!("{credentials:?} {config:?}");
    assert!(!shown.contains("topsecret"), "{shown}");
}

#[test]
fn the_job_path_starts_with_one_slash_and_contains_the_id() {
    let with = |path| {
        Config::new("https://a.example")
            .unwrap()
            .with_job_path(path)
    };
    assert!(with("/v2/tasks/{job_id}").is_ok());
    for bad in [
        // This one would send requests, with the key, to the host `a.exampleapi`.
        "api/jobs/{job_id}",
        "//b.example/{job_id}",
        "https://b.example/{job_id}",
        "@b.example/{job_id}",
        "/jobs/../{job_id}",
        "/jobs",
        "",
    ] {
        assert!(matches!(with(bad), Err(ConfigError::JobPath(_))), "{bad:?}");
    }
}
