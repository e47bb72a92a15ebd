//! One page of row numbers, in sort order.
//!
//! Rows without a value come last in both directions. Rows with equal values are ordered by row
//! number, in the direction of the sort, so the order is total and pages never overlap.

use super::columns::Table;
use super::db::Db;
use super::filter::Filters;
use super::search::Search;
use super::sql::Conditions;
use super::{StoreError, Tenant};

/// What a page is a part of: the rows that match, in order.
#[derive(Debug)]
pub(super) struct Query {
    pub table: Table,
    pub filters: Filters,
    pub search: Search,
    pub sort: Sort,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sort {
    /// The column with the alias of its table, e.g. `l.name_key`.
    pub column: &'static str,
    pub descending: bool,
}

/// A part of the rows that match: how many to skip, and how many there are at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Part {
    pub offset: u64,
    pub limit: u64,
}

/// A page of row numbers in order, and the number of all rows that match.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SortedPage {
    pub rows: Vec<i64>,
    pub total: u64,
}

impl Part {
    /// Returns the part of a page; pages are numbered from 1.
    pub(super) fn of(page: u32, page_size: u32) -> Self {
        let limit = u64::from(page_size);
        Self {
            offset: u64::from(page.saturating_sub(1)) * limit,
            limit,
        }
    }
}

impl Query {
    /// Reads a part of the rows in SQL.
    pub(super) fn read(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        part: Part,
    ) -> Result<SortedPage, StoreError> {
        let mut conditions = self.conditions(tenant);
        let total = self.total(db, &conditions)?;
        let mut sql = self.sql(&conditions);
        let limit = conditions.value(part.limit.cast_signed());
        let offset = conditions.value(part.offset.cast_signed());
        sql.push_str(&format!(" LIMIT {limit} OFFSET {offset}"));
        let rows = db.rows(&sql, &conditions.values(), |row| row.get(0))?;
        Ok(SortedPage { rows, total })
    }

    pub(super) fn conditions(&self, tenant: Tenant) -> Conditions {
        let mut conditions = Conditions::of(tenant, self.table.sql().1);
        self.filters.add_to(&mut conditions);
        match self.table {
            Table::Leads => self.search.add_to_leads(&mut conditions),
            Table::Accounts => self.search.add_to_accounts(&mut conditions),
        }
        conditions
    }

    /// Returns the SQL for all rows.
    pub(super) fn sql(&self, conditions: &Conditions) -> String {
        let (table, alias) = self.table.sql();
        let Sort { column, descending } = self.sort;
        let dir = if descending { "DESC" } else { "ASC" };
        format!(
            "SELECT {alias}.id FROM {table} WHERE {}
             ORDER BY {column} {dir} NULLS LAST, {alias}.id {dir}",
            conditions.text()
        )
    }

    /// Counts the rows; if the status alone decides, by the counts that the store keeps.
    fn total(&self, db: Db<'_>, conditions: &Conditions) -> Result<u64, StoreError> {
        let is_kept = self.table == Table::Leads
            && self.search.is_empty()
            && self.filters.only_on("l.approval_status");
        let (count, table) = if is_kept {
            (
                "CAST(coalesce(sum(l.leads), 0) AS bigint)",
                "status_counts l",
            )
        } else {
            ("count(*)", self.table.sql().0)
        };
        let sql = format!("SELECT {count} FROM {table} WHERE {}", conditions.text());
        let total: i64 = db.value(&sql, &conditions.values())?;
        Ok(total.unsigned_abs())
    }
}
