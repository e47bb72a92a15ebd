//! The filters of a query. [`lead_workspace_logic::filter`] says what they match.

use std::cmp::Ordering;

use lead_workspace_api::{AccountField, ErrorEntry, FieldKind, FilterSpec, LeadField};
use lead_workspace_logic::custom::{KINDS, section};
use lead_workspace_logic::filter::{
    self, Bounded, Example, Field, FilterField, Form, Interval, Predicate, Value,
};

use crate::{Column, ColumnId, Columns, CustomKeys, RowSet};

/// Validated filters. All of them have to match.
#[derive(Clone, Debug, Default)]
pub struct Filters(Vec<Filter>);

/// One filter.
#[derive(Clone, Debug)]
pub struct Filter {
    pub column: ColumnId,
    pub form: Form,
    pub predicate: Predicate,
    /// Whether rows match that the predicate does not match.
    pub negated: bool,
    /// What has to be checked when the values of a custom field are known.
    bounded: Option<Bounded>,
}

impl Filters {
    /// Validates the filters of a leads query.
    ///
    /// # Errors
    /// Every unknown field and every value that does not fit its field, with its location.
    pub fn of_leads(specs: &[FilterSpec], keys: &CustomKeys) -> Result<Self, Vec<ErrorEntry>> {
        read::<LeadField>(specs, ColumnId::Lead, keys)
    }

    /// Validates the filters of an accounts query.
    ///
    /// # Errors
    /// Same as [`of_leads`](Self::of_leads).
    pub fn of_accounts(specs: &[FilterSpec]) -> Result<Self, Vec<ErrorEntry>> {
        read::<AccountField>(specs, ColumnId::Account, &CustomKeys::default())
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

    /// Returns the problems that depend on the values of custom fields.
    ///
    /// # Errors
    /// Every bound that is not of the kind of its field.
    pub(crate) fn check(&self, columns: &Columns) -> Result<(), Vec<ErrorEntry>> {
        let checks = self.0.iter().filter_map(|filter| {
            let column = columns.get(filter.column);
            filter.bounded.as_ref()?.problem(&column.examples())
        });
        let problems: Vec<ErrorEntry> = checks.collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }

    /// Returns each filter.
    pub fn iter(&self) -> impl Iterator<Item = &Filter> {
        self.0.iter()
    }
}

fn read<F: FilterField>(
    specs: &[FilterSpec],
    column: fn(F) -> ColumnId,
    keys: &CustomKeys,
) -> Result<Filters, Vec<ErrorEntry>> {
    let filters = filter::read::<F>(specs)?.into_iter().enumerate();
    let filters = filters.map(|(index, filter)| {
        let loc = ["body", "filters", &index.to_string(), "field"];
        Ok(Filter {
            form: filter.field.form(),
            column: match filter.field {
                Field::Known(field) => column(field),
                Field::Custom(key) => keys.column(&key, &loc)?,
            },
            predicate: filter.predicate,
            negated: filter.negated,
            bounded: filter.bounded,
        })
    });
    Ok(Filters(filters.collect::<Result<_, Vec<ErrorEntry>>>()?))
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
            Predicate::Within(intervals) if self.form != Form::Size => {
                for interval in intervals {
                    let (from, to) = column.ends(interval);
                    chosen[from.min(to)..to].fill(true);
                }
            }
            Predicate::Contains(part)
                if matches!(self.form, Form::Custom | Form::Field(FieldKind::Text)) =>
            {
                chosen = dictionary.containing(part);
            }
            predicate => {
                for (at, chosen) in chosen.iter_mut().enumerate() {
                    let value = dictionary.value(at);
                    *chosen = predicate.holds(self.form, &value);
                }
            }
        }
        chosen
    }
}

impl Column {
    /// Returns the place of the first value in an interval, and of the first one after it.
    fn ends(&self, interval: &Interval) -> (usize, usize) {
        let place = |end: &Option<Value>, after: bool, otherwise: usize| {
            let before = if after {
                Ordering::is_le
            } else {
                Ordering::is_lt
            };
            let end = end.as_ref();
            end.map_or(otherwise, |end| self.dictionary.first_after(before, end))
        };
        (
            place(&interval.from, interval.after, 0),
            place(&interval.to, !interval.before, self.dictionary.len()),
        )
    }

    /// Returns the first value of each kind that rows have, of a custom field.
    fn examples(&self) -> Vec<Example> {
        let counts = self.counts(None);
        let example = |kind| {
            let (from, to) = self.ends(&section(kind));
            let used = (from..to).find(|at| counts[*at] > 0);
            used.map(|at| (kind, self.dictionary.value(at)))
        };
        KINDS.into_iter().filter_map(example).collect()
    }
}
