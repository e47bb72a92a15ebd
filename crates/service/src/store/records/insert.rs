//! Writes leads, accounts and what belongs to them: [`NewRows`] for the import, scoring and the demo data.
//!
//! Derived columns (folded texts, ranks, copies of the account) are only filled in here.

mod columns;
mod insert_account;
mod insert_campaign_lead;
mod insert_lead;
mod insert_score;
mod new_rows;

pub(crate) use columns::{Columns, columns};
pub(crate) use insert_account::{accounts_with, update_account};
pub(crate) use insert_campaign_lead::CampaignLeadRow;
pub(crate) use insert_lead::{
    KnownLead, NewLead, delete_leads, leads_with, set_account, set_status, update_lead,
};
pub(crate) use insert_score::ScoreRow;
pub(crate) use lead_workspace_logic::rows::{AccountRow, LeadRow};
pub(crate) use new_rows::{NewRow, NewRows, RowNumbers};

/// Returns the folded text as a `*_folded` column has it: not if it is the text in lower case, because the
/// generated column `*_key` is `lower(text)` then, which changes ASCII letters only.
pub(crate) fn folded(text: Option<&String>) -> Option<String> {
    let text = text?;
    let folded = lead_workspace_logic::fold(text);
    (folded != text.to_ascii_lowercase()).then_some(folded)
}

#[cfg(test)]
mod tests;
