//! Escapes of characters that separate the parts of a text, as in addresses: `%2e` for a dot.

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
