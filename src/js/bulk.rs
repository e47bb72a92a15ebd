//! `updateLeads` for JavaScript.

use std::future::pending;

use js_sys::{Array, Promise, Reflect};
use lead_workspace_api::{LeadId, endpoints};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::abort::Aborted;
use super::convert::{notify, object, texts};
use super::error::{argument as refused, to_js};
use super::options::PerCall;
use super::{Workspace, argument, settle};
use crate::client::TableRow;
use crate::review::bulk_update::{BulkOutcome, BulkProgress};
use crate::review::outbox::CHUNK;

#[wasm_bindgen]
impl Workspace {
    /// Sets the approval status of any number of leads, in chunks. Resolves with the outcome also after an abort.
    #[wasm_bindgen(js_name = updateLeads, skip_typescript)]
    pub fn update_leads(&self, ids: JsValue, status: JsValue, options: JsValue) -> Promise {
        let arguments = (|| {
            let per_call = PerCall::read(&options, &["chunkSize", "onProgress"])?;
            let client = self.client.with_options(per_call.options.clone());
            // Once for all requests, which would each fail with this error.
            let row = TableRow::of::<endpoints::UpdateLeads>();
            client.check_extra(row).map_err(|reason| refused(&reason))?;
            Ok::<_, JsValue>((
                read_ids(&ids)?,
                argument::status(&status)?,
                per_call,
                client,
            ))
        })();
        let (ids, status, per_call, client) = match arguments {
            Ok(arguments) => arguments,
            Err(refusal) => return Promise::reject(&refusal),
        };
        let signal = per_call.signal;
        let work = Box::pin(async move {
            let cancel = async {
                match signal {
                    Some(signal) => drop(Aborted::new(signal).await),
                    None => pending().await,
                }
            };
            // The errors of the progress, which are those of the outcome in the same order.
            let mut errors = Vec::new();
            let progress = |progress: BulkProgress<'_>| {
                let error = progress.error.map(to_js);
                errors.extend(error.clone());
                if let Some(on_progress) = &per_call.on_progress {
                    notify(on_progress, &js_progress(&progress, error));
                }
            };
            let chunk = per_call.chunk_size.map_or(CHUNK, |size| size as usize);
            let outcome = client.update_many_leads(ids, status, chunk, cancel, progress);
            let outcome = outcome.await;
            Ok(js_outcome(&outcome, errors))
        });
        // The signal stops the requests, but not this promise, which must report the outcome of each lead.
        settle(None, work)
    }
}

fn read_ids(ids: &JsValue) -> Result<Vec<LeadId>, JsValue> {
    if !Array::is_array(ids) {
        return Err(refused("ids must be an array of strings"));
    }
    let ids = Array::from(ids);
    let ids = ids.iter().enumerate().map(|(index, id)| {
        let name = format!("ids.{index}");
        match argument::text(&name, &id)? {
            id if id.is_empty() => Err(refused(&format!("{name} is empty"))),
            id => Ok(LeadId::from(id)),
        }
    });
    ids.collect()
}

fn js_progress(progress: &BulkProgress<'_>, error: Option<JsValue>) -> JsValue {
    let BulkOutcome {
        updated,
        failed,
        uncertain,
        ..
    } = progress.outcome;
    let event = object(&[
        ("done", progress.done.into()),
        ("total", progress.total.into()),
        ("updated", updated.len().into()),
        ("failed", failed.len().into()),
        ("uncertain", uncertain.len().into()),
    ]);
    if let Some(error) = error {
        // Setting a member of a plain object cannot fail.
        let _ = Reflect::set(&event, &"error".into(), &error);
    }
    event
}

fn js_outcome(outcome: &BulkOutcome, errors: Vec<JsValue>) -> JsValue {
    // Leads that were not changed, and why.
    let errors = outcome.errors.iter().zip(errors);
    let errors = errors
        .map(|(bulk_error, error)| object(&[("ids", texts(&bulk_error.ids)), ("error", error)]));
    object(&[
        ("updated", texts(&outcome.updated)),
        ("failed", texts(&outcome.failed)),
        ("uncertain", texts(&outcome.uncertain)),
        ("errors", errors.collect::<Array>().into()),
    ])
}
