//! An account of the portfolio: its record and its pulse.

use std::sync::Arc;

use lead_workspace_api::shapes::ListScore;
use lead_workspace_api::{Account, AccountDetail};

use super::account_pulse::pulse_queue::Id;
use super::account_pulse::{Funnel, Pulse};
use super::lead::{filled, initials};

/// What the portfolio shows of the record of an account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountSummary {
    /// Never empty.
    pub name: String,
    /// Up to two letters for the avatar.
    pub initials: String,
    pub tier: Option<String>,
    /// ICP score, 0 to 100.
    pub score: Option<f64>,
    pub industry: Option<String>,
    /// Headcount range.
    pub size: Option<String>,
    pub location: Option<String>,
    /// Name of the list with the best score.
    pub list: Option<String>,
    /// Number of leads that work for it.
    pub leads: Option<u64>,
    /// Number of these leads that are approved; `None` if the server does not count them.
    pub approved: Option<u64>,
}

impl AccountSummary {
    /// Reads an element of the account list.
    pub fn from_account(account: Account) -> Self {
        let name = filled(account.name).unwrap_or_else(|| "Unnamed account".into());
        let scores = account.list_scores.unwrap_or_default();
        Self {
            initials: initials(&name),
            name,
            tier: filled(account.icp_tier),
            score: account.icp_score,
            industry: filled(account.industry),
            size: filled(account.staff_count_range),
            location: filled(account.location),
            list: ListScore::best(&scores).and_then(|score| filled(score.list_name)),
            leads: account.lead_count,
            approved: account.approved_count,
        }
    }

    /// Reads the details of an account.
    pub fn from_detail(account: &AccountDetail) -> Self {
        Self::from_account(Account {
            name: account.name.clone(),
            icp_tier: account.icp_tier.clone(),
            icp_score: account.icp_score,
            industry: account.industry.clone(),
            staff_count_range: account.staff_count_range.clone(),
            location: account.location.clone(),
            list_scores: account.list_scores.clone(),
            lead_count: account.lead_count,
            ..Account::default()
        })
    }
}

/// An account and what is loaded of it so far.
#[derive(Clone, Debug, Default)]
pub struct PortfolioAccount {
    pub id: Id,
    pub summary: Option<Arc<AccountSummary>>,
    pub pulse: Option<Arc<Pulse>>,
}

impl PortfolioAccount {
    /// Returns the numbers of the pulse. The leads are those of the record, which is loaded first.
    pub fn funnel(&self) -> Funnel {
        let funnel = self.pulse.as_ref().map(|pulse| pulse.funnel.clone());
        let funnel = funnel.unwrap_or_default();
        let leads = self.summary.as_ref().and_then(|summary| summary.leads);
        Funnel {
            leads: leads.or(funnel.leads),
            ..funnel
        }
    }
}
