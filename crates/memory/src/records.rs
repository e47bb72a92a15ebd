//! What a workspace holds.

use std::collections::BTreeSet;

use lead_workspace_api::NewApprovalStatus;
use lead_workspace_api::shapes::{ListScore, Shape};
use lead_workspace_api::{ListRef, Raw};
use lead_workspace_demo as demo;
use lead_workspace_demo::{Catalog, ListItem};
use lead_workspace_logic::rows::{AccountRow, LeadRow};
use lead_workspace_logic::scoring::Score;

/// A lead.
pub(crate) struct Lead {
    /// Leads are numbered from 1 in the order in which they were added. Leads with equal values are listed in the order
    /// of their numbers.
    pub number: i64,
    pub row: LeadRow,
    /// Number of the account.
    pub account: Option<i64>,
    pub status: NewApprovalStatus,
    /// The best of the scores.
    pub icp_score: f64,
    pub icp_tier: &'static str,
    pub scores: Vec<StoredScore>,
    pub lists: Vec<ListItem>,
    pub intents: Vec<demo::Intent>,
    pub outreach: demo::Outreach,
}

/// An account.
pub(crate) struct Account {
    pub number: i64,
    pub row: AccountRow,
    /// Its name, folded.
    pub name_key: Option<String>,
    /// Numbers of its leads.
    pub leads: BTreeSet<i64>,
    pub lists: Vec<ListItem>,
    pub score: Option<Score>,
    pub scores: Vec<StoredScore>,
}

/// A score for a list; the empty `list_id` is a score outside any list.
pub(crate) struct StoredScore {
    pub list_id: String,
    pub score: Score,
    pub scored_at: String,
}

/// Returns scores as elements of `list_scores`: best first, then by list.
pub(crate) fn list_scores(scores: &[StoredScore], catalog: &Catalog) -> Vec<Raw> {
    let mut scores: Vec<_> = scores.iter().collect();
    scores.sort_by(|a, b| {
        let points = b.score.points.cmp(&a.score.points);
        points.then_with(|| a.list_id.cmp(&b.list_id))
    });
    let raw = |one: &StoredScore| {
        let list = catalog.lists.iter().find(|list| list.id == one.list_id);
        let score = ListScore {
            list_id: Some(one.list_id.clone()).filter(|id| !id.is_empty()),
            list_name: list.map(|list| list.name.to_string()),
            icp_score: Some(f64::from(one.score.points)),
            icp_tier: Some(one.score.tier.to_owned()),
            icp_reasoning: Some(one.score.reasoning()),
            scored_at: Some(one.scored_at.clone()),
        };
        score.to_raw()
    };
    scores.into_iter().map(raw).collect()
}

/// Returns the entries of lists, ordered by list: all entries of a lead or an account were made at the same time.
pub(crate) fn in_order<'a>(
    items: impl IntoIterator<Item = &'a ListItem>,
    catalog: &'a Catalog,
) -> Vec<(&'a demo::Named, &'a ListItem)> {
    let items = items.into_iter();
    let mut lists: Vec<_> = items
        .map(|item| (&catalog.lists[item.list], item))
        .collect();
    lists.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    lists
}

pub(crate) fn list_ref((list, item): (&demo::Named, &ListItem)) -> ListRef {
    ListRef {
        list_id: Some(list.id.as_str().into()),
        list_name: Some(list.name.to_string()),
        item_id: Some(item.item_id.clone()),
    }
}

impl Lead {
    /// Returns the intent signals, latest first.
    pub(crate) fn intents(&self) -> Vec<&demo::Intent> {
        let mut intents: Vec<_> = self.intents.iter().enumerate().collect();
        intents.sort_by_key(|(at, intent)| std::cmp::Reverse((intent.created_at, *at)));
        intents.into_iter().map(|(_, intent)| intent).collect()
    }
}
