//! One page of row numbers, in order.
//!
//! Rows without a value come last in both directions; rows with equal values are ordered by their
//! number, in the direction of the sort, so that the order is total and pages never overlap.

use rusqlite::{Connection, params_from_iter};

use super::StoreError;
use super::sql::Conditions;

/// A table and the column it is sorted by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sort {
    /// The table with its alias, e.g. `leads l`.
    pub table: &'static str,
    /// The alias.
    pub alias: &'static str,
    /// The column.
    pub column: &'static str,
    /// An index that has the rows in this order.
    pub index: &'static str,
    /// The direction.
    pub descending: bool,
}

/// Which part of the sorted rows is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub offset: u64,
    pub limit: u64,
    /// Rows that the conditions leave.
    pub total: u64,
    /// Rows of the index that has the order.
    pub all: u64,
}

/// From this many rows on it pays to gather their numbers first.
const LONG_WALK: u64 = 5_000;

/// What looking at a row costs, in steps along an index (measured at 100,000 leads).
const ROW_COST: u64 = 6;

impl Slice {
    /// About how many rows a walk over the sorted index looks at: `all / total` for each it keeps.
    fn rows_walked(&self) -> u64 {
        let wanted = (self.offset + self.limit).min(self.total);
        wanted.saturating_mul(self.all) / self.total.max(1)
    }
}

impl Sort {
    /// The row numbers of a slice. `walked` are the conditions that the index itself answers; they
    /// stand at the beginning of `conditions`, so that the same placeholders stand for their values.
    pub(super) fn page(
        &self,
        connection: &Connection,
        conditions: &Conditions,
        walked: &Conditions,
        slice: Slice,
    ) -> Result<Vec<i64>, StoreError> {
        if slice.offset >= slice.total {
            return Ok(Vec::new());
        }
        if self.walks(slice) {
            self.walk(connection, conditions, walked, slice)
        } else {
            self.gather(connection, conditions, slice)
        }
    }

    /// Whether to walk. Gathering looks at every row that is left, and sorts them; a short walk
    /// looks at rows as well, a long one only at the index.
    fn walks(&self, slice: Slice) -> bool {
        let walked = slice.rows_walked();
        let gathered = slice.total;
        slice.total == slice.all
            || walked <= gathered
            || (walked >= LONG_WALK && walked <= gathered.saturating_mul(ROW_COST))
    }

    /// Walks the index of the sort column, first its rows with a value, then those without.
    fn walk(
        &self,
        connection: &Connection,
        conditions: &Conditions,
        walked: &Conditions,
        slice: Slice,
    ) -> Result<Vec<i64>, StoreError> {
        let limits = self.limits(conditions, walked, slice);
        let valued = self.walk_sql(&limits, true);
        let mut ids = run(connection, &valued, conditions, slice.limit, slice.offset)?;
        let missing = slice.limit - ids.len() as u64;
        if missing == 0 || slice.offset + (ids.len() as u64) >= slice.total {
            return Ok(ids);
        }
        let offset = if ids.is_empty() {
            let sql = format!(
                "SELECT count(*) FROM {} INDEXED BY {} WHERE {} AND {} IS NOT NULL",
                self.table, self.index, limits, self.column
            );
            let valued: i64 = connection
                .prepare(&sql)?
                .query_row(params_from_iter(conditions.values()), |row| row.get(0))?;
            slice.offset.saturating_sub(valued.unsigned_abs())
        } else {
            0
        };
        let empty = self.walk_sql(&limits, false);
        ids.extend(run(connection, &empty, conditions, missing, offset)?);
        Ok(ids)
    }

    /// What a walk asks of each row. A short walk looks at the rows themselves; a long one first
    /// gathers the numbers of all rows that are left, and then never leaves its part of the index.
    pub(super) fn limits(
        &self,
        conditions: &Conditions,
        walked: &Conditions,
        slice: Slice,
    ) -> String {
        let Self { table, alias, .. } = self;
        if slice.total == slice.all || slice.rows_walked() < LONG_WALK {
            return conditions.text().to_owned();
        }
        let (walked, covered) = (walked.text(), conditions.covered());
        format!("{walked} AND {alias}.id IN (SELECT {alias}.id FROM {table} WHERE {covered})")
    }

    /// The statement of a walk over the rows with a value, or over those without.
    pub(super) fn walk_sql(&self, limits: &str, valued: bool) -> String {
        let Self {
            table,
            alias,
            column,
            index,
            ..
        } = self;
        let dir = self.dir();
        let part = if valued { "IS NOT NULL" } else { "IS NULL" };
        format!(
            "SELECT {alias}.id FROM {table} INDEXED BY {index}
             WHERE {limits} AND {column} {part} ORDER BY {column} {dir}, {alias}.id {dir}"
        )
    }

    /// Finds the rows by their conditions and sorts them.
    fn gather(
        &self,
        connection: &Connection,
        conditions: &Conditions,
        slice: Slice,
    ) -> Result<Vec<i64>, StoreError> {
        let Self {
            table,
            alias,
            column,
            ..
        } = self;
        let dir = self.dir();
        let sql = format!(
            "SELECT {alias}.id FROM {table} WHERE {}
             ORDER BY +{column} IS NULL, +{column} {dir}, +{alias}.id {dir}",
            conditions.covered()
        );
        run(connection, &sql, conditions, slice.limit, slice.offset)
    }

    fn dir(&self) -> &'static str {
        if self.descending { "DESC" } else { "ASC" }
    }
}

fn run(
    connection: &Connection,
    sql: &str,
    conditions: &Conditions,
    limit: u64,
    offset: u64,
) -> Result<Vec<i64>, StoreError> {
    let mut conditions = conditions.clone();
    let limit = conditions.value(limit.cast_signed());
    let offset = conditions.value(offset.cast_signed());
    let sql = format!("{sql} LIMIT {limit} OFFSET {offset}");
    // Composed for this query: kept, it would only push out what is used again.
    let mut statement = connection.prepare(&sql)?;
    let ids = statement.query_map(params_from_iter(conditions.values()), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}
