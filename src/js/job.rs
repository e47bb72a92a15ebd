//! `waitForJob`.

use js_sys::Promise;
use lead_workspace_api::{Endpoint, Job, JobId, endpoints};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::to_js;
use super::hooks::call;
use super::options::{Bag, PerCall};
use super::{Workspace, abort, argument, read, settle};

#[wasm_bindgen]
impl Workspace {
    /// Waits until a job has ended, whichever way.
    #[wasm_bindgen(js_name = waitForJob, skip_typescript)]
    pub fn wait_for_job(&self, job_id: JsValue, options: JsValue) -> Promise {
        let client = self.client.clone();
        let arguments = (|| {
            Ok::<_, JsValue>((
                argument::text("job_id", &job_id)?,
                Bag::of("options", &options)?.function("onProgress")?,
                PerCall::read(&options)?,
            ))
        })();
        settle(async move {
            let (id, on_progress, per_call) = arguments?;
            let client = client.with_options(per_call.options);
            let id = JobId::from(id);
            let wait = client.wait_for_job(&id, |job| {
                if let Some(on_progress) = &on_progress
                    && let Ok(job) = plain(job)
                {
                    call(on_progress, &job);
                }
            });
            let job = abort::unless(per_call.signal, Box::pin(wait)).await?;
            plain(&job.map_err(|failure| to_js(&failure))?)
        })
    }
}

/// The job as `getJob` gives it.
fn plain(job: &Job) -> Result<JsValue, JsValue> {
    let value = serde_json::to_value(job).unwrap_or_default();
    let text = lead_workspace_api::json::text(&value);
    read(endpoints::GetJob::NAME, text.as_bytes())
}
