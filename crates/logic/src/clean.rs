//! Cleans names: removes invisible characters, and collapses white space.

/// Removes control and zero-width characters, and collapses white space to single spaces, none at the ends.
///
/// Joiners stay where they change what is shown: within emoji, and in Indic, Persian and Arabic words.
pub fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        let stays = match letter {
            ' ' => before != ' ',
            letter => !is_invisible(letter) || joins(before, letter, letters.peek().copied()),
        };
        if stays {
            clean.push(letter);
            before = letter;
        }
    }
    clean.truncate(clean.trim_end().len());
    clean
}

/// Returns whether a character has no width, and is no white space. Combining marks and variation selectors are not
/// among them: they change the letter before them.
pub(crate) fn is_invisible(letter: char) -> bool {
    letter.is_control() && !letter.is_whitespace()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns whether an invisible character changes what is shown between its neighbors.
fn joins(before: char, letter: char, after: Option<char>) -> bool {
    match letter {
        // The joiners also end a word in Indic scripts: a Malayalam chillu is a letter, a sign and a joiner.
        '\u{200c}' | '\u{200d}' if is_indic(before) => true,
        '\u{200c}' | '\u{200d}' if is_arabic(before) => after.is_some_and(is_arabic),
        '\u{200d}' => is_emoji(before) && after.is_some_and(is_emoji),
        // The flags of England, Scotland and Wales are a black flag with letters of their own.
        '\u{e0020}'..='\u{e007f}' => matches!(before, '\u{1f3f4}' | '\u{e0020}'..='\u{e007e}'),
        _ => false,
    }
}

/// From Devanagari to Sinhala.
fn is_indic(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{dff}')
}

fn is_arabic(letter: char) -> bool {
    matches!(letter,
        '\u{620}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{870}'..='\u{8ff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
    )
}

fn is_emoji(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn invisible_characters_go_and_white_space_collapses() {
        for (text, expected) in [
            ("Ana Diaz", "Ana Diaz"),
            ("An\u{200b}a  Diaz", "Ana Diaz"),
            ("\u{feff}Ana\t\r\n Diaz\u{a0}", "Ana Diaz"),
            ("Ana \u{200b} Diaz \u{200b}", "Ana Diaz"),
            ("A\0n\u{7}a\u{ad} Di\u{200d}az\u{200c}", "Ana Diaz"),
            ("\u{202a}Ana\u{202c}\u{2069}\u{200e}", "Ana"),
            ("\u{200b} \u{2060}", ""),
            ("Zoë e\u{301}", "Zoë e\u{301}"),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
            assert_eq!(clean(expected), expected, "{text:?}");
        }
    }

    #[test]
    fn joiners_stay_where_they_are_part_of_the_script() {
        for text in [
            "👩\u{200d}💻",
            "👨🏽\u{200d}⚕\u{fe0f}",
            "🏳\u{fe0f}\u{200d}🌈",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم",
            "ක්\u{200d}ෂ",
            "क्\u{200d}ष",
            "അവന്\u{200d}",
        ] {
            assert_eq!(clean(text), text);
            assert_eq!(clean(&format!("\u{200d}{text} \u{200d}")), text);
        }
        assert_eq!(clean("می\u{200c}"), "می");
        assert_eq!(clean("می\u{200c}\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(clean("👩\u{200d}"), "👩");
        assert_eq!(clean("a\u{e0067}b"), "ab");
    }
}
