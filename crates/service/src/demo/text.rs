//! Small helpers for words.

use crate::fold::fold;

/// The text as a part of a URL or an e-mail address: ASCII letters and digits joined by hyphens.
pub(crate) fn slug(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// The text with its first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The noun with its indefinite article.
pub(crate) fn article(noun: &str) -> String {
    let an = noun.starts_with(['a', 'e', 'i', 'o', 'I', 'A']);
    format!("{} {noun}", if an { "an" } else { "a" })
}
