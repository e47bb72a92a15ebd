//! Free-text search as SQL conditions. [`lead_workspace_logic::search`] says what is found.

use lead_workspace_index::Table;
use lead_workspace_logic::search::Search;

use crate::store::sql::Conditions;

/// Adds a condition per word. SQLite limits the depth of AND chains; a request has far fewer words.
///
/// A text that has the word in any ASCII case has it when it is folded, too. So LIKE finds the same as
/// the `*_key` columns, and does not compute the lower case of every text, which would take half as long
/// again.
pub(super) fn add(search: &Search, table: Table, conditions: &mut Conditions) {
    let (texts, folded): (&[&str], _) = match table {
        Table::Leads => (&["l.name", "l.headline", "l.title", "l.company"], None),
        Table::Accounts => {
            let texts = &["a.name", "a.industry", "a.location"];
            (texts, Some("fold(a.network_username)"))
        }
    };
    for word in search.words() {
        let like = conditions.value(format!("%{}%", escaped(word)));
        let word = conditions.value(word.clone());
        let mut found = Vec::new();
        for text in texts {
            found.push(format!("{text} LIKE {like} ESCAPE '\\'"));
            found.push(format!("instr({text}_folded, {word}) > 0"));
        }
        found.extend(folded.map(|folded| format!("instr({folded}, {word}) > 0")));
        conditions.and(&format!("({})", found.join(" OR ")));
    }
}

/// Returns a word as a part of a LIKE pattern.
fn escaped(word: &str) -> String {
    let mut escaped = String::with_capacity(word.len());
    for letter in word.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
