//! State of the portfolio page: which accounts, in which order and groups.

use std::sync::Arc;

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::AccountQuery;

use super::portfolio_group::Grouping;
use super::portfolio_order::{PortfolioOrder, last};
use super::route::accounts;
use crate::review::selection::{SelectedValue, Selection};

/// Number of accounts on a page if none are selected.
pub const PAGE_SIZE: u32 = 50;

/// Maximum number of selected accounts that are shown.
pub const MAX_ACCOUNTS: usize = 48;

/// State of the portfolio page, as stored in the address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortfolioView {
    /// Ids of the selected accounts; empty for all of them.
    pub accounts: Vec<String>,
    /// Search text. It only applies if no accounts are selected.
    pub search: String,
    pub order: PortfolioOrder,
    pub grouping: Grouping,
    /// Page number, from 1. It is 1 if accounts are selected.
    pub page: u32,
}

impl Default for PortfolioView {
    fn default() -> Self {
        Self {
            accounts: Vec::new(),
            search: String::new(),
            order: PortfolioOrder::default(),
            grouping: Grouping::default(),
            page: 1,
        }
    }
}

impl PortfolioView {
    /// Returns the view of selected accounts, limited to the [`MAX_ACCOUNTS`] with the best scores.
    pub fn from_selection(selection: &Selection) -> Self {
        let points = |(id, value): (&Arc<str>, &SelectedValue)| match value {
            SelectedValue::Points(points) => (id.to_string(), *points),
            SelectedValue::Status(_) => (id.to_string(), None),
        };
        let mut all: Vec<(String, Option<f64>)> = selection.ids().map(points).collect();
        all.sort_by(|(_, one), (_, other)| last(*one, *other, |one, other| other.total_cmp(one)));
        Self {
            accounts: all
                .into_iter()
                .take(MAX_ACCOUNTS)
                .map(|(id, _)| id)
                .collect(),
            ..Self::default()
        }
    }

    /// Reads a query string. Unknown and invalid parts are ignored.
    pub fn from_query(query: &str) -> Self {
        let mut view = Self::default();
        for account in accounts(query) {
            if view.accounts.len() < MAX_ACCOUNTS && !view.accounts.contains(&account) {
                view.accounts.push(account);
            }
        }
        for (name, value) in parse(query.as_bytes()) {
            match &*name {
                "q" if view.accounts.is_empty() => view.search = value.into_owned(),
                "page" if view.accounts.is_empty() => {
                    let page = value.parse().ok().filter(|page| *page > 0);
                    view.page = page.unwrap_or(view.page);
                }
                "group" => view.grouping = Grouping::parse(&value).unwrap_or(view.grouping),
                "sort" => view.order = PortfolioOrder::parse(&value).unwrap_or(view.order),
                _ => {}
            }
        }
        view
    }

    /// Returns the query string. Default values are left out.
    pub fn to_query(&self) -> String {
        let mut query = Serializer::new(String::new());
        for account in &self.accounts {
            query.append_pair("account", account);
        }
        if !self.search.is_empty() && self.accounts.is_empty() {
            query.append_pair("q", &self.search);
        }
        if self.order != PortfolioOrder::default() {
            query.append_pair("sort", self.order.as_str());
        }
        if self.grouping != Grouping::default() {
            query.append_pair("group", self.grouping.as_str());
        }
        if self.page > 1 && self.accounts.is_empty() {
            query.append_pair("page", &self.page.to_string());
        }
        query.finish()
    }

    /// Returns the view in another order, from its first page.
    #[must_use]
    pub fn sorted(&self, order: PortfolioOrder) -> Self {
        Self {
            order,
            ..self.at_page(1)
        }
    }

    #[must_use]
    pub fn grouped(&self, grouping: Grouping) -> Self {
        Self {
            grouping,
            ..self.clone()
        }
    }

    #[must_use]
    pub fn at_page(&self, page: u32) -> Self {
        Self {
            page,
            ..self.clone()
        }
    }

    /// Returns the view of all accounts that match a search.
    #[must_use]
    pub fn searched(&self, search: &str) -> Self {
        Self {
            accounts: Vec::new(),
            search: search.to_owned(),
            ..self.at_page(1)
        }
    }

    /// Returns the view of one account, which shows its whole pulse.
    #[must_use]
    pub fn only(&self, account: &str) -> Self {
        Self {
            accounts: vec![account.to_owned()],
            ..self.at_page(1)
        }
    }

    /// Returns what is requested: the selected accounts, else the query of a page. Orders and groups of the same page
    /// request the same.
    pub fn request(&self) -> (Vec<String>, AccountQuery) {
        (self.accounts.clone(), self.query())
    }

    /// Whether the accounts are sorted here: the server has sorted those of a page, unless the order needs the pulses.
    pub fn is_sorted_here(&self) -> bool {
        !self.accounts.is_empty() || self.order.needs_pulses()
    }

    /// Returns the API query of the page.
    pub fn query(&self) -> AccountQuery {
        let (sort_by, sort_dir) = self.order.of_pages();
        AccountQuery {
            search: Some(self.search.trim().to_owned()).filter(|term| !term.is_empty()),
            sort_by,
            sort_dir,
            page: self.page,
            page_size: PAGE_SIZE,
            ..AccountQuery::default()
        }
    }
}
