//! Filters, search and pages, by columns in memory.

use std::cmp::Ordering;
use std::sync::Arc;

use lead_workspace_api::FieldKind;
use lead_workspace_logic::filter::{Interval, Predicate, Value};

use super::spec::{ACCOUNT_ROWS, Kind, STATUS};
use super::{Column, ColumnId, Snapshot, Table};
use crate::store::StoreError;
use crate::store::filter::{Filter, Filters};
use crate::store::row_set::RowSet;
use crate::store::search::Search;
use crate::store::sorted_page::{Part, Query, SortedPage};
use crate::store::sql::Conditions;

/// The columns that a search looks into.
const SEARCHED_LEADS: [ColumnId; 4] = [
    ColumnId("l.name_key"),
    ColumnId("l.headline_key"),
    ColumnId("l.title_key"),
    ColumnId("l.company_key"),
];
const SEARCHED_ACCOUNTS: [ColumnId; 4] = [
    ColumnId("a.name_key"),
    ColumnId("a.network_username"),
    ColumnId("a.industry_key"),
    ColumnId("a.location_key"),
];

impl Table {
    /// A column that every row has a value of.
    fn rows(self) -> ColumnId {
        match self {
            Self::Leads => STATUS,
            Self::Accounts => ACCOUNT_ROWS,
        }
    }

    fn searched(self) -> &'static [ColumnId] {
        match self {
            Self::Leads => &SEARCHED_LEADS,
            Self::Accounts => &SEARCHED_ACCOUNTS,
        }
    }

    /// The table with its alias in statements.
    pub(in crate::store) fn sql(self) -> (&'static str, &'static str) {
        match self {
            Self::Leads => ("leads l", "l"),
            Self::Accounts => ("accounts a", "a"),
        }
    }
}

impl Snapshot<'_> {
    /// Returns the rows that match; `None` if a column for that is not in memory.
    pub(in crate::store) fn matching(
        &self,
        table: Table,
        filters: &Filters,
        search: &Search,
    ) -> Result<Option<RowSet>, StoreError> {
        let needed = needed(table, filters, search);
        // All of them, so that one scan loads all that are missing.
        self.ask_for(&needed);
        let mut is_complete = true;
        for id in needed {
            is_complete &= self.column(id)?.is_some();
        }
        let rows = if is_complete {
            self.column(table.rows())?
        } else {
            None
        };
        let Some(rows) = rows else {
            return Ok(None);
        };
        let all = rows.rows_with(&vec![true; rows.dictionary.len()]);
        let mut matching = all.clone();
        for filter in filters.iter() {
            let Some(set) = self.filtered(table, filter, &all)? else {
                return Ok(None);
            };
            matching.intersect(&set);
        }
        if !search.is_empty() {
            let columns = table.searched().iter().map(|id| self.column(*id));
            let columns: Option<Vec<_>> = columns.collect::<Result<_, _>>()?;
            let Some(columns) = columns else {
                return Ok(None);
            };
            for word in search.words() {
                matching.intersect(&containing(&columns, word));
            }
        }
        Ok(Some(matching))
    }

    fn filtered(
        &self,
        table: Table,
        filter: &Filter,
        all: &RowSet,
    ) -> Result<Option<RowSet>, StoreError> {
        let Some(id) = filter.id else {
            // Its rows are few, and its column has an index.
            let (sql, alias) = table.sql();
            let mut conditions = Conditions::of(self.tenant, alias);
            Filters::from(filter.clone()).add_to(&mut conditions);
            return RowSet::read(self.connection.into(), sql, &conditions).map(Some);
        };
        let Some(column) = self.column(id)? else {
            return Ok(None);
        };
        let found = column.rows_with(&chosen(&column, filter));
        if !filter.negated {
            return Ok(Some(found));
        }
        let mut others = all.clone();
        others.subtract(&found);
        Ok(Some(others))
    }

    /// Returns part of the rows of a query, and how many there are; `None` if a column for that is not
    /// in memory.
    pub(in crate::store) fn page(
        &self,
        query: &Query,
        part: Part,
    ) -> Result<Option<SortedPage>, StoreError> {
        let sort = ColumnId(query.sort.column);
        let mut needed = needed(query.table, &query.filters, &query.search);
        needed.push(sort);
        self.ask_for(&needed);
        let column = self.column(sort)?;
        let matching = self.matching(query.table, &query.filters, &query.search)?;
        let (Some(column), Some(matching)) = (column, matching) else {
            return Ok(None);
        };
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let (offset, limit) = (number(part.offset), number(part.limit));
        let rows = column.page(&matching, query.sort.descending, offset, limit);
        Ok(Some(SortedPage {
            rows: rows.into_iter().map(|row| row as i64).collect(),
            total: matching.len() as u64,
        }))
    }
}

impl Query {
    /// Returns what has to change for other rows to match, or in another order; `None` if changes of
    /// that are not recorded. New and deleted rows are changes of every kind.
    pub(in crate::store) fn kind(&self) -> Option<Kind> {
        let mut kind = ColumnId(self.sort.column).kind();
        for filter in self.filters.iter() {
            kind = kind.or(filter.id?.kind());
        }
        if !self.search.is_empty() {
            let searched = self.table.searched().iter();
            kind = searched.fold(kind, |kind, id| kind.or(id.kind()));
        }
        Some(kind)
    }
}

/// Returns the columns that filters and a search need.
fn needed(table: Table, filters: &Filters, search: &Search) -> Vec<ColumnId> {
    let mut needed = vec![table.rows()];
    needed.extend(filters.iter().filter_map(|filter| filter.id));
    if !search.is_empty() {
        needed.extend(table.searched());
    }
    needed
}

/// Returns the rows in which one of the columns contains a word.
fn containing(columns: &[Arc<Column>], word: &str) -> RowSet {
    let mut found = RowSet::default();
    for column in columns {
        found.unite(&column.rows_with(&column.dictionary.containing(word)));
    }
    found
}

/// Returns for each value of a column whether a filter, not negated, accepts it.
fn chosen(column: &Column, filter: &Filter) -> Vec<bool> {
    let dictionary = &column.dictionary;
    let mut chosen = vec![false; dictionary.len()];
    match &filter.predicate {
        Predicate::Set => chosen.fill(true),
        Predicate::Is(values) => {
            for at in values.iter().filter_map(|value| dictionary.position(value)) {
                chosen[at] = true;
            }
        }
        Predicate::Within(intervals) if !filter.is_size => {
            for interval in intervals {
                let (from, to) = ends(column, interval);
                chosen[from.min(to)..to].fill(true);
            }
        }
        Predicate::Contains(part) if filter.kind == FieldKind::Text => {
            chosen = dictionary.containing(part);
        }
        predicate => {
            for (at, chosen) in chosen.iter_mut().enumerate() {
                let value = dictionary.value(at);
                *chosen = predicate.holds(filter.kind, filter.is_size, &value);
            }
        }
    }
    chosen
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
