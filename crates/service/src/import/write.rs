//! Writes drafts to the store: adds new leads and updates changed ones.

mod names;

use std::sync::Mutex;

use lead_workspace_api::import::ImportCounts;
use rusqlite::{Connection, params};
use serde_json::{Map, Value};
use uuid::Uuid;

use self::names::Names;
use super::Draft;
use super::draft::CompanyDraft;
use crate::fold::fold;
use crate::store::import_jobs::{BatchNote, ImportNote};
use crate::store::insert::{
    AccountRow, KnownLead, LeadRow, find_lead, insert_lead, known_lead, match_account,
    refresh_leads_of, set_account, update_lead,
};
use crate::store::{StoreError, Tenant};

/// An import that is being written.
pub(super) struct Writing {
    pub tenant: Tenant,
    pub import_job_id: String,
    pub file_name: String,
    pub list: Option<String>,
    /// Whether the leads are queued for scoring at the end.
    pub score: bool,
    /// Start time of the import.
    pub at: String,
    pub names: Mutex<Names>,
}

enum Outcome {
    Inserted(i64),
    Updated(i64),
    Unchanged,
}

impl Writing {
    /// Writes a batch, and records it with the import in the same change.
    pub(super) fn batch(
        &self,
        connection: &Connection,
        drafts: &[Draft],
        failed: u64,
    ) -> Result<ImportCounts, StoreError> {
        let mut counts = ImportCounts {
            failed,
            ..ImportCounts::default()
        };
        let mut leads = Vec::new();
        for draft in drafts {
            match self.lead(connection, draft)? {
                Outcome::Unchanged => counts.unchanged += 1,
                Outcome::Inserted(lead) => {
                    counts.inserted += 1;
                    leads.push(lead);
                }
                Outcome::Updated(lead) => {
                    counts.updated += 1;
                    leads.push(lead);
                }
            }
        }
        let note = ImportNote {
            tenant: self.tenant,
            import_job_id: &self.import_job_id,
            file_name: &self.file_name,
            at: &self.at,
            score: self.score,
        };
        let batch = BatchNote {
            counts: [
                counts.inserted,
                counts.updated,
                counts.unchanged,
                counts.failed,
            ],
            leads: &leads,
        };
        note.batch(connection, &batch)?;
        Ok(counts)
    }

    /// Returns the id of the list that every lead is put on, once it exists.
    pub(super) fn list_id(&self) -> Option<String> {
        self.names.lock().ok()?.list_id(self.list.as_deref()?)
    }

    fn lead(&self, connection: &Connection, draft: &Draft) -> Result<Outcome, StoreError> {
        let identity = identity(draft);
        let found = find_lead(
            connection,
            self.tenant,
            identity.as_deref(),
            draft.email.as_deref(),
        )?;
        let company = draft
            .company
            .as_ref()
            .map(|company| self.account(connection, company));
        let company = company.transpose()?;
        let Some(lead) = found else {
            let row = self.new_row(draft, identity);
            let account = company.as_ref().map(|(account, row)| (*account, row));
            let lead = insert_lead(connection, self.tenant, None, &row, account)?;
            self.belongings(connection, lead, draft)?;
            return Ok(Outcome::Inserted(lead));
        };
        let known = known_lead(connection, lead)?;
        let mut changed = self.belongings(connection, lead, draft)?;
        let row = merged(&known.row, draft, identity);
        if row != known.row {
            update_lead(connection, lead, &row)?;
            changed = true;
        }
        if let Some((account, row)) = &company
            && known.account != Some(*account)
        {
            set_account(connection, lead, *account, row)?;
            changed = true;
        }
        changed |= decide(connection, &known, draft)?;
        Ok(if changed {
            Outcome::Updated(lead)
        } else {
            Outcome::Unchanged
        })
    }

    fn account(
        &self,
        connection: &Connection,
        company: &CompanyDraft,
    ) -> Result<(i64, AccountRow), StoreError> {
        let said = AccountRow {
            account_id: format!("acc_{}", Uuid::now_v7().simple()),
            name: company
                .name
                .clone()
                .or_else(|| company.domain.clone())
                .or_else(|| company.identity.clone()),
            network_username: company
                .identity
                .as_ref()
                .and_then(|url| Some(url.rsplit_once('/')?.1.to_owned())),
            network_url: company.network_url.clone(),
            logo_url: company.logo_url.clone(),
            industry: company.industry.clone(),
            staff_count_range: company.staff_count_range.clone(),
            location: company.location.clone(),
            tagline: company.tagline.clone(),
            description: company.description.clone(),
            founded_year: company.founded_year,
            identity: company.identity.clone(),
            domain: company.domain.clone(),
            is_promoted: true,
            created_at: self.at.clone(),
            network_id: None,
        };
        let matched = match_account(connection, self.tenant, said)?;
        if matched.completed {
            refresh_leads_of(connection, matched.account, &matched.row)?;
        }
        Ok((matched.account, matched.row))
    }

    fn new_row(&self, draft: &Draft, identity: Option<String>) -> LeadRow {
        let empty = LeadRow {
            lead_id: format!("lead_{}", Uuid::now_v7().simple()),
            created_at: self.at.clone(),
            profile_data: Some("{}".into()),
            custom_data: Some("{}".into()),
            import_job_id: Some(self.import_job_id.clone()),
            approval_status: draft.status.unwrap_or("pending_approval"),
            ..LeadRow::default()
        };
        merged(&empty, draft, identity)
    }

    /// Puts a lead on its lists and into its campaign. Returns whether it was missing on one of
    /// them.
    fn belongings(
        &self,
        connection: &Connection,
        lead: i64,
        draft: &Draft,
    ) -> Result<bool, StoreError> {
        // Poisoned only after a panic, which has already failed the import.
        let Ok(mut names) = self.names.lock() else {
            return Err(StoreError::Panicked);
        };
        let mut changed = false;
        for list in draft.lists.iter().chain(&self.list) {
            changed |= names.put_on_list(connection, self, lead, list)?;
        }
        if let Some(campaign) = &draft.campaign {
            changed |= names.put_into_campaign(connection, self, lead, campaign)?;
        }
        Ok(changed)
    }
}

/// Returns what a lead is matched by besides its e-mail address. Without profile and e-mail, that
/// is name and company.
fn identity(draft: &Draft) -> Option<String> {
    if draft.identity.is_some() || draft.email.is_some() {
        return draft.identity.clone();
    }
    let name = fold(draft.name.as_deref()?);
    let company = draft
        .company
        .as_ref()
        .and_then(|company| company.name.as_deref());
    Some(format!(
        "name:{name}\n{}",
        fold(company.unwrap_or_default())
    ))
}

/// Overlays a known lead with the values of a draft.
fn merged(known: &LeadRow, draft: &Draft, identity: Option<String>) -> LeadRow {
    let text =
        |said: &Option<String>, known: &Option<String>| said.clone().or_else(|| known.clone());
    LeadRow {
        provider_id: text(&draft.provider_id, &known.provider_id),
        name: text(&draft.name, &known.name),
        headline: text(&draft.headline, &known.headline),
        // A different spelling of the same profile is not a change.
        profile_url: match &known.profile_url {
            Some(_) if known.identity == identity => known.profile_url.clone(),
            _ => text(&draft.profile_url, &known.profile_url),
        },
        profile_picture_url: text(&draft.picture_url, &known.profile_picture_url),
        background_image_url: text(&draft.background_url, &known.background_image_url),
        is_premium: draft.is_premium.or(known.is_premium),
        title: text(&draft.title, &known.title),
        location: text(&draft.location, &known.location),
        connections_count: draft.connections_count.or(known.connections_count),
        follower_count: draft.follower_count.or(known.follower_count),
        profile_data: object_over(known.profile_data.as_ref(), &draft.profile_data),
        custom_data: object_over(known.custom_data.as_ref(), &draft.custom_data),
        resolved_timezone: text(&draft.timezone, &known.resolved_timezone),
        timezone_label: text(&draft.timezone, &known.timezone_label),
        created_at: draft
            .created_at
            .clone()
            .unwrap_or_else(|| known.created_at.clone()),
        identity: match &draft.identity {
            None if known.identity.is_some() => known.identity.clone(),
            _ => identity,
        },
        email: text(&draft.email, &known.email),
        ..known.clone()
    }
}

/// Adds members to an object, replacing existing ones. Returns the same text if nothing changes.
fn object_over(known: Option<&String>, said: &Map<String, Value>) -> Option<String> {
    let parsed = known.and_then(|text| serde_json::from_str::<Map<String, Value>>(text).ok());
    let before = parsed.unwrap_or_default();
    let mut after = before.clone();
    after.extend(said.iter().map(|(key, value)| (key.clone(), value.clone())));
    if after == before && known.is_some() {
        return known.cloned();
    }
    Some(Value::Object(after).to_string())
}

/// Applies the decision in a file, only if the lead is still pending.
fn decide(connection: &Connection, known: &KnownLead, draft: &Draft) -> Result<bool, StoreError> {
    let open = known.approval_status == "pending_approval";
    let Some(status) = draft
        .status
        .filter(|status| open && *status != known.approval_status)
    else {
        return Ok(false);
    };
    let sql = "UPDATE leads SET approval_status = ?2 WHERE id = ?1";
    connection
        .prepare_cached(sql)?
        .execute(params![known.lead, status])?;
    Ok(true)
}
