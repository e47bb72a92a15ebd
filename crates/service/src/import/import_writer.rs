//! Writes drafts to the store: adds new leads and updates changed ones.

mod batch_rows;
mod matches;
mod name_lookup;

use std::sync::Arc;

use lead_workspace_api::import::ImportCounts;
use lead_workspace_import::{Draft, merge};
use lead_workspace_index::ChangeKind;
use uuid::Uuid;

use self::batch_rows::BatchRows;
use self::matches::Line;
pub(super) use self::name_lookup::NameLookup;
use crate::failpoint::Failpoint;
use crate::store::audit::{self, Actor, Decision};
use crate::store::db::{Db, params};
use crate::store::import_jobs::{BatchOutcome, StoredImport};
use crate::store::insert::{
    AccountRow, CampaignLeadRow, LeadRow, set_account, set_status, update_account, update_lead,
};
use crate::store::{AnyLead, StoreError, Tenant};
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
    /// Writes a batch, and records it with the import in the same change. It may be called again for the same batch, if
    /// the change was rolled back.
    pub(super) fn batch(
        &self,
        db: Db<'_>,
        batch: &Batch,
    ) -> Result<(WrittenBatch, AnyLead), StoreError> {
        // Otherwise two imports could create the same lead, account, list or campaign.
        self.tenant.lock(db)?;
        self.tenant.refuse_deleted(db)?;
        let mut counts = ImportCounts {
            failed: batch.failed,
            ..ImportCounts::default()
        };
        let mut names = NameLookup::clone(&batch.names);
        let lines = batch.drafts.iter();
        let lines: Vec<_> = lines.map(|draft| Line::of(draft, &self.at)).collect();
        let mut rows = BatchRows::read(db, self.tenant, &self.at, &lines)?;
        let outcomes = lines.into_iter();
        let outcomes = outcomes.map(|line| self.lead(db, &mut rows, &mut names, line));
        let outcomes = outcomes.collect::<Result<Vec<_>, _>>()?;
        rows.write(db)?;
        let mut leads = Vec::new();
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
        // A lead shows its account.
        Ok(((counts, names), AnyLead(rows.has_changed_account)))
    }

    fn lead(
        &self,
        db: Db<'_>,
        rows: &mut BatchRows<'_>,
        names: &mut NameLookup,
        line: Line<'_>,
    ) -> Result<LineOutcome, StoreError> {
        let found = rows.find_lead(db, &line)?;
        let Line {
            draft,
            identity,
            company,
        } = line;
        let company = company.map(|company| self.account(db, rows, company));
        let company = company.transpose()?;
        let Some(lead) = found else {
            let row = self.new_row(draft, identity);
            let lead = self.add_lead(db, rows, names, draft, (row, company))?;
            return Ok(LineOutcome::Inserted(lead));
        };
        let is_added = self.add_relations(db, rows, names, lead, draft)?;
        let is_changed = self.update(db, rows, lead, (draft, identity, company))?;
        Ok(if is_added || is_changed {
            LineOutcome::Updated(lead)
        } else {
            LineOutcome::Unchanged
        })
    }

    /// Changes a known lead to what a line says. Returns whether that differs.
    fn update(
        &self,
        db: Db<'_>,
        rows: &mut BatchRows<'_>,
        lead: i64,
        (draft, identity, company): (&Draft, Option<String>, Option<i64>),
    ) -> Result<bool, StoreError> {
        let Some(known) = rows.matches.lead(lead) else {
            return Err(StoreError::Unexpected("a lead is missing".into()));
        };
        let row = merge(&known.row, draft, identity);
        let company = company.filter(|account| known.account != Some(*account));
        // A decision in a file is applied only if the lead is still pending.
        let is_pending = known.approval_status == PENDING;
        let decision = draft
            .status
            .filter(|status| is_pending && *status != PENDING);
        if row == known.row && company.is_none() && decision.is_none() {
            return Ok(false);
        }
        let mut known = known.clone();
        if row != known.row {
            update_lead(db, self.tenant, lead, (&known.row, &row))?;
            known.row = row;
        }
        if let Some(account) = company {
            rows.write_account(db, account)?;
            if let Some(company) = rows.matches.account(account) {
                set_account(db, self.tenant, &known, account, company)?;
            }
            known.account = Some(account);
        }
        if let Some(status) = decision {
            self.record(db, &known.row.lead_id, (Some(PENDING), status))?;
            set_status(db, self.tenant, lead, status)?;
            known.approval_status = status.to_owned();
        }
        rows.matches.put_lead(known);
        Ok(true)
    }

    /// Adds a lead, and returns its row number.
    fn add_lead(
        &self,
        db: Db<'_>,
        rows: &mut BatchRows<'_>,
        names: &mut NameLookup,
        draft: &Draft,
        (row, account): (LeadRow, Option<i64>),
    ) -> Result<i64, StoreError> {
        let approval_status = draft.status.unwrap_or(PENDING);
        if approval_status != PENDING {
            self.record(db, &row.lead_id, (None, approval_status))?;
        }
        let lists = draft.lists.iter().chain(&self.list);
        let campaign = draft.campaign.as_ref();
        let campaign = campaign
            .map(|name| names.campaign(db, self, name))
            .transpose()?;
        let campaign = campaign.map(|campaign| self.campaign_lead(campaign));
        let status = campaign.as_ref().map(|row| row.lead_status);
        let lead = rows.add_lead(db, row, approval_status, account, status)?;
        for list in lists {
            rows.add_list_item(lead, &names.list(db, self, list)?);
        }
        campaign.map(|row| rows.add_campaign_lead(lead, row));
        Ok(lead)
    }

    /// Returns the account of a company; adds one if there is none.
    ///
    /// Missing values of a known account are filled in; existing values stay, so that two lines with
    /// different values do not overwrite each other in turn.
    fn account(
        &self,
        db: Db<'_>,
        rows: &mut BatchRows<'_>,
        mut row: AccountRow,
    ) -> Result<i64, StoreError> {
        let found = rows.matches.find_account(&row);
        let known = found.and_then(|account| Some((account, rows.matches.account(account)?)));
        let Some((account, known)) = known else {
            row.account_id = format!("acc_{}", Uuid::now_v7().simple());
            return rows.add_account(db, row);
        };
        let completed = known.or(&row);
        if completed != *known {
            // New leads may have copies of its columns.
            rows.write_account(db, account)?;
            update_account(db, self.tenant, account, &completed)?;
            rows.matches.put_account(account, completed);
            rows.has_changed_account = true;
        }
        Ok(account)
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
        rows: &mut BatchRows<'_>,
        names: &mut NameLookup,
        lead: i64,
        draft: &Draft,
    ) -> Result<bool, StoreError> {
        let mut changed = false;
        for list in draft.lists.iter().chain(&self.list) {
            changed |= rows.add_list_item(lead, &names.list(db, self, list)?);
        }
        let Some(campaign) = &draft.campaign else {
            return Ok(changed);
        };
        let row = self.campaign_lead(names.campaign(db, self, campaign)?);
        let status = row.lead_status;
        if rows.add_campaign_lead(lead, row) {
            let sql = "UPDATE leads SET campaign_lead_status = ?3 WHERE tenant = ?1 AND id = ?2";
            db.execute(sql, params![self.tenant.0, lead, status])?;
            db.touch(self.tenant, ChangeKind::LEAD, lead);
            changed = true;
        }
        Ok(changed)
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

    fn record(
        &self,
        db: Db<'_>,
        lead_id: &str,
        (from, to): (Option<&str>, &str),
    ) -> Result<(), StoreError> {
        let Some(actor) = &self.actor else {
            return Ok(());
        };
        let decision = Decision {
            actor,
            at: &now(),
            lead_id,
            from,
            to,
            import: Some(&self.import_job_id),
        };
        audit::record_decision(db, self.tenant, &decision)
    }
}
