//! The terms of a text in the search index: every three consecutive letters, prefixed with the
//! workspace's row number.
//!
//! One index serves all workspaces. Because the workspace is part of each term, a search reads only
//! the entries of its own workspace. So its duration does not depend on other workspaces and
//! reveals nothing about them.

use lead_workspace_logic::search::words;

/// Shortest text that the index can find, in characters.
pub(super) const SHORTEST: usize = 3;

/// Separates two words, so that no phrase matches across the gap. It equals no term, because every
/// term starts with a number.
const GAP: &str = "x";

/// Offset into a private-use plane for ASCII punctuation, at which the tokenizer would end a term.
/// ASCII letters and digits and all non-ASCII characters are part of terms.
const SIGNS: u32 = 0x10_FF00;

/// Returns the terms of a text, in order, for the index's `ascii` tokenizer.
///
/// White space and NUL separate words. The terms of a word are consecutive in every text that
/// contains it, so a phrase query finds the word.
pub(super) fn search_terms(tenant: i64, text: &str) -> String {
    let tenant = tenant.to_string();
    let mut terms = String::with_capacity(text.len() * 6);
    for word in words(text) {
        if !terms.is_empty() {
            terms.push_str(GAP);
            terms.push(' ');
        }
        let letters: Vec<char> = word.chars().map(in_term).collect();
        for three in letters.windows(SHORTEST) {
            terms.push_str(&tenant);
            terms.extend(three);
            terms.push(' ');
        }
    }
    terms
}

fn in_term(letter: char) -> char {
    if letter.is_ascii() && !letter.is_ascii_alphanumeric() {
        char::from_u32(SIGNS + u32::from(letter)).unwrap_or(letter)
    } else {
        letter
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::search_terms;

    #[test]
    fn search_finds_words_only_in_their_own_workspace() {
        let connection = Connection::open_in_memory().unwrap();
        let table = "CREATE VIRTUAL TABLE t USING fts5(terms, content = '', tokenize = 'ascii')";
        connection.execute_batch(table).unwrap();
        let texts = [
            (1, "anna o'neil\nvp \"sales\" (dach)\nab bcd"),
            (2, "anna o'neil"),
            (12, "3anna 東京都庁"),
            (1, "क\u{93f}रण ガラス"),
        ];
        for (row, (tenant, text)) in (1..).zip(texts) {
            let insert = "INSERT INTO t (rowid, terms) VALUES (?1, ?2)";
            let values = rusqlite::params![row, search_terms(tenant, text)];
            connection.execute(insert, values).unwrap();
        }
        let found = |tenant, word: &str| -> Vec<i64> {
            let phrase = format!("\"{}\"", search_terms(tenant, word));
            let mut select = connection
                .prepare("SELECT rowid FROM t WHERE t MATCH ?1 ORDER BY rowid")
                .unwrap();
            let rows = select.query_map([phrase], |row| row.get(0)).unwrap();
            rows.map(Result::unwrap).collect()
        };
        assert_eq!(found(1, "anna"), [1]);
        assert_eq!(found(2, "anna"), [2]);
        assert_eq!(found(12, "anna"), [3]);
        assert_eq!(found(1, "23anna"), [0; 0]);
        assert_eq!(found(1, "o'ne"), [1]);
        assert_eq!(found(1, "\"sales\""), [1]);
        assert_eq!(found(1, "o_ne"), [0; 0]);
        assert_eq!(found(1, "(dach)"), [1]);
        assert_eq!(found(12, "京都庁"), [3]);
        assert_eq!(found(1, "क\u{93f}र"), [4]);
        // No match across the end of a word or line.
        assert_eq!(found(1, "abbcd"), [0; 0]);
        assert_eq!(found(1, "annao"), [0; 0]);
        assert_eq!(found(1, "neilvp"), [0; 0]);
    }
}
