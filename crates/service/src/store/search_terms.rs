//! What the search index holds of a text: every three letters in a row, behind the number of the
//! workspace.
//!
//! One index serves all workspaces. As the workspace is a part of each term, a search reads the
//! entries of its own workspace and no others: it neither pays for its neighbours nor tells by its
//! time what they hold.

/// The index holds nothing shorter.
pub(super) const SHORTEST: usize = 3;

/// Stands between two words, so that no phrase reaches over the gap. No term is equal to it: a term
/// has a number before its three letters.
const GAP: &str = "x";

/// ASCII letters and digits are parts of a term, and so is everything beyond ASCII. The other ASCII
/// characters would end a term; they stand here, in a private plane of Unicode.
const SIGNS: u32 = 0x10_FF00;

/// The terms of a text, in order, as the index's `ascii` tokenizer reads them. White space and NUL
/// separate words. The terms of a word follow each other as they do in every text with that word in
/// it, so that they find it as a phrase.
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

/// The words of a text, for the index and for searches.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || letter == '\0')
        .filter(|word| !word.is_empty())
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
    fn words_are_found_in_their_own_workspace_and_no_other_text() {
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
        // Not over the end of a word or of a line.
        assert_eq!(found(1, "abbcd"), [0; 0]);
        assert_eq!(found(1, "annao"), [0; 0]);
        assert_eq!(found(1, "neilvp"), [0; 0]);
    }
}
