//! The sort orders of the portfolio.

use std::cmp::Ordering;

use lead_workspace_api::{AccountSort, SortDir};

use super::portfolio_account::PortfolioAccount;

/// Sort order of the portfolio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortfolioOrder {
    /// Best ICP score first.
    #[default]
    Score,
    /// Most leads first.
    Leads,
    /// Highest reply rate first.
    ReplyRate,
    /// Most leads with a conversation first.
    Conversations,
    Name,
}

impl PortfolioOrder {
    /// All orders as they are offered.
    pub const ALL: [Self; 5] = [
        Self::Score,
        Self::Leads,
        Self::ReplyRate,
        Self::Conversations,
        Self::Name,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::Score => "ICP score",
            Self::Leads => "Leads",
            Self::ReplyRate => "Reply rate",
            Self::Conversations => "Conversations",
            Self::Name => "Name",
        }
    }

    /// Describes the order of the pages, and that of a page if it is another one.
    pub fn words(self) -> &'static str {
        match self {
            Self::Score => "best fit first",
            Self::Leads => "most leads first",
            Self::ReplyRate => "best fit first; this page by reply rate",
            Self::Conversations => "best fit first; this page by conversations",
            Self::Name => "by name",
        }
    }

    /// Name in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Leads => "leads",
            Self::ReplyRate => "reply_rate",
            Self::Conversations => "conversations",
            Self::Name => "name",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.as_str() == word)
    }

    /// Whether sorting needs the pulses. Then the accounts of a page are sorted, and the pages are those by score.
    pub fn needs_pulses(self) -> bool {
        matches!(self, Self::ReplyRate | Self::Conversations)
    }

    /// Returns the order in which the server returns the pages.
    pub fn of_pages(self) -> (AccountSort, SortDir) {
        match self {
            Self::Name => (AccountSort::Name, SortDir::Asc),
            Self::Leads => (AccountSort::LeadCount, SortDir::Desc),
            Self::Score | Self::ReplyRate | Self::Conversations => {
                (AccountSort::IcpScore, SortDir::Desc)
            }
        }
    }
}

/// Sorts accounts. Those without the needed value are last; equal ones keep their order.
pub fn arrange(members: &mut [PortfolioAccount], order: PortfolioOrder) {
    members.sort_by(|one, other| match order {
        PortfolioOrder::Score => last(score(one), score(other), |one, other| other.total_cmp(one)),
        PortfolioOrder::Name => last(name(one), name(other), |one, other| one.cmp(other)),
        PortfolioOrder::Leads => {
            let leads = |of: &PortfolioAccount| of.funnel().leads;
            last(leads(one), leads(other), |one, other| other.cmp(one))
        }
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

/// Compares two values; missing ones are last.
pub fn last<T>(one: Option<T>, other: Option<T>, by: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => by(&one, &other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}
