//! Which rows a query finds, and their order.

use lead_workspace_api::{
    AccountField, AccountQuery, ErrorEntry, FilterSpec, LeadQuery, SortDir, filter,
};
use lead_workspace_logic::search::Search;

use crate::{ChangeKind, Column, ColumnId, Columns, CustomKeys, Filters, RowSet, Table};

/// What a page is a part of: the rows that match, in order.
///
/// Rows without a value of the sort come last in both directions. Rows with equal values are ordered by row number,
/// in the direction of the sort, so the order is total and pages never overlap.
#[derive(Clone, Debug)]
pub struct Query {
    pub table: Table,
    pub filters: Filters,
    pub search: Search,
    pub sort: Sort,
}

/// What rows are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub column: ColumnId,
    pub descending: bool,
}

/// A part of the rows that match: how many to skip, and how many there are at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    pub offset: u64,
    pub limit: u64,
}

/// A part of the rows in order, and the number of all rows that match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub rows: Vec<i64>,
    pub total: u64,
}

impl Part {
    /// All rows.
    pub const ALL: Self = Self {
        offset: 0,
        limit: u64::MAX,
    };

    /// Returns the part of a page; pages are numbered from 1.
    pub fn of(page: u32, page_size: u32) -> Self {
        let limit = u64::from(page_size);
        Self {
            offset: u64::from(page.saturating_sub(1)) * limit,
            limit,
        }
    }
}

impl Page {
    /// Returns whether more rows match after this part of them.
    pub fn has_more(&self, part: Part) -> bool {
        part.offset.saturating_add(self.rows.len() as u64) < self.total
    }
}

impl Query {
    /// Returns the query of a list of leads.
    ///
    /// # Errors
    /// Every invalid filter with its location, or that leads cannot be sorted by a custom field.
    pub fn of_leads(query: &LeadQuery, keys: &CustomKeys) -> Result<Self, Vec<ErrorEntry>> {
        let sort = keys.sort_of_leads(&query.sort_by);
        Ok(Self {
            table: Table::Leads,
            filters: Filters::of_leads(&query.filters, keys)?,
            search: Search::of(query.search.as_deref()),
            sort: Sort {
                column: sort?,
                descending: query.sort_dir == SortDir::Desc,
            },
        })
    }

    /// Returns the query of a list of accounts.
    ///
    /// # Errors
    /// None in practice: the query's own parameters are valid filters.
    pub fn of_accounts(filters: Filters, query: &AccountQuery) -> Result<Self, Vec<ErrorEntry>> {
        let promoted =
            (!query.include_unpromoted).then(|| filter(AccountField::IsPromoted).eq(true));
        let list = query.list_id.as_ref();
        let in_list = list.map(|id| filter(AccountField::ListId).eq(id.as_str()));
        let own: Vec<FilterSpec> = promoted.into_iter().chain(in_list).collect();
        Ok(Self {
            table: Table::Accounts,
            filters: filters.and(Filters::of_accounts(&own)?),
            search: Search::of(query.search.as_deref()),
            sort: Sort {
                column: ColumnId::sort_of_accounts(query.sort_by),
                descending: query.sort_dir == SortDir::Desc,
            },
        })
    }

    /// Returns the columns that [`rows`](Self::rows) needs.
    pub fn columns_of_rows(&self) -> Vec<ColumnId> {
        let mut needed = vec![self.table.rows()];
        needed.extend(self.filters.iter().flat_map(|filter| filter.columns()));
        if !self.search.words().is_empty() {
            needed.extend(self.table.searched());
        }
        needed
    }

    /// Returns the columns that [`page`](Self::page) needs.
    pub fn columns(&self) -> Vec<ColumnId> {
        let mut needed = self.columns_of_rows();
        needed.push(self.sort.column);
        needed
    }

    /// Returns what has to change for other rows to match, or in another order. New and deleted rows are changes of
    /// every kind.
    pub fn changed_by(&self) -> ChangeKind {
        let kinds = self.columns().into_iter().skip(1);
        // Every row has a value of the first column, and which one does not matter.
        let kinds = kinds.map(ColumnId::changed_by);
        kinds.reduce(ChangeKind::or).unwrap_or(ChangeKind::ALL)
    }

    /// Returns the rows that match.
    ///
    /// # Errors
    /// What is wrong with a filter because of the values of a custom field.
    pub fn rows(&self, columns: &Columns) -> Result<RowSet, Vec<ErrorEntry>> {
        self.filters.check(columns)?;
        let rows = columns.get(self.table.rows());
        let all = rows.rows_with(&vec![true; rows.dictionary.len()]);
        let mut matching = all.clone();
        for filter in self.filters.iter() {
            matching.intersect(&filter.rows(columns, &all));
        }
        if !self.search.words().is_empty() {
            let searched = self.table.searched().map(|id| columns.get(id));
            for word in self.search.words() {
                matching.intersect(&containing(searched, word));
            }
        }
        Ok(matching)
    }

    /// Returns part of the rows in order, and how many there are.
    ///
    /// # Errors
    /// Same as [`rows`](Self::rows).
    pub fn page(&self, columns: &Columns, part: Part) -> Result<Page, Vec<ErrorEntry>> {
        let matching = self.rows(columns)?;
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let (offset, limit) = (number(part.offset), number(part.limit));
        let sort = columns.get(self.sort.column);
        let rows = sort.page(&matching, self.sort.descending, offset, limit);
        Ok(Page {
            rows: rows.into_iter().map(|row| row as i64).collect(),
            total: matching.len() as u64,
        })
    }
}

/// Returns the rows in which one of the columns contains a word.
fn containing(columns: [&Column; 4], word: &str) -> RowSet {
    let mut found = RowSet::default();
    for column in columns {
        found.unite(&column.rows_with(&column.dictionary.containing(word)));
    }
    found
}
