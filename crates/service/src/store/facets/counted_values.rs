//! The values of a facet, counted by a column in memory.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use lead_workspace_logic::filter::Value;

use super::context::Context;
use super::facet_search::MatchingValues;
use super::facet_source::{FacetSource, ValueNames};
use crate::fold;
use crate::store::columns::{Column, ColumnId, Snapshot};
use crate::store::db::{Db, Value as Sql, params};
use crate::store::{StoreError, Tenant};

pub(super) struct CountedValues {
    column: Arc<Column>,
    /// The number of leads of each value, in the order of the dictionary.
    counts: Vec<u32>,
}

impl CountedValues {
    /// Counts the values; `None` if a column for that is not in memory.
    pub(super) fn read(
        snapshot: &Snapshot<'_>,
        source: &FacetSource,
        context: &Context,
    ) -> Result<Option<Self>, StoreError> {
        let id = ColumnId::find(source.table, source.column);
        let column = id.map(|id| snapshot.column(id)).transpose()?.flatten();
        let counted = context.counted(snapshot, source.own)?;
        Ok(column.zip(counted).map(|(column, counted)| Self {
            counts: column.counts(counted.set()),
            column,
        }))
    }

    /// Returns for each value whether it or its name contains `q`.
    pub(super) fn holding(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        names: ValueNames,
        q: &str,
    ) -> Result<Vec<bool>, StoreError> {
        let dictionary = &self.column.dictionary;
        if q.is_empty() {
            return Ok(vec![true; dictionary.len()]);
        }
        let each = |holds: &dyn Fn(Value) -> bool| {
            let values = (0..dictionary.len()).map(|at| holds(dictionary.value(at)));
            values.collect()
        };
        let folded = |value| match value {
            Value::Text(text) => fold(&text),
            _ => String::new(),
        };
        Ok(match names {
            ValueNames::Written(_) => dictionary.containing(q),
            ValueNames::Word => each(&|value| {
                let text = folded(value);
                text.contains(q) || text.replace('_', " ").contains(q)
            }),
            ValueNames::Table(table, id, name) => {
                let sql = format!(
                    "SELECT {id} FROM {table} WHERE tenant = ?1 AND instr(fold({name}), ?2) > 0"
                );
                let named: HashSet<String> =
                    db.rows(&sql, params![tenant.0, q], |row| row.get(0))?;
                each(&|value| match value {
                    Value::Text(text) => named.contains(&text) || fold(&text).contains(q),
                    _ => false,
                })
            }
            ValueNames::Account => {
                let sql = "SELECT id FROM accounts WHERE tenant = ?1
                           AND (instr(name_key, ?2) > 0 OR instr(fold(account_id), ?2) > 0)";
                let named: HashSet<i64> = db.rows(sql, params![tenant.0, q], |row| row.get(0))?;
                each(&|value| matches!(value, Value::Integer(id) if named.contains(&id)))
            }
        })
    }

    /// Returns the first row with each value, in the order of the rows.
    pub(super) fn first_rows(&self, values: &[&Sql]) -> Vec<i64> {
        let mut places: Vec<usize> = values
            .iter()
            .filter_map(|value| self.place(value))
            .collect();
        places.sort_unstable();
        self.column.first_rows(&places)
    }

    /// Returns the most frequent values of those that hold.
    pub(super) fn matching<'a>(
        &self,
        holds: &[bool],
        limit: usize,
        selected: impl Iterator<Item = &'a Sql>,
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
        let selected = selected.filter_map(|value| self.place(value));
        let selected: HashSet<usize> = selected.filter(is_matching).collect();
        let value = |at| match self.column.dictionary.value(at) {
            Value::Integer(number) => Sql::Integer(number),
            Value::Real(number) => Sql::Real(number),
            Value::Text(text) => Sql::Text(text),
        };
        let found = found.into_iter();
        MatchingValues {
            found: found
                .map(|(Reverse(count), at)| (value(at), i64::from(count)))
                .collect(),
            total,
            selected: selected.len() as u64,
        }
    }

    pub(super) fn count(&self, value: &Sql) -> i64 {
        let place = self.place(value);
        place.map_or(0, |at| i64::from(self.counts[at]))
    }

    /// Returns each value that leads have, with their number, in the order of the dictionary.
    pub(super) fn all(&self) -> impl Iterator<Item = (Value, u32)> {
        let counted = self.counts.iter().enumerate();
        let counted = counted.filter(|(_, count)| **count > 0);
        counted.map(|(at, count)| (self.column.dictionary.value(at), *count))
    }

    fn place(&self, value: &Sql) -> Option<usize> {
        let value = match value {
            Sql::Integer(number) => Value::Integer(*number),
            Sql::Real(number) => Value::Real(*number),
            Sql::Text(text) => Value::Text(text.clone()),
            Sql::Null | Sql::Blob(_) | Sql::List(_) => return None,
        };
        self.column.dictionary.position(&value)
    }
}
