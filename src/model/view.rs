//! The view, which is the address: tab, search, sort and page, to the query string and back.

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::{AccountQuery, AccountSort, LeadQuery, LeadSort, SortDir};

use super::filters::Filters;
use super::tab::Tab;

/// How many rows a page may have.
pub const SIZES: [u32; 3] = [25, 50, 100];

/// Where we are in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The page, from 1.
    pub page: u32,
    /// How many pages there are.
    pub pages: u32,
    /// Rows on a page.
    pub size: u32,
}

impl Default for Position {
    fn default() -> Self {
        Self {
            page: 1,
            pages: 1,
            size: 50,
        }
    }
}

/// A column that a list can be sorted by.
pub trait SortColumn: Copy + PartialEq + Send + Sync + 'static {
    /// The column that a list is sorted by when nobody says otherwise.
    const DEFAULT: Self;

    /// The column on the wire and in the address.
    fn as_str(self) -> &'static str;

    /// The column of a word in the address.
    fn of(text: &str) -> Option<Self>;

    /// The direction that the first click gives: texts from A, numbers and dates from the top.
    fn first(self) -> SortDir;
}

macro_rules! sort_column {
    ($type:ident, $default:ident, $($from_the_top:ident)|+) => {
        impl SortColumn for $type {
            const DEFAULT: Self = Self::$default;

            fn as_str(self) -> &'static str {
                $type::as_str(self)
            }

            fn of(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn first(self) -> SortDir {
                match self {
                    $(Self::$from_the_top)|+ => SortDir::Desc,
                    _ => SortDir::Asc,
                }
            }
        }
    };
}

sort_column!(
    LeadSort,
    IcpScore,
    CreatedAt | IcpScore | ConnectionsCount | FollowerCount
);
sort_column!(AccountSort, CreatedAt, CreatedAt | IcpScore | LeadCount);

/// Search, sort and page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<S> {
    /// The search, as typed.
    pub search: String,
    /// The column.
    pub sort: S,
    /// The direction.
    pub dir: SortDir,
    /// The page, from 1.
    pub page: u32,
    /// Rows on a page: one of [`SIZES`].
    pub size: u32,
}

impl<S: SortColumn> Default for Table<S> {
    fn default() -> Self {
        Self {
            search: String::new(),
            sort: S::DEFAULT,
            dir: S::DEFAULT.first(),
            page: 1,
            size: 50,
        }
    }
}

impl<S: SortColumn> Table<S> {
    fn take(&mut self, name: &str, value: &str) {
        match name {
            "q" => self.search = value.to_owned(),
            "sort" => {
                if let Some(sort) = S::of(value) {
                    self.sort = sort;
                    self.dir = sort.first();
                }
            }
            "page" => self.page = value.parse().unwrap_or(1).max(1),
            "size" => {
                if let Some(size) = value.parse().ok().filter(|size| SIZES.contains(size)) {
                    self.size = size;
                }
            }
            _ => {}
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
        if self.page != 1 {
            query.append_pair("page", &self.page.to_string());
        }
        if self.size != 50 {
            query.append_pair("size", &self.size.to_string());
        }
    }

    /// Reads a query string. What it does not understand it passes over.
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

    /// The query string, without what is as usual.
    pub fn to_query(&self) -> String {
        let mut query = Serializer::new(String::new());
        self.put(&mut query);
        query.finish()
    }

    /// The same list under another search, from its first page.
    #[must_use]
    pub fn searched(&self, search: &str) -> Self {
        Self {
            search: search.to_owned(),
            page: 1,
            ..self.clone()
        }
    }

    /// The same list after a click on a column's header.
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
            page: 1,
            ..self.clone()
        }
    }

    /// The same list, another page.
    #[must_use]
    pub fn at_page(&self, page: u32) -> Self {
        Self {
            page: page.max(1),
            ..self.clone()
        }
    }

    /// The same list in pages of another size; the first row stays on the page.
    #[must_use]
    pub fn in_pages_of(&self, size: u32) -> Self {
        let first = u64::from(self.page - 1) * u64::from(self.size);
        let page = first / u64::from(size.max(1)) + 1;
        Self {
            size,
            page: u32::try_from(page).unwrap_or(u32::MAX),
            ..self.clone()
        }
    }

    /// The search as it is sent: none where it is blank.
    pub fn term(&self) -> Option<String> {
        Some(self.search.trim().to_owned()).filter(|term| !term.is_empty())
    }
}

/// The view of the leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadsView {
    /// The tab.
    pub tab: Tab,
    /// Search, sort and page.
    pub table: Table<LeadSort>,
    /// What is chosen in the rail.
    pub filters: Filters,
    /// The id of the lead whose details are open.
    pub open: Option<String>,
}

impl LeadsView {
    /// Reads a query string. What it does not understand it passes over.
    pub fn from_query(query: &str) -> Self {
        let one = |wanted: &str| {
            parse(query.as_bytes())
                .find(|(name, _)| name == wanted)
                .map(|(_, value)| value)
        };
        Self {
            tab: one("tab").and_then(|tab| Tab::of(&tab)).unwrap_or_default(),
            table: Table::from_query(query),
            filters: Filters::from_query(query),
            open: one("lead")
                .filter(|id| !id.is_empty())
                .map(|id| id.into_owned()),
        }
    }

    /// The query string, without what is as usual.
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

    /// The same view with the details of a lead, or without any.
    #[must_use]
    pub fn opened(&self, lead: Option<&str>) -> Self {
        Self {
            open: lead.map(str::to_owned),
            ..self.clone()
        }
    }

    /// The same view with another table.
    #[must_use]
    pub fn with(&self, table: Table<LeadSort>) -> Self {
        Self {
            table,
            ..self.clone()
        }
    }

    /// Another tab, from its first page.
    #[must_use]
    pub fn on(&self, tab: Tab) -> Self {
        Self {
            tab,
            table: self.table.at_page(1),
            ..self.clone()
        }
    }

    /// The query of the leads.
    pub fn query(&self) -> LeadQuery {
        let mut filters = self.tab.filters();
        filters.extend(self.filters.specs());
        LeadQuery {
            filters,
            search: self.table.term(),
            sort_by: self.table.sort,
            sort_dir: self.table.dir,
            page: self.table.page,
            page_size: self.table.size,
        }
    }
}

/// The view of the accounts.
pub type AccountsView = Table<AccountSort>;

impl AccountsView {
    /// The query of the accounts.
    pub fn query(&self) -> AccountQuery {
        AccountQuery {
            search: self.term(),
            sort_by: self.sort,
            sort_dir: self.dir,
            page: self.page,
            page_size: self.size,
            ..AccountQuery::default()
        }
    }
}
