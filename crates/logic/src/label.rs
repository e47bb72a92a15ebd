//! Labels for values that have no name of their own.

/// Turns `not_interested` into `Not interested`; returns text that is not a lower-case token as it
/// is.
pub fn label(value: &str) -> String {
    let is_word = value.starts_with(|first: char| first.is_ascii_lowercase())
        && value
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '_');
    if !is_word {
        return value.to_owned();
    }
    let mut text = value.replace('_', " ");
    text[..1].make_ascii_uppercase();
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn enum_values_become_readable_labels() {
        assert_eq!(super::label("not_interested"), "Not interested");
        assert_eq!(super::label("51-200"), "51-200");
        assert_eq!(super::label("A"), "A");
        assert_eq!(super::label(""), "");
    }
}
