//! Escapes of characters that separate the parts of a text, as in addresses: `%2E` for a dot.

/// Escapes the separators and the percent sign. The separators are ASCII characters.
pub fn escaped(text: &str, separators: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if char == '%' || separators.contains(char) {
            escaped.push('%');
            for digit in [char as u32 >> 4, char as u32 & 15] {
                escaped.extend(char::from_digit(digit, 16));
            }
        } else {
            escaped.push(char);
        }
    }
    escaped
}

/// Reads the output of [`escaped`]. A percent sign that begins no escape stays.
pub fn unescaped(text: &str) -> String {
    let mut parts = text.split('%');
    let mut unescaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut rest = part.chars();
        let mut digit = || rest.next()?.to_digit(16);
        let char = digit()
            .zip(digit())
            .and_then(|(high, low)| char::from_u32(high << 4 | low));
        match char.filter(char::is_ascii) {
            Some(char) => {
                unescaped.push(char);
                unescaped.push_str(rest.as_str());
            }
            None => {
                unescaped.push('%');
                unescaped.push_str(part);
            }
        }
    }
    unescaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{escaped, unescaped};

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
}
