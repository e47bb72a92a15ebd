//! The view, which is the address: tab, search, sort and filters, to the query string and back.

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::{AccountSort, LeadField, LeadQuery, LeadSort, Operator, SortDir};

use super::columns::{self, Sheet};
use super::filters::{Facet, Filters, Free};
use super::layout::Layout;
use super::place::{self, Place};
use super::tab::Tab;

mod accounts;

pub use self::accounts::{AccountsView, Barrier};

/// The leads of every status that have a value of a facet.
pub fn leads_with(facet: Facet, value: &str) -> Place {
    leads_where(Filters::default().with(facet, value, true))
}

/// The leads of every status that work for an account.
pub fn leads_of_account(id: &str) -> Place {
    let free = Free::new(LeadField::AccountId, Operator::Eq, [id]);
    let all = Filters::default();
    leads_where(free.map_or_else(Filters::default, |free| all.and(None, free)))
}

fn leads_where(filters: Filters) -> Place {
    let view = LeadsView {
        tab: Tab::All,
        filters,
        ..LeadsView::default()
    };
    Place {
        path: place::LEADS.to_owned(),
        query: view.to_query(),
    }
}

/// The list that a place shows: in the usual layout, with no details open.
#[must_use]
pub fn listed(place: &Place) -> Place {
    let query = match &*place.path {
        place::ACCOUNTS => AccountsView::from_query(&place.query).listed().to_query(),
        _ => LeadsView::from_query(&place.query).listed().to_query(),
    };
    Place {
        path: place.path.clone(),
        query,
    }
}

/// A column that a list can be sorted by.
pub trait SortColumn: Copy + PartialEq + Send + Sync + 'static {
    /// The column that a list is sorted by when nobody says otherwise.
    const DEFAULT: Self;

    /// The columns of the list.
    const SHEET: Sheet;

    /// The column on the wire and in the address.
    fn as_str(self) -> &'static str;

    /// The column of a word in the address.
    fn of(text: &str) -> Option<Self>;

    /// The direction that the first click gives: texts from A, numbers and dates from the top.
    fn first(self) -> SortDir;
}

macro_rules! sort_column {
    ($type:ident, $default:ident, $sheet:ident, $($from_the_top:ident)|+) => {
        impl SortColumn for $type {
            const DEFAULT: Self = Self::$default;
            const SHEET: Sheet = columns::$sheet;

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
    LEADS,
    CreatedAt | IcpScore | ConnectionsCount | FollowerCount
);
sort_column!(
    AccountSort,
    CreatedAt,
    ACCOUNTS,
    CreatedAt | IcpScore | LeadCount
);

/// Search, sort and layout of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<S> {
    /// The search, as typed.
    pub search: String,
    /// The column.
    pub sort: S,
    /// The direction.
    pub dir: SortDir,
    /// Columns and height of the rows.
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
                if let Some(sort) = S::of(value) {
                    self.sort = sort;
                    self.dir = sort.first();
                }
            }
            _ => self.layout.take(S::SHEET, name, value),
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

    /// The same list under another search.
    #[must_use]
    pub fn searched(&self, search: &str) -> Self {
        Self {
            search: search.to_owned(),
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
            ..self.clone()
        }
    }

    /// The same list in the usual layout: what another layout has in common with it.
    #[must_use]
    pub fn listed(&self) -> Self {
        Self {
            layout: Layout::default(),
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
    /// Search and sort.
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

    /// The same list: in the usual layout, with no details open.
    #[must_use]
    pub fn listed(&self) -> Self {
        self.with(self.table.listed()).opened(None)
    }

    /// The same view with another table.
    #[must_use]
    pub fn with(&self, table: Table<LeadSort>) -> Self {
        Self {
            table,
            ..self.clone()
        }
    }

    /// The same view with other filters, from its top.
    #[must_use]
    pub fn filtered(&self, filters: Filters) -> Self {
        Self {
            filters,
            ..self.clone()
        }
    }

    /// Another tab.
    #[must_use]
    pub fn on(&self, tab: Tab) -> Self {
        Self {
            tab,
            ..self.clone()
        }
    }

    /// Whether the view has all leads of its tab.
    pub fn is_whole(&self) -> bool {
        self.table.term().is_none() && self.filters.is_empty()
    }

    /// The view in a few words: a name for it, until somebody finds a better one.
    pub fn words(&self) -> String {
        let label = self.tab.label();
        match self.table.term() {
            Some(term) => [label, ", “", &term, "”"].concat(),
            None => label.to_owned(),
        }
    }

    /// The query of the leads, for a page from 1 of so many rows.
    pub fn query(&self, page: u32, page_size: u32) -> LeadQuery {
        let mut filters = self.tab.filters();
        filters.extend(self.filters.specs());
        LeadQuery {
            filters,
            search: self.table.term(),
            sort_by: self.table.sort,
            sort_dir: self.table.dir,
            page,
            page_size,
        }
    }
}
