//! Writes leads, accounts, scores and memberships in campaigns: one function per table, shared by
//! the import, scoring and the demo data.
//!
//! Derived columns (folded texts, ranks, copies of the account) are only filled in here.

mod account_match;
mod columns;
mod insert_account;
mod insert_campaign_lead;
mod insert_lead;
mod insert_score;

pub(crate) use account_match::find_account;
pub(crate) use columns::{Columns, columns};
pub(crate) use lead_workspace_logic::rows::{AccountRow, LeadRow};

pub(crate) use insert_account::{insert_account, insert_accounts, update_account};
pub(crate) use insert_campaign_lead::{
    CampaignLeadRow, insert_campaign_lead, insert_campaign_leads,
};
pub(crate) use insert_lead::{
    KnownLead, NewLead, delete_leads, find_lead, insert_lead, insert_leads, known_lead,
    set_account, set_status, update_lead,
};
pub(crate) use insert_score::{ScoreRow, Scored, insert_score};

/// Returns the folded text as a `*_folded` column has it: not if it is the text in lower case, because the
/// generated column `*_key` is `lower(text)` then, which changes ASCII letters only.
pub(crate) fn folded(text: Option<&String>) -> Option<String> {
    let text = text?;
    let folded = lead_workspace_logic::fold(text);
    (folded != text.to_ascii_lowercase()).then_some(folded)
}

#[cfg(test)]
mod tests;
