//! Text folding for search and sort: case, accents and invisible characters do not matter.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::clean::is_invisible;

/// Removes case, accents and invisible characters from a text, and collapses white space to single spaces.
///
/// Compatibility forms are resolved (NFKD), accents dropped, letters lower-cased, and letters
/// without a Unicode decomposition spelled out (`ø` as `o`, `ß` as `ss`). Typographic quotes and dashes become those of a
/// keyboard.
///
/// Accents are the combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts
/// (Indic, Thai, kana) a mark makes a different letter, so it stays.
///
/// The folded form of a substring is a substring of the folded whole, so substring search works on
/// folded text.
pub fn fold(text: &str) -> String {
    if is_plain(text) {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    let seen = |letter: &char| !is_accent(*letter) && !is_invisible(*letter);
    for letter in text.nfkd().filter(seen).flat_map(char::to_lowercase) {
        match spelled_out(letter) {
            Some(spelling) => folded.push_str(spelling),
            // Lower-casing can produce marks again, e.g. for the dotted capital I.
            None if is_accent(letter) => {}
            None if !letter.is_whitespace() => folded.push(letter),
            None if folded.ends_with(' ') => {}
            None => folded.push(' '),
        }
    }
    folded
}

/// Returns whether the folded form of a text contains `part`, which is folded and not empty.
pub fn folded_contains(text: &str, part: &str) -> bool {
    if !is_plain(text) {
        return fold(text).contains(part);
    }
    let (text, part) = (text.as_bytes(), part.as_bytes());
    text.windows(part.len())
        .any(|window| window.eq_ignore_ascii_case(part))
}

/// Returns whether folding changes nothing but the case.
fn is_plain(text: &str) -> bool {
    text.is_ascii() && !text.contains("  ") && !text.bytes().any(|byte| byte.is_ascii_control())
}

fn is_accent(letter: char) -> bool {
    let in_block = matches!(letter,
        // Latin and Greek diacritics with their extension blocks, marks for symbols, half marks.
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}'
        // Cyrillic.
        | '\u{483}'..='\u{489}' | '\u{2de0}'..='\u{2dff}' | '\u{a66f}'..='\u{a69f}'
        // Hebrew.
        | '\u{591}'..='\u{5c7}' | '\u{fb1e}'
        // Arabic.
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}'
        | '\u{897}'..='\u{89f}' | '\u{8ca}'..='\u{8ff}'
        // Variation selectors: they belong to no script and make no difference to a reader.
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'
    );
    in_block && is_combining_mark(letter)
}

fn spelled_out(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ø' => "o",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ı' => "i",
        'ŧ' => "t",
        'ŋ' => "n",
        'ς' => "σ",
        '‘' | '’' | '‚' | '‛' | 'ʻ' | 'ʼ' => "'",
        '“' | '”' | '„' | '‟' => "\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "-",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{fold, folded_contains};

    #[test]
    fn case_and_accents_are_folded() {
        for (text, folded) in [
            ("Zoë", "zoe"),
            ("ŁÓDŹ", "lodz"),
            ("Straße", "strasse"),
            ("Ærøskøbing", "aeroskobing"),
            ("İstanbul", "istanbul"),
            ("Ħal Luqa", "hal luqa"),
            ("Áŋŋel Sáŧŧá, Þórð", "annel satta, thord"),
            ("ﬁnance", "finance"),
            ("Νίκος", "νικοσ"),
            ("東京", "東京"),
            ("plain ASCII", "plain ascii"),
            (
                "O’Brien, D‘Arcy, Hawaiʻi, ‚Acme‘",
                "o'brien, d'arcy, hawai'i, 'acme'",
            ),
            ("“Acme”, „Łódź‟", "\"acme\", \"lodz\""),
            (
                "Jean\u{2011}Luc 10–20—30 −5 10⁻⁹",
                "jean-luc 10-20-30 -5 10-9",
            ),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn marks_that_change_the_letter_are_kept() {
        for (text, other) in [
            ("कि", "क"),
            ("कि", "का"),
            ("ガ", "カ"),
            ("が", "か"),
            ("ที่", "ที"),
            ("கி", "க"),
        ] {
            assert_ne!(fold(text), fold(other), "{text} {other}");
        }
        // Half-width kana equal full-width ones, and composed letters equal decomposed ones.
        assert_eq!(fold("ｶﾞ"), fold("ガ"));
        assert_eq!(fold("\u{30ab}\u{3099}"), fold("ガ"));
    }

    #[test]
    fn accents_are_folded_in_five_scripts() {
        for (text, folded) in [
            ("Việt", "viet"),
            ("Ἀθῆναι", "αθηναι"),
            ("Йод ё", "иод е"),
            ("שָׁלוֹם", "שלום"),
            ("مُحَمَّد", "محمد"),
            ("❤\u{fe0f}", "❤"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn invisible_characters_and_repeated_spaces_make_no_difference() {
        for (text, folded) in [
            ("An\u{200b}a  Diaz", "ana diaz"),
            ("Ana \u{200b} Diaz\u{feff}", "ana diaz"),
            ("A\0na\t\nDiaz", "ana diaz"),
            ("می\u{200c}خواهم", "میخواهم"),
            ("👩\u{200d}💻", "👩💻"),
        ] {
            assert_eq!(fold(text), folded, "{text:?}");
        }
    }

    #[test]
    fn a_part_is_found_in_the_folded_form() {
        for (text, part, is_found) in [
            ("Acme GmbH", "e g", true),
            ("Acme  GmbH", "e g", true),
            ("Acme", "acme gmbh", false),
            ("Łódź", "odz", true),
            ("", "a", false),
        ] {
            assert_eq!(folded_contains(text, part), is_found, "{text:?} {part:?}");
            assert_eq!(fold(text).contains(part), is_found, "{text:?} {part:?}");
        }
    }

    #[test]
    fn folding_is_idempotent() {
        for text in ["Zoë ŁÓDŹ Straße", "İı", "ﬁ ½ ①", "ガ कि ที่"] {
            assert_eq!(fold(&fold(text)), fold(text));
        }
    }
}
