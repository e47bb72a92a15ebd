//! Which lead a draft is, what it changes in that lead, and what its company becomes.

use lead_workspace_logic::fold;
use lead_workspace_logic::rows::{AccountRow, LeadRow};
use serde_json::{Map, Value};

use super::Draft;

/// Returns what a lead is matched by besides its e-mail address. Without profile and e-mail, that
/// is name and company.
pub fn identity(draft: &Draft) -> Option<String> {
    let lead = &draft.lead;
    if lead.identity.is_some() || lead.email.is_some() {
        return lead.identity.clone();
    }
    let name = fold(lead.name.as_deref()?);
    let company = draft
        .company
        .as_ref()
        .and_then(|company| company.name.as_deref());
    Some(format!(
        "name:{name}\n{}",
        fold(company.unwrap_or_default())
    ))
}

/// Returns the account that a company becomes, without an id.
pub fn account_of(company: &AccountRow, created_at: &str) -> AccountRow {
    let name = company.name.as_ref().or(company.domain.as_ref());
    let page = company.identity.as_ref();
    let page_name = page.and_then(|url| url.rsplit_once('/'));
    AccountRow {
        name: name.or(page).cloned(),
        network_username: page_name.map(|(_, name)| name.to_owned()),
        is_promoted: true,
        created_at: created_at.to_owned(),
        ..company.clone()
    }
}

/// Returns a known lead with the values of a draft.
pub fn merge(known: &LeadRow, draft: &Draft, identity: Option<String>) -> LeadRow {
    let mut row = draft.lead.or(known);
    if known.profile_url.is_some() && known.identity == identity {
        // A different spelling of the same profile is not a change.
        row.profile_url.clone_from(&known.profile_url);
    }
    if draft.lead.identity.is_some() || known.identity.is_none() {
        row.identity = identity;
    }
    row.profile_data = merge_object(known.profile_data.as_ref(), &draft.profile_data);
    row.custom_data = merge_object(known.custom_data.as_ref(), &draft.custom_data);
    row
}

/// Adds members to an object, replacing existing ones. Returns the same text if nothing changes.
fn merge_object(known: Option<&String>, draft: &Map<String, Value>) -> Option<String> {
    let parsed = known.and_then(|text| serde_json::from_str::<Map<String, Value>>(text).ok());
    let before = parsed.unwrap_or_default();
    let mut after = before.clone();
    after.extend(
        draft
            .iter()
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    if after == before && known.is_some() {
        return known.cloned();
    }
    Some(Value::Object(after).to_string())
}
