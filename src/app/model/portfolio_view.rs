//! The portfolio page: accounts side by side and their order.

use std::cmp::Ordering;
use std::sync::Arc;

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::{Account, AccountDetail, AccountQuery, AccountSort, SortDir};

use super::account_pulse::Pulse;
use super::account_pulse::pulse_queue::Id;
use super::lead::filled;
use super::route::accounts;
use crate::review::selection::{SelectedValue, Selection};

/// Number of accounts that are shown if none are selected.
pub const DEFAULT_ACCOUNTS: u32 = 12;

/// Maximum number of selected accounts that are shown.
pub const MAX_ACCOUNTS: usize = 48;

/// Sort order of the portfolio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortfolioOrder {
    /// Best ICP score first.
    #[default]
    Score,
    /// Highest reply rate first.
    ReplyRate,
    /// Most leads with a conversation first.
    Conversations,
    Name,
}

impl PortfolioOrder {
    /// All orders as they are offered.
    pub const ALL: [Self; 4] = [
        Self::Score,
        Self::ReplyRate,
        Self::Conversations,
        Self::Name,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::Score => "ICP score",
            Self::ReplyRate => "Reply rate",
            Self::Conversations => "Conversations",
            Self::Name => "Name",
        }
    }

    /// Name in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::ReplyRate => "reply_rate",
            Self::Conversations => "conversations",
            Self::Name => "name",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.as_str() == word)
    }

    /// Whether sorting needs the pulses.
    pub fn needs_pulses(self) -> bool {
        matches!(self, Self::ReplyRate | Self::Conversations)
    }
}

/// State of the portfolio page, as stored in the address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortfolioView {
    /// Ids of the selected accounts; empty for the best ones.
    pub accounts: Vec<String>,
    /// Search text. It only applies if no accounts are selected.
    pub search: String,
    pub order: PortfolioOrder,
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
        query.finish()
    }

    #[must_use]
    pub fn sorted(&self, order: PortfolioOrder) -> Self {
        Self {
            order,
            ..self.clone()
        }
    }

    /// Returns the view of the best accounts that match a search.
    #[must_use]
    pub fn searched(&self, search: &str) -> Self {
        Self {
            accounts: Vec::new(),
            search: search.to_owned(),
            ..self.clone()
        }
    }

    /// Returns the view of one account, which shows its whole pulse.
    #[must_use]
    pub fn only(&self, account: &str) -> Self {
        Self {
            accounts: vec![account.to_owned()],
            ..self.clone()
        }
    }

    /// Returns a copy in the default order, to compare views regardless of their order.
    #[must_use]
    pub fn in_default_order(&self) -> Self {
        self.sorted(PortfolioOrder::default())
    }

    /// Returns the API query for the best accounts.
    pub fn query(&self) -> AccountQuery {
        AccountQuery {
            search: Some(self.search.trim().to_owned()).filter(|term| !term.is_empty()),
            sort_by: AccountSort::IcpScore,
            sort_dir: SortDir::Desc,
            page_size: DEFAULT_ACCOUNTS,
            ..AccountQuery::default()
        }
    }
}

/// Name and score of an account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountSummary {
    /// Never empty.
    pub name: String,
    pub tier: Option<String>,
    /// ICP score, 0 to 100.
    pub score: Option<f64>,
}

impl AccountSummary {
    /// Reads an element of the account list.
    pub fn from_account(account: Account) -> Self {
        Self::made(account.name, account.icp_tier, account.icp_score)
    }

    /// Reads the details of an account.
    pub fn from_detail(account: &AccountDetail) -> Self {
        let (name, tier) = (account.name.clone(), account.icp_tier.clone());
        Self::made(name, tier, account.icp_score)
    }

    fn made(name: Option<String>, tier: Option<String>, score: Option<f64>) -> Self {
        let name = filled(name).unwrap_or_else(|| "Unnamed account".into());
        Self {
            name,
            tier: filled(tier),
            score,
        }
    }
}

/// An account and what is loaded of it so far.
#[derive(Clone, Debug, Default)]
pub struct PortfolioAccount {
    pub id: Id,
    pub summary: Option<Arc<AccountSummary>>,
    pub pulse: Option<Arc<Pulse>>,
}

/// Sorts accounts. Those without the needed value are last; equal ones keep their order.
pub fn arrange(members: &mut [PortfolioAccount], order: PortfolioOrder) {
    members.sort_by(|one, other| match order {
        PortfolioOrder::Score => last(score(one), score(other), |one, other| other.total_cmp(one)),
        PortfolioOrder::Name => last(name(one), name(other), |one, other| one.cmp(other)),
        PortfolioOrder::Conversations => {
            last(talking(one), talking(other), |one, other| other.cmp(one))
        }
        PortfolioOrder::ReplyRate => {
            let rate = |of: &PortfolioAccount| of.pulse.as_ref()?.funnel.reply_rate();
            last(rate(one), rate(other), |one, other| other.order(*one))
        }
    });
}

fn score(of: &PortfolioAccount) -> Option<f64> {
    of.summary.as_ref()?.score
}

fn name(of: &PortfolioAccount) -> Option<String> {
    // ASCII only: the Unicode case tables would take more space than this file.
    Some(of.summary.as_ref()?.name.to_ascii_lowercase())
}

fn talking(of: &PortfolioAccount) -> Option<u64> {
    of.pulse.as_ref()?.funnel.talking
}

fn last<T>(one: Option<T>, other: Option<T>, by: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => by(&one, &other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}
