//! Decisions on leads, and deletion of leads.

use std::collections::HashSet;

use lead_workspace_api::{LeadId, NewApprovalStatus};

use super::StoreError;
use crate::store::db::{Db, Row, params};
use crate::store::handle::{AnyLead, Store};
use crate::store::records::audit::{self, Actor, Decision};
use crate::store::records::insert::{delete_leads, set_status};
use crate::store::tenant::Tenant;
use crate::time::now;

impl Store {
    /// Sets the status of leads, all or none, and returns how many of them exist.
    ///
    /// A repeated id counts once, an unknown one not at all. A lead that already has the status is
    /// counted. With an actor, the changes are recorded in the audit log.
    pub async fn decide(
        &self,
        tenant: Tenant,
        lead_ids: Vec<LeadId>,
        status: NewApprovalStatus,
        actor: Option<Actor>,
    ) -> Result<u64, StoreError> {
        let change = move |db: Db<'_>| {
            let found = decide(db, tenant, &lead_ids, status, actor.as_ref())?;
            Ok((found, AnyLead(false)))
        };
        self.write_leads(tenant, change).await
    }

    /// Deletes a lead with everything that belongs to it, and returns whether the lead existed.
    ///
    /// That is: lists, scores, campaigns, intents, conversations, nurture and job targets.
    pub async fn delete_lead(
        &self,
        tenant: Tenant,
        lead_id: LeadId,
        actor: Option<Actor>,
    ) -> Result<bool, StoreError> {
        self.write_in(tenant, move |db| {
            if let Some(actor) = &actor {
                audit::record_deletion(db, tenant, actor, lead_id.as_str())?;
            }
            // Jobs identify leads by row number, which SQLite may reuse for a later lead.
            let lead = params![tenant.0, lead_id.as_str()];
            db.execute(
                "DELETE FROM job_targets WHERE tenant = ?1 AND job IN
                   (SELECT id FROM jobs WHERE tenant = ?1 AND kind = 'score_leads'
                    AND status IN ('collecting', 'queued', 'running'))
                 AND target = (SELECT id FROM leads WHERE tenant = ?1 AND lead_id = ?2)",
                lead,
            )?;
            let delete = "DELETE FROM leads WHERE tenant = ?1 AND lead_id = ?2
                          RETURNING id, account, lead_id";
            Ok(delete_leads(db, tenant, delete, lead)? > 0)
        })
        .await
    }
}

/// Sets the status of leads; see [`Store::decide`].
pub(in crate::store) fn decide(
    db: Db<'_>,
    tenant: Tenant,
    lead_ids: &[LeadId],
    status: NewApprovalStatus,
    actor: Option<&Actor>,
) -> Result<u64, StoreError> {
    // Locked, because the log says what was replaced.
    let find = "SELECT id, approval_status FROM leads WHERE tenant = ?1 AND lead_id = ?2
                /*postgres FOR NO KEY UPDATE */";
    let at = now();
    let mut found = HashSet::new();
    for lead_id in lead_ids {
        let values = params![tenant.0, lead_id.as_str()];
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let lead: Option<(i64, String)> = db.row(find, values, read)?;
        let Some((row, from)) = lead else { continue };
        // spec: not shown; every transition between the four states is allowed.
        if found.insert(row) && from != status.as_str() {
            if let Some(actor) = actor {
                let decision = Decision {
                    actor,
                    at: &at,
                    lead_id: lead_id.as_str(),
                    from: Some(&from),
                    to: status.as_str(),
                    import: None,
                };
                audit::record_decision(db, tenant, &decision)?;
            }
            set_status(db, tenant, row, status.as_str())?;
        }
    }
    Ok(found.len() as u64)
}
