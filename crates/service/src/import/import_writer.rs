//! Writes drafts to the store: adds new leads and updates changed ones.

mod name_lookup;
mod new_rows;

use std::sync::Arc;

use lead_workspace_api::import::ImportCounts;
use lead_workspace_import::{Draft, account_of, identity, merge};
use lead_workspace_index::ChangeKind;
use uuid::Uuid;

pub(super) use self::name_lookup::NameLookup;
use self::new_rows::NewRows;
use crate::failpoint::Failpoint;
use crate::store::audit::{self, Actor};
use crate::store::db::{Db, params};
use crate::store::import_jobs::{BatchOutcome, StoredImport};
use crate::store::insert::{
    AccountRow, CampaignLeadRow, KnownLead, LeadRow, NewLead, find_account, find_lead,
    insert_campaign_lead, known_lead, set_account, set_status, update_account, update_lead,
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
}

/// Lines that are written in one change.
pub(super) struct Batch {
    pub drafts: Vec<Draft>,
    /// Number of lines that are unusable.
    pub failed: u64,
    /// Whether it is the first batch of the import.
    pub is_first: bool,
    /// The lists and campaigns that the batches before it have looked up.
    pub names: Arc<NameLookup>,
}

/// Numbers of lines by what was done, and the lists and campaigns that are known afterwards.
type WrittenBatch = (ImportCounts, NameLookup);

enum LineOutcome {
    Inserted(i64),
    Updated(i64),
    Unchanged,
}

impl ImportWriter {
    /// Writes a batch, and records it with the import in the same change. Returns also the known leads that
    /// were changed, or `None` if others may look different, too. It may be called again for the same batch, if the
    /// change was rolled back.
    pub(super) fn batch(
        &self,
        db: Db<'_>,
        batch: &Batch,
    ) -> Result<(WrittenBatch, Option<Vec<i64>>), StoreError> {
        // Otherwise two imports could create the same lead, account, list or campaign.
        self.tenant.lock(db)?;
        self.tenant.refuse_deleted(db)?;
        let mut counts = ImportCounts {
            failed: batch.failed,
            ..ImportCounts::default()
        };
        let mut names = NameLookup::clone(&batch.names);
        let mut new = NewRows::new(self.tenant, &self.at, batch.drafts.len());
        let outcomes = batch.drafts.iter();
        let outcomes = outcomes.map(|draft| self.lead(db, &mut new, &mut names, draft));
        let outcomes = outcomes.collect::<Result<Vec<_>, _>>()?;
        new.write(db)?;
        let (mut leads, mut updated) = (Vec::new(), Vec::new());
        for outcome in outcomes {
            match outcome {
                LineOutcome::Unchanged => counts.unchanged += 1,
                LineOutcome::Inserted(lead) => {
                    counts.inserted += 1;
                    leads.push(lead);
                }
                LineOutcome::Updated(lead) => {
                    counts.updated += 1;
                    leads.push(lead);
                    updated.push(lead);
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
        let outcome = BatchOutcome {
            is_first: batch.is_first,
            counts: [
                counts.inserted,
                counts.updated,
                counts.unchanged,
                counts.failed,
            ],
            leads: &leads,
        };
        import.add_batch(db, &outcome)?;
        let changed = (!new.has_changed_account).then_some(updated);
        Ok(((counts, names), changed))
    }

    fn lead(
        &self,
        db: Db<'_>,
        new: &mut NewRows<'_>,
        names: &mut NameLookup,
        draft: &Draft,
    ) -> Result<LineOutcome, StoreError> {
        let identity = identity(draft);
        let (by_identity, by_email) = (identity.as_deref(), draft.lead.email.as_deref());
        if new.has_lead(by_identity, by_email) {
            new.write(db)?;
        }
        let found = find_lead(db, self.tenant, by_identity, by_email)?;
        let company = draft
            .company
            .as_ref()
            .map(|company| self.account(db, new, company));
        let company = company.transpose()?;
        let Some(lead) = found else {
            let lead = self.add_lead(db, new, names, draft, (identity, company))?;
            return Ok(LineOutcome::Inserted(lead));
        };
        let known = known_lead(db, self.tenant, lead)?;
        let mut changed = self.add_relations(db, names, lead, draft)?;
        let row = merge(&known.row, draft, identity);
        if row != known.row {
            update_lead(db, self.tenant, lead, &row)?;
            changed = true;
        }
        if let Some((account, row)) = &company
            && known.account != Some(*account)
        {
            // The account may be new.
            new.write(db)?;
            set_account(db, self.tenant, &known, *account, row)?;
            changed = true;
        }
        changed |= self.decide(db, &known, draft)?;
        Ok(if changed {
            LineOutcome::Updated(lead)
        } else {
            LineOutcome::Unchanged
        })
    }

    /// Adds a lead, and returns its row number.
    fn add_lead(
        &self,
        db: Db<'_>,
        new: &mut NewRows<'_>,
        names: &mut NameLookup,
        draft: &Draft,
        (identity, account): (Option<String>, Option<(i64, AccountRow)>),
    ) -> Result<i64, StoreError> {
        let row = self.new_row(draft, identity);
        let approval_status = draft.status.unwrap_or(PENDING);
        if approval_status != PENDING {
            self.record(db, &row.lead_id, (None, approval_status))?;
        }
        let id = new.lead_number(db)?;
        for list in draft.lists.iter().chain(&self.list) {
            new.add_list_item(id, names.list(db, self, list)?, item_id());
        }
        let mut campaign_lead_status = None;
        if let Some(campaign) = &draft.campaign {
            let row = self.campaign_lead(names.campaign(db, self, campaign)?);
            campaign_lead_status = Some(row.lead_status);
            new.add_campaign_lead(id, row);
        }
        new.add_lead(NewLead {
            id,
            row,
            approval_status,
            account,
            campaign_lead_status,
        });
        Ok(id)
    }

    /// Returns the account of a company; adds one if there is none.
    ///
    /// Missing values of a known account are filled in; existing values stay, so that two lines with
    /// different values do not overwrite each other in turn.
    fn account(
        &self,
        db: Db<'_>,
        new: &mut NewRows<'_>,
        company: &AccountRow,
    ) -> Result<(i64, AccountRow), StoreError> {
        let mut row = account_of(company, &self.at);
        if new.may_have_account(&row) {
            new.write(db)?;
        }
        let Some((account, known)) = find_account(db, self.tenant, &row)? else {
            row.account_id = format!("acc_{}", Uuid::now_v7().simple());
            return Ok((new.add_account(db, row.clone())?, row));
        };
        let completed = known.or(&row);
        if completed != known {
            // New leads may have copies of its columns.
            new.write(db)?;
            update_account(db, self.tenant, account, &completed)?;
            new.has_changed_account = true;
        }
        Ok((account, completed))
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

    /// Puts a known lead on its lists and into its campaign. Returns whether it was missing on one of
    /// them.
    fn add_relations(
        &self,
        db: Db<'_>,
        names: &mut NameLookup,
        lead: i64,
        draft: &Draft,
    ) -> Result<bool, StoreError> {
        let mut changed = false;
        for list in draft.lists.iter().chain(&self.list) {
            let list_id = names.list(db, self, list)?;
            let added = db.execute(
                "INSERT INTO list_items (lead, tenant, list_id, item_id, added_at)
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
                params![lead, self.tenant.0, list_id, item_id(), self.at],
            )?;
            if added > 0 {
                db.touch(self.tenant, ChangeKind::LIST, lead);
                changed = true;
            }
        }
        let Some(campaign) = &draft.campaign else {
            return Ok(changed);
        };
        let campaign_id = names.campaign(db, self, campaign)?;
        let sql =
            "SELECT 1 FROM campaign_leads WHERE tenant = ?1 AND lead = ?2 AND campaign_id = ?3";
        if db.exists(sql, params![self.tenant.0, lead, campaign_id])? {
            return Ok(changed);
        }
        let row = self.campaign_lead(campaign_id);
        insert_campaign_lead(db, self.tenant, lead, &row)?;
        let sql = "UPDATE leads SET campaign_lead_status = ?3 WHERE tenant = ?1 AND id = ?2";
        db.execute(sql, params![self.tenant.0, lead, row.lead_status])?;
        db.touch(self.tenant, ChangeKind::LEAD, lead);
        Ok(true)
    }

    fn campaign_lead(&self, campaign_id: String) -> CampaignLeadRow {
        CampaignLeadRow {
            campaign_id,
            campaign_lead_id: format!("campaign_lead_{}", Uuid::now_v7().simple()),
            lead_status: "pending",
            connection_accepted: false,
            message_replied: false,
            assigned_sender_name: None,
            created_at: self.at.clone(),
        }
    }

    /// Applies the decision in a file, only if the lead is still pending.
    fn decide(&self, db: Db<'_>, known: &KnownLead, draft: &Draft) -> Result<bool, StoreError> {
        let Some(status) = draft
            .status
            .filter(|status| known.approval_status == PENDING && *status != PENDING)
        else {
            return Ok(false);
        };
        self.record(db, &known.row.lead_id, (Some(PENDING), status))?;
        set_status(db, self.tenant, known.lead, status)?;
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

fn item_id() -> String {
    format!("item_{}", Uuid::now_v7().simple())
}
