//! Handler for polling a job.

use lead_workspace_api::endpoints::NoParams;
use lead_workspace_api::{Job, JobId};

use super::ApiError;
use super::auth::Caller;

pub(super) async fn get_job(caller: Caller, job_id: JobId, _: NoParams) -> Result<Job, ApiError> {
    let found = caller.store().job(caller.tenant, job_id.clone()).await?;
    found.ok_or_else(|| ApiError::unknown("job", job_id.as_str()))
}
