//! Free-text search as SQL conditions. [`lead_workspace_logic::search`] says what is found.

use lead_workspace_logic::search;

use super::sql::Conditions;

/// The folded words of a search.
#[derive(Clone, Debug, Default)]
pub struct Search(Vec<String>);

impl Search {
    pub fn of(text: Option<&str>) -> Self {
        Self(search::Search::of(text).words().to_vec())
    }

    pub(super) fn words(&self) -> &[String] {
        &self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the conditions on leads: name, headline, title and company.
    pub(super) fn add_to_leads(&self, conditions: &mut Conditions) {
        let texts = ["l.name", "l.headline", "l.title", "l.company"];
        self.add(&texts, None, conditions);
    }

    /// Adds the conditions on accounts: name, industry, location and network_username.
    pub(super) fn add_to_accounts(&self, conditions: &mut Conditions) {
        let texts = ["a.name", "a.industry", "a.location"];
        self.add(&texts, Some("fold(a.network_username)"), conditions);
    }

    /// Adds a condition per word. SQLite limits the depth of AND chains; a request has far fewer words.
    ///
    /// A text that has the word in any ASCII case has it when it is folded, too. So LIKE finds the same as
    /// the `*_key` columns, and does not compute the lower case of every text, which would take half as long
    /// again.
    fn add(&self, texts: &[&str], folded: Option<&str>, conditions: &mut Conditions) {
        for word in &self.0 {
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
