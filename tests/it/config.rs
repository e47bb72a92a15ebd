//! Addresses, keys and workspace ids that can be used, and those that cannot.

use lead_workspace::api::TenantId;
use lead_workspace::client::{Config, ConfigError, Credentials};

#[test]
fn addresses() {
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
    for bad in [
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
fn a_pasted_line_break_is_taken_off_at_the_ends_and_refused_inside() {
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
fn debug_output_never_shows_the_key() {
    let credentials = Credentials::new("lwk_1_topsecret").unwrap();
    let config = Config::new("").unwrap().with(credentials.clone());
    let shown = format!("{credentials:?} {config:?}");
    assert!(!shown.contains("topsecret"), "{shown}");
}
