//! The values of a field, with how many rows have each.

use std::cmp::Reverse;
use std::collections::HashSet;

use lead_workspace_api::AccountField;
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::folded_contains;

use crate::{Column, ColumnId, Columns, FacetContext, RowSet};

/// The counts of a field's values.
#[derive(Debug)]
pub struct CountedValues<'a> {
    columns: &'a Columns,
    column: &'a Column,
    /// The number of rows of each value, in the order of the dictionary.
    counts: Vec<u32>,
}

/// The most frequent of the values that match a search.
#[derive(Debug, Default)]
pub struct MatchingValues {
    pub found: Vec<(Value, u64)>,
    /// Number of all matching values.
    pub total: u64,
    /// Number of selected values that match.
    pub selected: u64,
}

impl<'a> CountedValues<'a> {
    /// Counts the values of a field within the leads of a context.
    pub fn of_leads(columns: &'a Columns, field: ColumnId, context: &FacetContext) -> Self {
        let leads = context.leads(field, columns);
        Self::new(columns, field, leads.as_ref())
    }

    /// Counts the values of a field within accounts.
    pub fn of_accounts(columns: &'a Columns, field: AccountField, accounts: &RowSet) -> Self {
        Self::new(columns, ColumnId::Account(field), Some(accounts))
    }

    fn new(columns: &'a Columns, id: ColumnId, rows: Option<&RowSet>) -> Self {
        let column = columns.get(id);
        Self {
            counts: column.counts(rows),
            columns,
            column,
        }
    }

    /// Returns the accounts whose name or id contains a folded text.
    pub(crate) fn accounts_named(&self, part: &str) -> RowSet {
        let [names, ids] = ColumnId::NAMES_OF_ACCOUNTS.map(|id| self.columns.get(id));
        let mut named = names.rows_with(&names.dictionary.containing(part));
        let is_found =
            |at| matches!(ids.dictionary.value(at), Value::Text(id) if folded_contains(&id, part));
        let found: Vec<bool> = (0..ids.dictionary.len()).map(is_found).collect();
        named.unite(&ids.rows_with(&found));
        named
    }

    /// Returns for each value whether it has a property.
    pub fn each(&self, has: impl Fn(&Value) -> bool) -> Vec<bool> {
        let dictionary = &self.column.dictionary;
        let values = (0..dictionary.len()).map(|at| has(&dictionary.value(at)));
        values.collect()
    }

    /// Returns for each value whether it contains a text.
    pub fn containing(&self, part: &str) -> Vec<bool> {
        self.column.dictionary.containing(part)
    }

    /// Returns the first row with each of some values, in the order of the rows.
    pub fn first_rows<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Vec<i64> {
        let places = values.into_iter().filter_map(|value| self.place(value));
        let places: HashSet<usize> = places.collect();
        self.column.first_rows(&places)
    }

    /// Returns the most frequent values of those that hold, which has an entry for each value. Values that are equally
    /// frequent are in their order.
    pub fn matching<'v>(
        &self,
        holds: &[bool],
        limit: usize,
        selected: impl IntoIterator<Item = &'v Value>,
    ) -> MatchingValues {
        let counted = self.counts.iter().zip(holds).enumerate();
        let counted = counted.filter(|(_, (count, holds))| **count > 0 && **holds);
        let mut found: Vec<_> = counted
            .map(|(at, (count, _))| (Reverse(*count), at))
            .collect();
        let total = found.len() as u64;
        if limit < found.len() {
            found.select_nth_unstable(limit);
            found.truncate(limit);
        }
        found.sort_unstable();
        let is_matching = |at: &usize| self.counts[*at] > 0 && holds[*at];
        let selected = selected.into_iter().filter_map(|value| self.place(value));
        let selected: HashSet<usize> = selected.filter(is_matching).collect();
        let found = found.into_iter();
        let value = |at| self.column.dictionary.value(at);
        MatchingValues {
            found: found
                .map(|(Reverse(count), at)| (value(at), u64::from(count)))
                .collect(),
            total,
            selected: selected.len() as u64,
        }
    }

    /// Returns how many rows have a value.
    pub fn count(&self, value: &Value) -> u64 {
        let place = self.place(value);
        place.map_or(0, |at| u64::from(self.counts[at]))
    }

    /// Returns each text that rows have, with their number, in the order of the texts.
    pub fn texts(&self) -> impl Iterator<Item = (String, u64)> {
        let counted = self.counts.iter().enumerate();
        let counted = counted.filter(|(_, count)| **count > 0);
        counted.filter_map(|(at, count)| match self.column.dictionary.value(at) {
            Value::Text(text) => Some((text, u64::from(*count))),
            _ => None,
        })
    }

    fn place(&self, value: &Value) -> Option<usize> {
        self.column.dictionary.position(value)
    }
}
