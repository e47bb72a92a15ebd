//! View state of a list: conversion from and to the query string of the address. It has tab,
//! search, sort and filters.

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::{AccountSort, LeadField, LeadQuery, LeadSort, Operator, SortDir};

pub use self::accounts_view::{AccountsView, ActiveFilter};
use super::columns::ColumnSet;
use super::filters::{CustomFilter, CustomName, Facet, Filters, LeadFilterField, LeadSortColumn};
use super::layout::Layout;
use super::lead_tab::Tab;
use super::route::Route;
use super::{columns, route};

mod accounts_view;

/// Returns the route that lists the leads of every status with this facet value.
pub fn leads_with(facet: Facet, value: &str) -> Route {
    leads_where(Filters::default().with(facet, value, true))
}

/// Returns the route that lists the leads of every status that work for an account.
pub fn leads_of_account(id: &str) -> Route {
    let custom = CustomFilter::new(
        LeadFilterField::Lead(LeadField::AccountId),
        Operator::Eq,
        [id],
    );
    let all = Filters::default();
    leads_where(custom.map_or_else(Filters::default, |custom| all.and(None, custom)))
}

fn leads_where(filters: Filters) -> Route {
    let view = LeadsView {
        tab: Tab::All,
        filters,
        ..LeadsView::default()
    };
    Route {
        path: route::LEADS_PATH.to_owned(),
        query: view.to_query(),
    }
}

/// Reduces a place to its list: default layout, no details open.
#[must_use]
pub fn list_only(route: &Route) -> Route {
    let query = match &*route.path {
        route::ACCOUNTS_PATH => AccountsView::from_query(&route.query)
            .list_only()
            .to_query(),
        _ => LeadsView::from_query(&route.query).list_only().to_query(),
    };
    Route {
        path: route.path.clone(),
        query,
    }
}

/// A column that a list can be sorted by.
pub trait SortColumn: Copy + PartialEq + Send + Sync + 'static {
    const DEFAULT: Self;

    /// Column set of the list.
    const COLUMNS: ColumnSet;

    /// Name in the API and in the address.
    fn as_str(self) -> &'static str;

    /// Parses the name in the address.
    fn parse(text: &str) -> Option<Self>;

    /// Sort direction of the first click: descending for dates, scores and counts, else ascending.
    fn first(self) -> SortDir;
}

impl SortColumn for LeadSortColumn {
    const DEFAULT: Self = Self::Lead(LeadSort::IcpScore);
    const COLUMNS: ColumnSet = columns::LEAD_COLUMN_SET;

    fn as_str(self) -> &'static str {
        match self {
            Self::Lead(sort) => sort.as_str(),
            Self::Custom(name) => name.as_str(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text.parse() {
            Ok(sort) => Some(Self::Lead(sort)),
            Err(_) => CustomName::parse(text).map(Self::Custom),
        }
    }

    fn first(self) -> SortDir {
        use LeadSort::{ConnectionsCount, CreatedAt, FollowerCount, IcpScore};
        match self {
            Self::Lead(CreatedAt | IcpScore | ConnectionsCount | FollowerCount) => SortDir::Desc,
            _ => SortDir::Asc,
        }
    }
}

impl SortColumn for AccountSort {
    const DEFAULT: Self = Self::IcpScore;
    const COLUMNS: ColumnSet = columns::ACCOUNT_COLUMN_SET;

    fn as_str(self) -> &'static str {
        Self::as_str(self)
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn first(self) -> SortDir {
        match self {
            Self::CreatedAt | Self::IcpScore | Self::LeadCount => SortDir::Desc,
            _ => SortDir::Asc,
        }
    }
}

/// Search, sort and layout of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<S> {
    /// Search text as typed; see [`term`](Self::term).
    pub search: String,
    pub sort: S,
    pub dir: SortDir,
    /// Columns and row height.
    pub layout: Layout,
}

impl<S: SortColumn> Default for Table<S> {
    fn default() -> Self {
        Self {
            search: String::new(),
            sort: S::DEFAULT,
            dir: S::DEFAULT.first(),
            layout: Layout::default(),
        }
    }
}

impl<S: SortColumn> Table<S> {
    fn take(&mut self, name: &str, value: &str) {
        match name {
            "q" => self.search = value.to_owned(),
            "sort" => {
                if let Some(sort) = S::parse(value) {
                    self.sort = sort;
                    self.dir = sort.first();
                }
            }
            _ => self.layout.take(S::COLUMNS, name, value),
        }
    }

    fn put(&self, query: &mut Serializer<'_, String>) {
        if !self.search.is_empty() {
            query.append_pair("q", &self.search);
        }
        if self.sort != S::DEFAULT {
            query.append_pair("sort", self.sort.as_str());
        }
        if self.dir != self.sort.first() {
            query.append_pair("dir", self.dir.as_str());
        }
        self.layout.put(query);
    }

    /// Reads a query string. Unknown and invalid parts are ignored.
    pub fn from_query(query: &str) -> Self {
        let mut table = Self::default();
        let mut dir = None;
        for (name, value) in parse(query.as_bytes()) {
            if name == "dir" {
                dir = value.parse().ok();
            } else {
                table.take(&name, &value);
            }
        }
        table.dir = dir.unwrap_or(table.dir);
        table
    }

    /// Returns the query string. Default values are left out.
    pub fn to_query(&self) -> String {
        let mut query = Serializer::new(String::new());
        self.put(&mut query);
        query.finish()
    }

    #[must_use]
    pub fn searched(&self, search: &str) -> Self {
        Self {
            search: search.to_owned(),
            ..self.clone()
        }
    }

    /// Returns a copy after a click on a column header. A new column gets its first direction; the
    /// direction of the current column is reversed.
    #[must_use]
    pub fn sorted(&self, sort: S) -> Self {
        let dir = match (sort == self.sort, self.dir) {
            (false, _) => sort.first(),
            (true, SortDir::Asc) => SortDir::Desc,
            (true, SortDir::Desc) => SortDir::Asc,
        };
        Self {
            sort,
            dir,
            ..self.clone()
        }
    }

    /// Returns a copy with the default layout, to compare lists regardless of their layout.
    #[must_use]
    pub fn list_only(&self) -> Self {
        Self {
            layout: Layout::default(),
            ..self.clone()
        }
    }

    /// Returns a copy with the default order, too, to compare which rows are in lists.
    #[must_use]
    pub fn rows_only(&self) -> Self {
        Self {
            search: self.search.clone(),
            ..Self::default()
        }
    }

    /// Returns the trimmed search text; `None` if it is blank.
    pub fn term(&self) -> Option<String> {
        Some(self.search.trim().to_owned()).filter(|term| !term.is_empty())
    }
}

/// State of the leads page, as stored in the address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadsView {
    pub tab: Tab,
    pub table: Table<LeadSortColumn>,
    pub filters: Filters,
    /// Id of the lead whose details are open.
    pub open: Option<String>,
}

impl LeadsView {
    /// Reads a query string. Unknown and invalid parts are ignored.
    pub fn from_query(query: &str) -> Self {
        let one = |wanted: &str| {
            parse(query.as_bytes())
                .find(|(name, _)| name == wanted)
                .map(|(_, value)| value)
        };
        Self {
            tab: one("tab")
                .and_then(|tab| Tab::parse(&tab))
                .unwrap_or_default(),
            table: Table::from_query(query),
            filters: Filters::from_query(query),
            open: one("lead")
                .filter(|id| !id.is_empty())
                .map(|id| id.into_owned()),
        }
    }

    /// Returns the query string. Default values are left out.
    pub fn to_query(&self) -> String {
        let mut query = Serializer::new(String::new());
        if self.tab != Tab::default() {
            query.append_pair("tab", self.tab.as_str());
        }
        self.table.put(&mut query);
        self.filters.put(&mut query);
        if let Some(open) = &self.open {
            query.append_pair("lead", open);
        }
        query.finish()
    }

    /// Returns a copy with the details of a lead open, or with none.
    #[must_use]
    pub fn opened(&self, lead: Option<&str>) -> Self {
        Self {
            open: lead.map(str::to_owned),
            ..self.clone()
        }
    }

    /// Returns a copy with the default layout and no details open.
    #[must_use]
    pub fn list_only(&self) -> Self {
        self.with(self.table.list_only()).opened(None)
    }

    #[must_use]
    pub fn with(&self, table: Table<LeadSortColumn>) -> Self {
        Self {
            table,
            ..self.clone()
        }
    }

    #[must_use]
    pub fn filtered(&self, filters: Filters) -> Self {
        Self {
            filters,
            ..self.clone()
        }
    }

    #[must_use]
    pub fn on(&self, tab: Tab) -> Self {
        Self {
            tab,
            ..self.clone()
        }
    }

    /// Whether only the tab restricts the list.
    pub fn is_whole(&self) -> bool {
        self.table.term().is_none() && self.filters.is_empty()
    }

    /// Describes the view in a few words: the suggested name when the user saves it.
    pub fn words(&self) -> String {
        let label = self.tab.label();
        match self.table.term() {
            Some(term) => [label, ", “", &term, "”"].concat(),
            None => label.to_owned(),
        }
    }

    /// Returns the API query of a page, counted from 1.
    pub fn query(&self, page: u32, page_size: u32) -> LeadQuery {
        let mut filters = self.tab.filters();
        filters.extend(self.filters.specs());
        LeadQuery {
            filters,
            search: self.table.term(),
            sort_by: self.table.sort.into(),
            sort_dir: self.table.dir,
            page,
            page_size,
        }
    }
}
