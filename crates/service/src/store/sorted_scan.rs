//! One page of row numbers, in sort order.
//!
//! Rows without a value come last in both directions. Rows with equal values are ordered by row
//! number, in the direction of the sort, so the order is total and pages never overlap.

use rusqlite::{Connection, params_from_iter};

use super::StoreError;
use super::sql::Conditions;

#[derive(Clone, Copy, Debug)]
pub(super) struct Sort {
    /// The table with its alias, e.g. `leads l`.
    pub table: &'static str,
    pub alias: &'static str,
    pub column: &'static str,
    /// An index with the rows in this order.
    pub index: &'static str,
    pub descending: bool,
}

/// The requested part of the sorted rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub offset: u64,
    pub limit: u64,
    /// Number of rows that match the conditions.
    pub total: u64,
    /// Number of rows in the scanned part of the index.
    pub all: u64,
}

/// From this many scanned rows on, it is faster to collect the matching row numbers first.
const LONG_SCAN: u64 = 5_000;

/// Cost of reading a table row, in index steps (measured with 100,000 leads).
const ROW_COST: u64 = 6;

impl Slice {
    /// Estimates how many rows an index scan visits: `all / total` for each matching row.
    fn rows_scanned(&self) -> u64 {
        let wanted = (self.offset + self.limit).min(self.total);
        wanted.saturating_mul(self.all) / self.total.max(1)
    }
}

impl Sort {
    /// Returns the row numbers of a slice.
    ///
    /// `scanned` are the conditions that the index itself answers. They must be the beginning of
    /// `conditions`, so that the placeholders match.
    pub(super) fn page(
        &self,
        connection: &Connection,
        conditions: &Conditions,
        scanned: &Conditions,
        slice: Slice,
    ) -> Result<Vec<i64>, StoreError> {
        if slice.offset >= slice.total {
            return Ok(Vec::new());
        }
        if self.prefers_scan(slice) {
            self.scan(connection, conditions, scanned, slice)
        } else {
            self.collect_and_sort(connection, conditions, slice)
        }
    }

    /// Returns whether to scan the sort index instead of collecting and sorting.
    ///
    /// Collecting reads and sorts every matching row. A short scan also reads rows, a long one only
    /// the index.
    fn prefers_scan(&self, slice: Slice) -> bool {
        let scanned = slice.rows_scanned();
        let collected = slice.total;
        slice.total == slice.all
            || scanned <= collected
            || (scanned >= LONG_SCAN && scanned <= collected.saturating_mul(ROW_COST))
    }

    /// Scans the index of the sort column, first the rows with a value, then those without.
    fn scan(
        &self,
        connection: &Connection,
        conditions: &Conditions,
        scanned: &Conditions,
        slice: Slice,
    ) -> Result<Vec<i64>, StoreError> {
        let scan_conditions = self.scan_conditions(conditions, scanned, slice);
        let valued = self.scan_sql(&scan_conditions, true);
        let mut ids = run(connection, &valued, conditions, slice.limit, slice.offset)?;
        let missing = slice.limit - ids.len() as u64;
        if missing == 0 || slice.offset + (ids.len() as u64) >= slice.total {
            return Ok(ids);
        }
        let offset = if ids.is_empty() {
            let sql = format!(
                "SELECT count(*) FROM {} INDEXED BY {} WHERE {} AND {} IS NOT NULL",
                self.table, self.index, scan_conditions, self.column
            );
            let valued: i64 = connection
                .prepare(&sql)?
                .query_row(params_from_iter(conditions.values()), |row| row.get(0))?;
            slice.offset.saturating_sub(valued.unsigned_abs())
        } else {
            0
        };
        let empty = self.scan_sql(&scan_conditions, false);
        ids.extend(run(connection, &empty, conditions, missing, offset)?);
        Ok(ids)
    }

    /// Returns the WHERE clause of a scan.
    ///
    /// A short scan reads the rows themselves. A long one first collects the numbers of all
    /// matching rows and then reads only its part of the index.
    pub(super) fn scan_conditions(
        &self,
        conditions: &Conditions,
        scanned: &Conditions,
        slice: Slice,
    ) -> String {
        let Self { table, alias, .. } = self;
        if slice.total == slice.all || slice.rows_scanned() < LONG_SCAN {
            return conditions.text().to_owned();
        }
        let (scanned, covered) = (scanned.text(), conditions.covered());
        format!("{scanned} AND {alias}.id IN (SELECT {alias}.id FROM {table} WHERE {covered})")
    }

    /// Returns the statement that scans the rows with a value, or those without.
    pub(super) fn scan_sql(&self, scan_conditions: &str, valued: bool) -> String {
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
             WHERE {scan_conditions} AND {column} {part} ORDER BY {column} {dir}, {alias}.id {dir}"
        )
    }

    /// Finds the rows by their conditions and sorts them.
    fn collect_and_sort(
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
    // Not cached: the statement is specific to this query and would evict reusable ones.
    let mut statement = connection.prepare(&sql)?;
    let ids = statement.query_map(params_from_iter(conditions.values()), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}
