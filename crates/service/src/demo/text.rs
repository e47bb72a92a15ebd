//! Text helpers.

use crate::fold::fold;

/// Turns text into a part of a URL or an e-mail address: ASCII letters and digits joined by
/// hyphens.
pub(crate) fn slug(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// Converts the first letter to upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Adds the indefinite article to a noun.
pub(crate) fn article(noun: &str) -> String {
    let an = noun.starts_with(['a', 'e', 'i', 'o', 'I', 'A']);
    format!("{} {noun}", if an { "an" } else { "a" })
}
