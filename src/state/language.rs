//! The language of numbers and dates, and the time zone, as the person chose them in this browser.

use super::shelf::Shelf;

fn shelf() -> Shelf {
    Shelf::of("lead-workspace.language", true)
}

/// Language and time zone by their names in the browser; empty where nobody chose.
pub fn read() -> (String, String) {
    let kept = shelf().read().unwrap_or_default();
    let (language, zone) = kept.split_once(' ').unwrap_or_default();
    (language.to_owned(), zone.to_owned())
}

/// Keeps a choice.
pub fn write(language: &str, zone: &str) {
    let kept = [language, " ", zone].concat();
    shelf().write(if kept == " " { "" } else { &kept });
}
