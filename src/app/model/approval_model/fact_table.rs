//! The known facts and their numbers. A model has one weight for each number.

use super::lead_facts::{FactKind, LeadFact};

/// The kinds of facts that have levels only: the number of their lowest level, and how many levels
/// they have. They come before all other facts. Number 0 stands for every lead.
pub(super) const LEVELS: [(FactKind, u32, u32); 3] = [
    (FactKind::Score, 1, 21),
    (FactKind::Size, 22, 10),
    (FactKind::Seniority, 32, 9),
];

/// The number of the first fact that has a text.
pub(super) const FIRST_TEXT: u32 = 41;

/// Facts with a text, numbered from [`FIRST_TEXT`] in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(super) struct FactTable {
    facts: Vec<LeadFact>,
    /// Indices of `facts`, sorted by fact.
    sorted: Vec<u32>,
}

impl FactTable {
    /// Returns the number of a fact, and adds the fact if it is new.
    pub fn add(&mut self, fact: &LeadFact) -> u32 {
        self.find(fact).unwrap_or_else(|at| {
            let index = self.facts.len() as u32;
            self.facts.push(fact.clone());
            self.sorted.insert(at, index);
            FIRST_TEXT + index
        })
    }

    /// Returns the number of a known fact.
    pub fn number(&self, fact: &LeadFact) -> Option<u32> {
        self.find(fact).ok()
    }

    /// Returns the fact with a number, if it has a text.
    pub fn fact(&self, number: u32) -> Option<&LeadFact> {
        self.facts.get(number.checked_sub(FIRST_TEXT)? as usize)
    }

    /// Returns how many numbers there are.
    pub fn numbers(&self) -> usize {
        FIRST_TEXT as usize + self.facts.len()
    }

    fn find(&self, fact: &LeadFact) -> Result<u32, usize> {
        if let Some((_, first, levels)) = LEVELS.iter().find(|(kind, ..)| *kind == fact.kind) {
            return Ok(first + u32::from(fact.level).min(levels - 1));
        }
        let of = |index: &u32| &self.facts[*index as usize];
        let found = self.sorted.binary_search_by(|index| of(index).cmp(fact));
        found.map(|at| FIRST_TEXT + self.sorted[at])
    }
}
