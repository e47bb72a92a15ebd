//! Links in the data: only web addresses are accepted.

use lead_workspace::client::web_url::web_url;
use proptest::prelude::*;

#[test]
fn only_web_addresses_are_linked() {
    for good in [
        "https://a.example/in/x?y=1#z",
        "HTTP://a.example",
        " https://a.example ",
    ] {
        assert_eq!(web_url(good), Some(good.trim()));
    }
    for bad in [
        "javascript:alert(1)",
        "JaVaScRiPt://a.example/%0aalert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//a.example",
        "/leads",
        "https:a.example",
        "https://",
        "https:///x",
        "https://real.example@evil.example/",
        "https://a.example/\u{0}",
        "https://a.exa mple/",
        "https:\\\\a.example",
        "",
    ] {
        assert_eq!(web_url(bad), None, "{bad:?}");
    }
}

proptest! {
    #[test]
    fn accepted_links_are_web_addresses(text in ".{0,60}") {
        if let Some(address) = web_url(&text) {
            let address = address.to_ascii_lowercase();
            prop_assert!(address.starts_with("https://") || address.starts_with("http://"));
        }
    }
}
