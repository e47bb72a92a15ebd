//! Text helpers.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Turns a Latin text into a part of a URL or an e-mail address: ASCII letters and digits joined by
/// hyphens.
pub(crate) fn slug(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for letter in text.nfkd().filter(|letter| !is_combining_mark(*letter)) {
        match letter {
            'ß' => ascii.push_str("ss"),
            'Æ' | 'æ' => ascii.push_str("ae"),
            'Þ' | 'þ' => ascii.push_str("th"),
            'Đ' | 'đ' | 'ð' => ascii.push('d'),
            'ı' => ascii.push('i'),
            'Ł' | 'ł' => ascii.push('l'),
            'Ø' | 'ø' => ascii.push('o'),
            _ => ascii.push(letter.to_ascii_lowercase()),
        }
    }
    let words = ascii.split(|c: char| !c.is_ascii_alphanumeric());
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

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slugs_are_ascii() {
        for (text, expected) in [
            ("Zoë Weißhaupt", "zoe-weisshaupt"),
            ("Łukasz Đorđević", "lukasz-dordevic"),
            ("Sæunn Þórsdóttir", "saeunn-thorsdottir"),
            ("İpek Işık", "ipek-isik"),
            ("Nguyễn & Ørsted", "nguyen-orsted"),
        ] {
            assert_eq!(slug(text), expected, "{text}");
        }
    }
}
