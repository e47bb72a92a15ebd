//! Free-text search.
//!
//! spec: not shown; the text is split at white space, and every word must be a substring of the
//! lead's name, headline, title or company. Different words may match in different fields. Case,
//! accents and invisible characters do not matter. Accounts are searched by name, network_username, industry and location.

use std::collections::BTreeSet;

use crate::fold::fold;

/// The folded words of a search.
#[derive(Clone, Debug, Default)]
pub struct Search(Vec<String>);

impl Search {
    /// Splits a text into words. A missing or blank text has no words and restricts nothing.
    pub fn of(text: Option<&str>) -> Self {
        let folded = fold(text.unwrap_or_default());
        let words: BTreeSet<&str> = folded.split_whitespace().collect();
        Self(words.into_iter().map(str::to_owned).collect())
    }

    /// Returns the words, each once, in order.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// Returns whether every word is a substring of one of these folded texts.
    pub fn finds(&self, texts: &[impl AsRef<str>]) -> bool {
        let found = |word: &String| texts.iter().any(|text| text.as_ref().contains(word));
        self.0.iter().all(found)
    }
}
