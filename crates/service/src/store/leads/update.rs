//! Decisions on leads, and deletion of leads.

use lead_workspace_api::{LeadId, NewApprovalStatus};
use rusqlite::params;

use super::StoreError;
use crate::store::audit::{self, Actor};
use crate::store::{Store, Tenant};

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
        let lead_ids = serde_json::to_string(&lead_ids)
            .map_err(|error| StoreError::Unexpected(error.to_string()))?;
        self.write_in(tenant, move |connection| {
            if let Some(actor) = &actor {
                audit::record_decision(connection, tenant, actor, &lead_ids, status)?;
            }
            // spec: not shown; every transition between the four states is allowed.
            let updated = connection
                .prepare_cached(
                    "UPDATE leads SET approval_status = ?3
                     WHERE tenant = ?1 AND lead_id IN (SELECT value FROM json_each(?2))",
                )?
                .execute(params![tenant.0, lead_ids, status.as_str()])?;
            Ok(updated as u64)
        })
        .await
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
        self.write_in(tenant, move |connection| {
            if let Some(actor) = &actor {
                audit::record_deletion(connection, tenant, actor, lead_id.as_str())?;
            }
            // Jobs identify leads by row number, which SQLite may reuse for a later lead.
            connection
                .prepare_cached(
                    "DELETE FROM job_targets WHERE job IN
                       (SELECT id FROM jobs WHERE tenant = ?1 AND kind = 'score_leads'
                        AND status IN ('collecting', 'queued', 'running'))
                     AND target = (SELECT id FROM leads WHERE tenant = ?1 AND lead_id = ?2)",
                )?
                .execute(params![tenant.0, lead_id.as_str()])?;
            // Related tables delete their rows by ON DELETE CASCADE.
            let deleted = connection
                .prepare_cached("DELETE FROM leads WHERE tenant = ?1 AND lead_id = ?2")?
                .execute(params![tenant.0, lead_id.as_str()])?;
            Ok(deleted > 0)
        })
        .await
    }
}
