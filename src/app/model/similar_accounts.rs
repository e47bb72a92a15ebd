//! Accounts most like another one: of the same industry and size, with the nearest scores.

use std::sync::Arc;

use lead_workspace_api::{
    Account, AccountField, AccountQuery, AccountSort, FilterSpec, Operator, SortDir, filter,
};
use serde_json::Value;

use super::account_pulse::pulse_queue::Id;
use super::portfolio_account::AccountSummary;

/// Maximum number of accounts that are shown.
pub const MOST: usize = 5;

/// How many points their scores may differ.
const POINTS: f64 = 10.0;

/// What similar accounts have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness {
    pub industry: String,
    /// Headcount range.
    pub size: String,
    pub score: f64,
}

impl Likeness {
    /// Returns what accounts must have in common with one; `None` if too little is known of it.
    pub fn new(industry: Option<&str>, size: Option<&str>, score: Option<f64>) -> Option<Self> {
        Some(Self {
            industry: industry?.to_owned(),
            size: size?.to_owned(),
            score: score.filter(|score| score.is_finite())?,
        })
    }

    /// Returns the query for the candidates: the nearest scores on both sides are among them, unless very many accounts
    /// are alike.
    pub fn query(&self) -> AccountQuery {
        let equal = |field: AccountField, value: &str| -> FilterSpec {
            filter(field).with(Operator::Eq, Value::from(value))
        };
        AccountQuery {
            filters: vec![
                equal(AccountField::Industry, &self.industry),
                equal(AccountField::StaffCountRange, &self.size),
                filter(AccountField::IcpScore).between(self.score - POINTS, self.score + POINTS),
            ],
            sort_by: AccountSort::IcpScore,
            sort_dir: SortDir::Desc,
            page_size: 100,
            ..AccountQuery::default()
        }
    }

    /// Returns the nearest of the candidates, without the account itself. Equally near ones keep their order.
    pub fn nearest(&self, own: &str, candidates: Vec<Account>) -> Vec<(Id, Arc<AccountSummary>)> {
        let others = candidates.into_iter().filter_map(|account| {
            let id = account.id.clone().map(String::from)?;
            let distance = (account.icp_score? - self.score).abs();
            let summary = Arc::new(AccountSummary::from_account(account));
            (!id.is_empty() && id != own).then(|| (distance, (Id::from(id), summary)))
        });
        let mut others: Vec<_> = others.collect();
        others.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let nearest = others.into_iter().take(MOST);
        nearest.map(|(_, account)| account).collect()
    }
}
