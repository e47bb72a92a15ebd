//! The filters of a query. [`lead_workspace_logic::filter`] says what they match.

use std::cmp::Ordering;

use lead_workspace_api::{AccountField, ErrorEntry, FieldKind, FilterSpec, LeadField};
use lead_workspace_logic::filter::{self, FilterField, Interval, Predicate, Value};

use crate::{Column, ColumnId, Columns, RowSet};

/// Validated filters. All of them have to match.
#[derive(Clone, Debug, Default)]
pub struct Filters(Vec<Filter>);

/// One filter.
#[derive(Clone, Debug)]
pub struct Filter {
    pub column: ColumnId,
    pub kind: FieldKind,
    /// Whether the values are sizes, which are ordered by their lower bound.
    pub is_size: bool,
    pub predicate: Predicate,
    /// Whether rows match that the predicate does not match.
    pub negated: bool,
}

impl Filters {
    /// Validates the filters of a leads query.
    ///
    /// # Errors
    /// Every unknown field and every value that does not fit its field, with its location.
    pub fn of_leads(specs: &[FilterSpec]) -> Result<Self, Vec<ErrorEntry>> {
        read::<LeadField>(specs, ColumnId::Lead)
    }

    /// Validates the filters of an accounts query.
    ///
    /// # Errors
    /// Same as [`of_leads`](Self::of_leads).
    pub fn of_accounts(specs: &[FilterSpec]) -> Result<Self, Vec<ErrorEntry>> {
        read::<AccountField>(specs, ColumnId::Account)
    }

    /// Returns both filters together.
    #[must_use]
    pub fn and(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    /// Returns whether there is no filter.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns each filter.
    pub fn iter(&self) -> impl Iterator<Item = &Filter> {
        self.0.iter()
    }
}

fn read<F: FilterField>(
    specs: &[FilterSpec],
    column: fn(F) -> ColumnId,
) -> Result<Filters, Vec<ErrorEntry>> {
    let filters = filter::read::<F>(specs)?.into_iter().map(|filter| Filter {
        column: column(filter.field),
        kind: filter.field.kind(),
        is_size: filter.field.is_size(),
        predicate: filter.predicate,
        negated: filter.negated,
    });
    Ok(Filters(filters.collect()))
}

impl Filter {
    /// Returns the columns that it needs.
    pub(crate) fn columns(&self) -> impl Iterator<Item = ColumnId> {
        let ids = self.is_on_account().then_some(ColumnId::AccountId);
        [self.column].into_iter().chain(ids)
    }

    fn is_on_account(&self) -> bool {
        self.column == ColumnId::Lead(LeadField::AccountId)
    }

    /// Returns the rows that match, of all.
    pub(crate) fn rows(&self, columns: &Columns, all: &RowSet) -> RowSet {
        let column = columns.get(self.column);
        let found = if self.is_on_account() {
            // The filter is on the id of the account, and the column has its row number.
            let accounts = columns.get(ColumnId::AccountId);
            let accounts = accounts.rows_with(&self.chosen(accounts));
            let numbers = (0..column.dictionary.len()).map(|at| column.dictionary.value(at));
            let is_chosen = |number| match number {
                Value::Integer(number) => {
                    usize::try_from(number).is_ok_and(|row| accounts.contains(row))
                }
                _ => false,
            };
            column.rows_with(&numbers.map(is_chosen).collect::<Vec<_>>())
        } else {
            column.rows_with(&self.chosen(column))
        };
        if !self.negated {
            return found;
        }
        let mut others = all.clone();
        others.subtract(&found);
        others
    }

    /// Returns for each value of a column whether the predicate matches it.
    fn chosen(&self, column: &Column) -> Vec<bool> {
        let dictionary = &column.dictionary;
        let mut chosen = vec![false; dictionary.len()];
        match &self.predicate {
            Predicate::Set => chosen.fill(true),
            Predicate::Is(values) => {
                for at in values.iter().filter_map(|value| dictionary.position(value)) {
                    chosen[at] = true;
                }
            }
            Predicate::Within(intervals) if !self.is_size => {
                for interval in intervals {
                    let (from, to) = ends(column, interval);
                    chosen[from.min(to)..to].fill(true);
                }
            }
            Predicate::Contains(part) if self.kind == FieldKind::Text => {
                chosen = dictionary.containing(part);
            }
            predicate => {
                for (at, chosen) in chosen.iter_mut().enumerate() {
                    let value = dictionary.value(at);
                    *chosen = predicate.holds(self.kind, self.is_size, &value);
                }
            }
        }
        chosen
    }
}

/// Returns the place of the first value in an interval, and of the first one after it.
fn ends(column: &Column, interval: &Interval) -> (usize, usize) {
    let place = |end: &Option<Value>, after: bool, otherwise: usize| {
        let before = if after {
            Ordering::is_le
        } else {
            Ordering::is_lt
        };
        let end = end.as_ref();
        end.map_or(otherwise, |end| column.dictionary.first_after(before, end))
    };
    (
        place(&interval.from, interval.after, 0),
        place(&interval.to, !interval.before, column.dictionary.len()),
    )
}
