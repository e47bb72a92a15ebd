//! View state of the accounts: conversion from and to the query string of the address.

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::{
    AccountFacet, AccountFacetField, AccountFacetQuery, AccountField, AccountQuery, AccountSort,
    LeadListId, Operator,
};

use super::Table;
use crate::app::model::filters::CustomFilter;
use crate::app::model::route::ACCOUNT_PARAM;

/// Query parameter of a filter.
const WHERE: &str = "where";

/// Query parameter of the list.
const LIST: &str = "list_id";

/// Query parameter that includes accounts that were not promoted.
const UNPROMOTED: &str = "include_unpromoted";

/// State of the accounts page, as stored in the address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountsView {
    pub table: Table<AccountSort>,
    /// All filters must match.
    pub filters: Vec<CustomFilter<AccountField>>,
    /// Id of the list that the accounts must be in.
    pub list: Option<String>,
    /// Whether accounts that were not promoted are shown, too.
    pub unpromoted: bool,
    /// Id of the account whose details are open.
    pub open: Option<String>,
}

/// A restriction of the view that can be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActiveFilter {
    /// The filter at this index.
    Filter(usize),
    List,
    Search,
    /// Only promoted accounts are shown.
    Promoted,
}

impl AccountsView {
    /// Reads a query string. Unknown and invalid parts are ignored.
    pub fn from_query(query: &str) -> Self {
        let mut view = Self {
            table: Table::from_query(query),
            ..Self::default()
        };
        for (name, value) in parse(query.as_bytes()) {
            match &*name {
                WHERE => view.filters.extend(CustomFilter::read(&value)),
                LIST => view.list = some(&value),
                UNPROMOTED => view.unpromoted = value == "true",
                ACCOUNT_PARAM => view.open = some(&value),
                _ => {}
            }
        }
        view
    }

    /// Returns the query string. Default values are left out.
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
            query.append_pair(ACCOUNT_PARAM, open);
        }
        query.finish()
    }

    /// Returns a copy with the default layout and no details open.
    #[must_use]
    pub fn list_only(&self) -> Self {
        Self {
            table: self.table.list_only(),
            open: None,
            ..self.clone()
        }
    }

    #[must_use]
    pub fn with(&self, table: Table<AccountSort>) -> Self {
        Self {
            table,
            ..self.clone()
        }
    }

    /// Returns a copy with a filter, which replaces the one at `index`, or else is appended.
    #[must_use]
    pub fn and(&self, index: Option<usize>, filter: CustomFilter<AccountField>) -> Self {
        let mut view = self.clone();
        match index.and_then(|index| view.filters.get_mut(index)) {
            Some(old) => *old = filter,
            None => view.filters.push(filter),
        }
        view
    }

    /// Returns the index of the first filter that selects values of the field.
    fn selection(&self, field: AccountField) -> Option<usize> {
        let selects = |filter: &CustomFilter<AccountField>| {
            filter.field() == field && matches!(filter.operator(), Operator::Eq | Operator::In)
        };
        self.filters.iter().position(selects)
    }

    /// Returns the selected values of a field.
    pub fn values(&self, field: AccountField) -> &[String] {
        self.selection(field)
            .map_or(&[], |index| self.filters[index].values())
    }

    /// Returns a copy with other selected values of a field.
    #[must_use]
    pub fn with_values<'a>(
        &self,
        field: AccountField,
        values: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let index = self.selection(field);
        match (CustomFilter::new(field, Operator::In, values), index) {
            (Some(filter), index) => self.and(index, filter),
            (None, Some(index)) => self.without(ActiveFilter::Filter(index)),
            (None, None) => self.clone(),
        }
    }

    /// Returns a copy for another list; for all accounts if `list` is empty.
    #[must_use]
    pub fn with_list(&self, list: &str) -> Self {
        Self {
            list: some(list),
            ..self.clone()
        }
    }

    /// Returns a copy without one restriction.
    #[must_use]
    pub fn without(&self, barrier: ActiveFilter) -> Self {
        let mut view = self.clone();
        match barrier {
            ActiveFilter::Filter(index) if index < view.filters.len() => {
                view.filters.remove(index);
            }
            ActiveFilter::Filter(_) => {}
            ActiveFilter::List => view.list = None,
            ActiveFilter::Search => view.table.search.clear(),
            ActiveFilter::Promoted => view.unpromoted = true,
        }
        view
    }

    /// Returns the number of filters, including the list.
    pub fn count(&self) -> usize {
        self.filters.len() + usize::from(self.list.is_some())
    }

    /// Returns a copy without search, list and filters.
    #[must_use]
    pub fn bare(&self) -> Self {
        Self {
            filters: Vec::new(),
            list: None,
            ..self.with(self.table.searched(""))
        }
    }

    /// Describes the view in a few words: the suggested name when the user saves it.
    pub fn words(&self) -> String {
        match self.table.term() {
            Some(term) => ["Accounts, “", &term, "”"].concat(),
            None => "Accounts".to_owned(),
        }
    }

    /// Returns the API query of a page, counted from 1.
    pub fn query(&self, page: u32, page_size: u32) -> AccountQuery {
        AccountQuery {
            filters: self.filters.iter().map(CustomFilter::spec).collect(),
            search: self.table.term(),
            list_id: self.list.as_deref().map(LeadListId::new),
            include_unpromoted: self.unpromoted,
            sort_by: self.table.sort,
            sort_dir: self.table.dir,
            page,
            page_size,
        }
    }

    /// Returns the query that counts the accounts of the view by each facet. The selected values of a facet are sent
    /// with it.
    pub fn facet_query(&self) -> AccountFacetQuery {
        let fields = AccountFacetField::ALL;
        let selections = fields.iter().map(|field| self.selection((*field).into()));
        let selections: Vec<Option<usize>> = selections.collect();
        let others = self.filters.iter().enumerate();
        let others = others.filter(|(index, _)| !selections.contains(&Some(*index)));
        let facets = fields.iter().map(|field| AccountFacet {
            field: *field,
            selected: self.values((*field).into()).to_vec(),
        });
        AccountFacetQuery {
            filters: others.map(|(_, filter)| filter.spec()).collect(),
            search: self.table.term(),
            list_id: self.list.as_deref().map(LeadListId::new),
            include_unpromoted: self.unpromoted,
            facets: facets.collect(),
        }
    }
}

fn some(value: &str) -> Option<String> {
    Some(value.to_owned()).filter(|value| !value.is_empty())
}
