//! `waitForJob`.

use js_sys::Promise;
use lead_workspace_api::{JobId, endpoints};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::notify;
use super::error::to_js;
use super::options::PerCall;
use super::{Workspace, argument, results, settle};
use crate::client::{ApiResponse, Error, TableRow, property};

#[wasm_bindgen]
impl Workspace {
    /// Waits until a job has ended, successfully or not.
    #[wasm_bindgen(js_name = waitForJob, skip_typescript)]
    pub fn wait_for_job(&self, job_id: JsValue, options: JsValue) -> Promise {
        let arguments = argument::text("job_id", &job_id)
            .and_then(|id| Ok((JobId::from(id), PerCall::read(&options, &["onProgress"])?)));
        let (id, per_call) = match arguments {
            Ok(arguments) => arguments,
            Err(refusal) => return Promise::reject(&refusal),
        };
        let client = self.client.with_options(per_call.options);
        let on_progress = per_call.on_progress;
        let signal = per_call.signal.clone();
        let work = Box::pin(async move {
            let row = TableRow::of::<endpoints::GetJob>();
            let mut read = |result: Result<&ApiResponse, &Error>| {
                let response = result.map_err(to_js)?;
                results::keep_response(signal.as_ref(), response);
                let job = results::read(&client, row, response)?;
                if let Some(on_progress) = &on_progress {
                    notify(on_progress, &job);
                }
                let state = property(&job, "state").and_then(|state| state.as_string());
                Ok::<_, JsValue>((state.as_deref() != Some("running")).then_some(job))
            };
            client.watch_job(&id, &mut read).await
        });
        settle(per_call.signal, work)
    }
}
