//! Free-text search.
//!
//! spec: not shown; the text is split at white space and every word must be part of the lead's
//! name, headline, title or company (of one of them; another word may be found in another). Case
//! and accents do not matter.

use super::sql::Conditions;
use crate::fold::fold;

/// The trigram index holds nothing shorter.
const TRIGRAM: usize = 3;

/// The words of a search, folded.
#[derive(Clone, Debug, Default)]
pub struct Search(Vec<String>);

impl Search {
    /// Takes the text apart. Nothing, or only white space, searches for nothing.
    pub fn of(text: Option<&str>) -> Self {
        let folded = fold(text.unwrap_or_default());
        // A NUL ends the text of an FTS query early.
        let words = folded.split(|letter: char| letter.is_whitespace() || letter == '\0');
        Self(
            words
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// On leads: longer words by the trigram index, shorter ones by looking at every text. They come
    /// after the filters.
    pub(super) fn add_to_leads(&self, conditions: &mut Conditions) {
        let (long, short): (Vec<_>, Vec<_>) = self
            .0
            .iter()
            .partition(|word| word.chars().count() >= TRIGRAM);
        if !long.is_empty() {
            let quoted: Vec<String> = long
                .iter()
                .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
                .collect();
            let value = conditions.value(quoted.join(" AND "));
            conditions.and(&format!(
                "l.id IN (SELECT rowid FROM leads_search WHERE leads_search MATCH {value})"
            ));
        }
        for word in short {
            let value = conditions.value(word.clone());
            let plain = format!("instr(l.search_key, {value}) > 0");
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

    /// On accounts, of which there are few: name, network_username, industry and location.
    pub(super) fn add_to_accounts(&self, conditions: &mut Conditions) {
        for word in &self.0 {
            let value = conditions.value(word.clone());
            conditions.and(&format!(
                "(instr(a.name_key, {value}) OR instr(a.industry_key, {value})
                  OR instr(a.location_key, {value}) OR instr(fold(a.network_username), {value}))"
            ));
        }
    }
}
