//! Identifiers as words.

/// Converts an identifier to words: `follower_count` and `followerCount` to "Follower count".
pub fn humanize(identifier: &str) -> String {
    let mut words = String::with_capacity(identifier.len());
    let mut before = ' ';
    for char in identifier.chars() {
        if char == '_' || char.is_control() {
            words.push(' ');
        } else if char.is_ascii_uppercase() && before.is_ascii_lowercase() {
            words.push(' ');
            words.push(char.to_ascii_lowercase());
        } else {
            words.push(char);
        }
        before = char;
    }
    let mut words = words.trim().to_owned();
    // Identifiers are ASCII. The Unicode case tables would take more space than this file.
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}
