//! One page of row numbers, in sort order.
//!
//! Rows without a value come last in both directions. Rows with equal values are ordered by row
//! number, in the direction of the sort, so the order is total and pages never overlap.

use super::StoreError;
use super::db::Db;
use super::sql::Conditions;

#[derive(Clone, Copy, Debug)]
pub(super) struct Sort {
    /// The table with its alias, e.g. `leads l`.
    pub table: &'static str,
    pub alias: &'static str,
    pub column: &'static str,
    pub descending: bool,
}

/// A page of row numbers in order, and the number of all rows that match.
pub(super) struct SortedPage {
    pub rows: Vec<i64>,
    pub total: u64,
}

impl Sort {
    /// Returns part of the rows that match.
    ///
    /// If their number is not known, all of them are read: a separate count would scan the same rows.
    pub(super) fn page(
        &self,
        db: Db<'_>,
        conditions: &Conditions,
        known_total: Option<u64>,
        (offset, limit): (u64, u64),
    ) -> Result<SortedPage, StoreError> {
        let mut conditions = conditions.clone();
        let mut sql = self.sql(&conditions);
        if known_total.is_some() {
            let limit = conditions.value(limit.cast_signed());
            let offset = conditions.value(offset.cast_signed());
            sql.push_str(&format!(" LIMIT {limit} OFFSET {offset}"));
        }
        let rows: Vec<i64> = db.rows(&sql, &conditions.values(), |row| row.get(0))?;
        if let Some(total) = known_total {
            return Ok(SortedPage { rows, total });
        }
        let total = rows.len() as u64;
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let page = rows.into_iter().skip(number(offset)).take(number(limit));
        Ok(SortedPage {
            rows: page.collect(),
            total,
        })
    }

    pub(super) fn sql(&self, conditions: &Conditions) -> String {
        let Self {
            table,
            alias,
            column,
            descending,
        } = self;
        let dir = if *descending { "DESC" } else { "ASC" };
        format!(
            "SELECT {alias}.id FROM {table} WHERE {}
             ORDER BY {column} {dir} NULLS LAST, {alias}.id {dir}",
            conditions.text()
        )
    }
}
