//! The language of numbers and dates and the time zone that the user chose, stored in this browser.

use super::storage::Storage;

fn storage() -> Storage {
    Storage::new("lead-workspace.language", true)
}

/// Returns language and time zone by their names in the browser. Empty for the browser's default.
pub fn read() -> (String, String) {
    let stored = storage().read().unwrap_or_default();
    let (language, zone) = stored.split_once(' ').unwrap_or_default();
    (language.to_owned(), zone.to_owned())
}

/// Stores a choice. Two empty names remove it.
pub fn write(language: &str, zone: &str) {
    let stored = [language, " ", zone].concat();
    storage().write(if stored == " " { "" } else { &stored });
}
