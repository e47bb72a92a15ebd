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
        let columns = [
            "l.name_key",
            "l.headline_key",
            "l.title_key",
            "l.company_key",
        ];
        self.add(&columns, conditions);
    }

    /// Adds the conditions on accounts: name, network_username, industry and location.
    pub(super) fn add_to_accounts(&self, conditions: &mut Conditions) {
        let columns = [
            "a.name_key",
            "a.industry_key",
            "a.location_key",
            "fold(a.network_username)",
        ];
        self.add(&columns, conditions);
    }

    /// Adds a condition per word. SQLite limits the depth of AND chains; a request has far fewer words.
    fn add(&self, columns: &[&str], conditions: &mut Conditions) {
        for word in &self.0 {
            let word = conditions.value(word.clone());
            let found = columns
                .iter()
                .map(|column| format!("instr({column}, {word}) > 0"));
            let found = found.collect::<Vec<_>>().join(" OR ");
            conditions.and(&format!("({found})"));
        }
    }
}
