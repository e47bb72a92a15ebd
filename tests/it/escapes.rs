//! Escapes of characters that separate the parts of a text.

use lead_workspace::app::model::escapes::{escaped, unescaped};
use proptest::prelude::*;

#[test]
fn separators_and_percent_signs_are_escaped() {
    assert_eq!(escaped("a.b-c*d e%", ".-*"), "a%2eb%2dc%2ad e%25");
    assert_eq!(unescaped("a%2eb%2Dc%2ad e%25"), "a.b-c*d e%");
}

#[test]
fn other_percent_signs_stay() {
    for text in ["100%", "%", "%2", "%zz", "%%", "%é", "a%ffb"] {
        assert_eq!(unescaped(text), text);
    }
}

proptest! {
    #[test]
    fn every_text_is_read_back(text in any::<String>()) {
        let written = escaped(&text, ".-* ");
        prop_assert!(!written.contains(['.', '-', '*', ' ']));
        prop_assert_eq!(unescaped(&written), text);
    }
}
