//! Writes drafts to the store: adds new leads and updates changed ones.

mod name_lookup;

use std::sync::Mutex;

use lead_workspace_api::import::ImportCounts;
use serde_json::{Map, Value};
use uuid::Uuid;

use self::name_lookup::NameLookup;
use super::Draft;
use crate::failpoint::Failpoint;
use crate::fold;
use crate::store::audit::{self, Actor};
use crate::store::counts::{self, CountChanges};
use crate::store::db::Db;
use crate::store::import_jobs::{BatchOutcome, StoredImport};
use crate::store::insert::{
    AccountRow, Columns, KnownLead, LeadRow, find_lead, insert_lead, known_lead, match_account,
    refresh_leads_of, set_account, set_status, update_lead,
};
use crate::store::{StoreError, Tenant};
use crate::time::now;

const PENDING: &str = "pending_approval";

/// An import that is being written.
pub(super) struct ImportWriter {
    pub tenant: Tenant,
    pub import_job_id: String,
    pub file_name: String,
    pub list: Option<String>,
    /// Whether the leads are queued for scoring at the end.
    pub score: bool,
    /// Who imports, if decisions are recorded.
    pub actor: Option<Actor>,
    /// Start time of the import.
    pub at: String,
    pub names: Mutex<NameLookup>,
}

enum LineOutcome {
    Inserted(i64),
    Updated(i64),
    Unchanged,
}

impl ImportWriter {
    /// Writes a batch, and records it with the import in the same change.
    pub(super) fn batch(
        &self,
        db: Db<'_>,
        drafts: &[Draft],
        failed: u64,
    ) -> Result<ImportCounts, StoreError> {
        let mut counts = ImportCounts {
            failed,
            ..ImportCounts::default()
        };
        let mut leads = Vec::new();
        let write = |kept: &mut CountChanges| {
            let outcomes = drafts.iter().map(|draft| self.lead(db, draft, kept));
            outcomes.collect::<Result<Vec<_>, _>>()
        };
        for outcome in counts::keep(db, self.tenant, write)? {
            match outcome {
                LineOutcome::Unchanged => counts.unchanged += 1,
                LineOutcome::Inserted(lead) => {
                    counts.inserted += 1;
                    leads.push(lead);
                }
                LineOutcome::Updated(lead) => {
                    counts.updated += 1;
                    leads.push(lead);
                }
            }
        }
        Failpoint::ImportLeads.reach();
        let import = StoredImport {
            tenant: self.tenant,
            import_job_id: &self.import_job_id,
            file_name: &self.file_name,
            at: &self.at,
            score: self.score,
        };
        let batch = BatchOutcome {
            counts: [
                counts.inserted,
                counts.updated,
                counts.unchanged,
                counts.failed,
            ],
            leads: &leads,
        };
        import.add_batch(db, &batch)?;
        Ok(counts)
    }

    /// Returns the id of the list that every lead is put on, once it exists.
    pub(super) fn list_id(&self) -> Option<String> {
        self.names.lock().ok()?.list_id(self.list.as_deref()?)
    }

    fn lead(
        &self,
        db: Db<'_>,
        draft: &Draft,
        counts: &mut CountChanges,
    ) -> Result<LineOutcome, StoreError> {
        let identity = identity(draft);
        let found = find_lead(
            db,
            self.tenant,
            identity.as_deref(),
            draft.lead.email.as_deref(),
        )?;
        let company = draft
            .company
            .as_ref()
            .map(|company| self.account(db, company));
        let company = company.transpose()?;
        let Some(lead) = found else {
            let row = self.new_row(draft, identity);
            let account = company.as_ref().map(|(account, row)| (*account, row));
            let status = draft.status.unwrap_or(PENDING);
            if status != PENDING {
                self.record(db, &row.lead_id, (None, status))?;
            }
            let more = Columns::default();
            let lead = insert_lead(db, self.tenant, &row, status, account, more, counts)?;
            self.add_relations(db, lead, draft)?;
            return Ok(LineOutcome::Inserted(lead));
        };
        let known = known_lead(db, self.tenant, lead)?;
        let mut changed = self.add_relations(db, lead, draft)?;
        let row = merge(&known.row, draft, identity);
        if row != known.row {
            update_lead(db, self.tenant, lead, &row)?;
            changed = true;
        }
        if let Some((account, row)) = &company
            && known.account != Some(*account)
        {
            set_account(db, self.tenant, &known, *account, row, counts)?;
            changed = true;
        }
        changed |= self.decide(db, &known, draft, counts)?;
        Ok(if changed {
            LineOutcome::Updated(lead)
        } else {
            LineOutcome::Unchanged
        })
    }

    fn account(&self, db: Db<'_>, company: &AccountRow) -> Result<(i64, AccountRow), StoreError> {
        let mut row = company.clone();
        row.account_id = format!("acc_{}", Uuid::now_v7().simple());
        row.created_at.clone_from(&self.at);
        row.is_promoted = true;
        row.name = row
            .name
            .or_else(|| row.domain.clone())
            .or_else(|| row.identity.clone());
        let page = row.identity.as_ref().and_then(|url| url.rsplit_once('/'));
        row.network_username = page.map(|(_, name)| name.to_owned());
        let matched = match_account(db, self.tenant, row)?;
        if matched.completed {
            refresh_leads_of(db, self.tenant, matched.account, &matched.row)?;
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
            ..LeadRow::default()
        };
        merge(&empty, draft, identity)
    }

    /// Puts a lead on its lists and into its campaign. Returns whether it was missing on one of
    /// them.
    fn add_relations(&self, db: Db<'_>, lead: i64, draft: &Draft) -> Result<bool, StoreError> {
        // Poisoned only after a panic, which has already failed the import.
        let Ok(mut names) = self.names.lock() else {
            return Err(StoreError::Panicked);
        };
        let mut changed = false;
        for list in draft.lists.iter().chain(&self.list) {
            changed |= names.put_on_list(db, self, lead, list)?;
        }
        if let Some(campaign) = &draft.campaign {
            changed |= names.put_into_campaign(db, self, lead, campaign)?;
        }
        Ok(changed)
    }

    /// Applies the decision in a file, only if the lead is still pending.
    fn decide(
        &self,
        db: Db<'_>,
        known: &KnownLead,
        draft: &Draft,
        counts: &mut CountChanges,
    ) -> Result<bool, StoreError> {
        let Some(status) = draft
            .status
            .filter(|status| known.approval_status == PENDING && *status != PENDING)
        else {
            return Ok(false);
        };
        self.record(db, &known.row.lead_id, (Some(PENDING), status))?;
        set_status(db, self.tenant, known.lead, (PENDING, status), counts)?;
        Ok(true)
    }

    fn record(
        &self,
        db: Db<'_>,
        lead_id: &str,
        statuses: (Option<&str>, &str),
    ) -> Result<(), StoreError> {
        let Some(actor) = &self.actor else {
            return Ok(());
        };
        let import = Some(self.import_job_id.as_str());
        audit::record_decision(db, self.tenant, actor, &now(), lead_id, statuses, import)
    }
}

/// Returns what a lead is matched by besides its e-mail address. Without profile and e-mail, that
/// is name and company.
fn identity(draft: &Draft) -> Option<String> {
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

/// Returns a known lead with the values of a draft.
fn merge(known: &LeadRow, draft: &Draft, identity: Option<String>) -> LeadRow {
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
