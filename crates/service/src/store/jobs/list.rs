//! Reading jobs.

use lead_workspace_api::{Job, JobId, Raw};
use serde_json::json;

use crate::store::db::params;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::records::leads::{nullable, raw_json, text};
use crate::store::tenant::Tenant;

impl Store {
    pub async fn job(&self, tenant: Tenant, job_id: JobId) -> Result<Option<Job>, StoreError> {
        self.read_in(tenant, move |db| {
            let sql =
                "SELECT job_id, workflow_id, kind, status, done, total, result, error, created_at,
                         updated_at
                       FROM jobs WHERE tenant = ?1 AND job_id = ?2";
            let values = params![tenant.0, job_id.as_str()];
            db.row(sql, values, |row| {
                let (done, total): (i64, i64) = (row.get("done")?, row.get("total")?);
                let status: Option<String> = nullable(row, "status")?;
                let error: Option<String> = nullable(row, "error")?;
                Ok(Job {
                    job_id: text(row, "job_id")?,
                    workflow_id: text(row, "workflow_id")?,
                    kind: nullable(row, "kind")?,
                    state: status.clone(),
                    status,
                    progress: Some(json!({"done": done, "total": total}).into()),
                    result: raw_json(row, "result")?,
                    // Plain text, or JSON that is returned as it is.
                    error: error.map(|text| {
                        Raw::parse(text.clone()).unwrap_or_else(|_| json!(text).into())
                    }),
                    created_at: nullable(row, "created_at")?,
                    updated_at: nullable(row, "updated_at")?,
                })
            })
        })
        .await
    }
}
