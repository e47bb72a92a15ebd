//! Free-text search as SQL conditions. [`lead_workspace_logic::search`] says what is found.

use lead_workspace_logic::search;

use super::Tenant;
use super::search_terms::{SHORTEST, search_terms};
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

    /// Adds the conditions on leads, after those of the filters: long words use the search index,
    /// short ones scan every text.
    pub(super) fn add_to_leads(&self, tenant: Tenant, conditions: &mut Conditions) {
        let (long, short): (Vec<_>, Vec<_>) = self
            .0
            .iter()
            .partition(|word| word.chars().count() >= SHORTEST);
        if !long.is_empty() {
            let quoted: Vec<String> = long
                .iter()
                .map(|word| format!("\"{}\"", search_terms(tenant.0, word)))
                .collect();
            let value = conditions.value(quoted.join(" AND "));
            conditions.and(&format!(
                "l.id IN (SELECT rowid FROM leads_search WHERE leads_search MATCH {value})"
            ));
        }
        for plain in each_word(&short, conditions, |word| {
            format!("instr(l.search_key, {word}) > 0")
        }) {
            if long.is_empty() && conditions.is_narrow() {
                let covered = format!(
                    "+l.id IN (SELECT l.id FROM leads l INDEXED BY leads_by_search
                       WHERE l.tenant = ?1 AND {plain})"
                );
                conditions.and_either(&plain, &covered);
            } else {
                conditions.and(&plain);
            }
        }
    }

    /// Adds the conditions on accounts, a small table: name, network_username, industry and
    /// location.
    pub(super) fn add_to_accounts(&self, conditions: &mut Conditions) {
        let words: Vec<&String> = self.0.iter().collect();
        for condition in each_word(&words, conditions, |word| {
            format!(
                "(instr(a.name_key, {word}) OR instr(a.industry_key, {word})
                  OR instr(a.location_key, {word}) OR instr(fold(a.network_username), {word}))"
            )
        }) {
            conditions.and(&condition);
        }
    }
}

/// Returns one condition per word. SQLite limits the depth of AND chains; a request has far fewer
/// words.
fn each_word(
    words: &[&String],
    conditions: &mut Conditions,
    found: impl Fn(&str) -> String,
) -> Vec<String> {
    let each = words
        .iter()
        .map(|word| found(&conditions.value(word.to_string())));
    each.collect()
}
