//! `waitForJob`.

use js_sys::Promise;
use lead_workspace_api::{JobId, endpoints};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::to_js;
use super::options::{Bag, PerCall};
use super::{Workspace, argument, face, settle};
use crate::client::{ApiResponse, Error, TableRow, property};

#[wasm_bindgen]
impl Workspace {
    /// Waits until a job has ended, successfully or not.
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
        let (signal, arguments) = match arguments {
            Ok((id, on_progress, per_call)) => {
                let client = client.with_options(per_call.options);
                (per_call.signal, Ok((id, on_progress, client)))
            }
            Err(refusal) => (None, Err(refusal)),
        };
        let work = Box::pin(async move {
            let (id, on_progress, client) = arguments?;
            let id = JobId::from(id);
            let row = TableRow::of::<endpoints::GetJob>();
            let mut read = |seen: Result<&ApiResponse, &Error>| {
                let answer = seen.map_err(to_js)?;
                let job = face::read(row.name(), &answer.body).map_err(|problem| {
                    to_js(&client.undecodable(row, answer, &face::message(problem)))
                })?;
                if let Some(on_progress) = &on_progress {
                    face::tell(on_progress, &job);
                }
                let state = property(&job, "state").and_then(|state| state.as_string());
                Ok::<_, JsValue>((state.as_deref() != Some("running")).then_some(job))
            };
            client.watch_job(&id, &mut read).await
        });
        settle(signal, work)
    }
}
