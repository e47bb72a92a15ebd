//! The view of the accounts: search, sort, list and filters, to the query string and back.

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::{AccountField, AccountQuery, AccountSort, LeadListId};

use super::Table;
use crate::model::filters::Free;
use crate::model::relax::Way;

/// The name of a filter in the query string.
const WHERE: &str = "where";

/// The name of the list in the query string.
const LIST: &str = "list_id";

/// The name of the switch for accounts that were not promoted.
const UNPROMOTED: &str = "include_unpromoted";

/// The name of the account whose details are open.
pub const OPEN: &str = "account";

/// The view of the accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountsView {
    /// Search, sort and layout.
    pub table: Table<AccountSort>,
    /// The filters; all must hold.
    pub filters: Vec<Free<AccountField>>,
    /// The id of the list that the accounts are in.
    pub list: Option<String>,
    /// Whether accounts that were not promoted are shown, too.
    pub unpromoted: bool,
    /// The id of the account whose details are open.
    pub open: Option<String>,
}

/// Something that keeps accounts out of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// The filter at this index.
    Filter(usize),
    /// The list.
    List,
    /// The search.
    Search,
    /// That only promoted accounts are shown.
    Promoted,
}

impl AccountsView {
    /// Reads a query string. What it does not understand it passes over.
    pub fn from_query(query: &str) -> Self {
        let mut view = Self {
            table: Table::from_query(query),
            ..Self::default()
        };
        for (name, value) in parse(query.as_bytes()) {
            match &*name {
                WHERE => view.filters.extend(Free::read(&value)),
                LIST => view.list = some(&value),
                UNPROMOTED => view.unpromoted = value == "true",
                OPEN => view.open = some(&value),
                _ => {}
            }
        }
        view
    }

    /// The query string, without what is as usual.
    pub fn to_query(&self) -> String {
        let mut query = Serializer::new(String::new());
        self.table.put(&mut query);
        if let Some(list) = &self.list {
            query.append_pair(LIST, list);
        }
        if self.unpromoted {
            query.append_pair(UNPROMOTED, "true");
        }
        for filter in &self.filters {
            query.append_pair(WHERE, &filter.write());
        }
        if let Some(open) = &self.open {
            query.append_pair(OPEN, open);
        }
        query.finish()
    }

    /// The same list: in the usual layout, with no details open.
    #[must_use]
    pub fn listed(&self) -> Self {
        Self {
            table: self.table.listed(),
            open: None,
            ..self.clone()
        }
    }

    /// The same view with another table.
    #[must_use]
    pub fn with(&self, table: Table<AccountSort>) -> Self {
        Self {
            table,
            ..self.clone()
        }
    }

    /// The same view with a filter: in place of the one at the index, else at the end.
    #[must_use]
    pub fn and(&self, index: Option<usize>, filter: Free<AccountField>) -> Self {
        let mut view = self.clone();
        match index.and_then(|index| view.filters.get_mut(index)) {
            Some(old) => *old = filter,
            None => view.filters.push(filter),
        }
        view
    }

    /// The same view of another list; of all accounts where it is none.
    #[must_use]
    pub fn of_list(&self, list: &str) -> Self {
        Self {
            list: some(list),
            ..self.clone()
        }
    }

    /// The same view without something that keeps accounts out of it.
    #[must_use]
    pub fn without(&self, barrier: Barrier) -> Self {
        let mut view = self.clone();
        match barrier {
            Barrier::Filter(index) if index < view.filters.len() => {
                view.filters.remove(index);
            }
            Barrier::Filter(_) => {}
            Barrier::List => view.list = None,
            Barrier::Search => view.table.search.clear(),
            Barrier::Promoted => view.unpromoted = true,
        }
        view
    }

    /// How many things are filtered by, the list among them.
    pub fn count(&self) -> usize {
        self.filters.len() + usize::from(self.list.is_some())
    }

    /// The same view of all accounts: without search, list and filters.
    #[must_use]
    pub fn bare(&self) -> Self {
        Self {
            filters: Vec::new(),
            list: None,
            ..self.with(self.table.searched(""))
        }
    }

    /// Every single thing that the view could give up, the latest first: it is the likeliest.
    pub fn ways(&self) -> Vec<Way<Barrier, Self>> {
        let filters = (0..self.filters.len()).rev().map(Barrier::Filter);
        let list = self.list.as_ref().map(|_| Barrier::List);
        let search = self.table.term().map(|_| Barrier::Search);
        let promoted = (!self.unpromoted).then_some(Barrier::Promoted);
        let all = filters.chain(list).chain(search).chain(promoted);
        let way = |culprit| Way {
            culprit,
            view: self.without(culprit),
        };
        all.map(way).collect()
    }

    /// The view in a few words: a name for it, until somebody finds a better one.
    pub fn words(&self) -> String {
        match self.table.term() {
            Some(term) => ["Accounts, “", &term, "”"].concat(),
            None => "Accounts".to_owned(),
        }
    }

    /// The query of the accounts, for a page from 1 of so many rows.
    pub fn query(&self, page: u32, page_size: u32) -> AccountQuery {
        AccountQuery {
            filters: self.filters.iter().map(Free::spec).collect(),
            search: self.table.term(),
            list_id: self.list.as_deref().map(LeadListId::new),
            include_unpromoted: self.unpromoted,
            sort_by: self.table.sort,
            sort_dir: self.table.dir,
            page,
            page_size,
        }
    }
}

fn some(value: &str) -> Option<String> {
    Some(value.to_owned()).filter(|value| !value.is_empty())
}
