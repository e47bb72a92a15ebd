//! Folded text: what people mean when they search and sort.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The text without case and accents: compatibility forms resolved, marks dropped, lower case, and
/// letters that Unicode does not take apart spelled out (`ø` as `o`, `ß` as `ss`).
///
/// `fold` of a part is part of `fold` of the whole, so that substring search works on folded text.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    let bare = text.nfkd().filter(|letter| !is_combining_mark(*letter));
    for letter in bare.flat_map(char::to_lowercase) {
        match spelled_out(letter) {
            Some(spelling) => folded.push_str(spelling),
            // Lower-casing can bring marks back, e.g. for the dotted capital I.
            None if is_combining_mark(letter) => {}
            None => folded.push(letter),
        }
    }
    folded
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
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn case_and_accents_do_not_matter() {
        for (text, folded) in [
            ("Zoë", "zoe"),
            ("ŁÓDŹ", "lodz"),
            ("Straße", "strasse"),
            ("Ærøskøbing", "aeroskobing"),
            ("İstanbul", "istanbul"),
            ("ﬁnance", "finance"),
            ("Νίκος", "νικοσ"),
            ("東京", "東京"),
            ("plain ASCII", "plain ascii"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn folding_twice_changes_nothing() {
        for text in ["Zoë ŁÓDŹ Straße", "İı", "ﬁ ½ ①"] {
            assert_eq!(fold(&fold(text)), fold(text));
        }
    }
}
