//! `updateLeads`: any number of leads, with progress and a result for each.

use js_sys::{Array, Promise, Reflect};
use lead_workspace_api::LeadId;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::abort::{self, Aborted};
use super::argument;
use super::error::{argument as refused, to_js, value};
use super::hooks::call;
use super::options::{Bag, PerCall};
use super::{Workspace, settle};
use crate::client::bulk::{BulkOutcome, CHUNK};
use crate::client::many::Progress;

#[derive(Serialize)]
struct Outcome<'a> {
    updated: &'a [LeadId],
    failed: &'a [LeadId],
    uncertain: &'a [LeadId],
}

#[derive(Serialize)]
struct Seen {
    done: usize,
    total: usize,
    updated: usize,
    failed: usize,
    uncertain: usize,
}

#[wasm_bindgen]
impl Workspace {
    /// Sets the approval status of any number of leads, in chunks.
    #[wasm_bindgen(js_name = updateLeads, skip_typescript)]
    pub fn update_leads(&self, ids: JsValue, status: JsValue, options: JsValue) -> Promise {
        let client = self.client.clone();
        let arguments = (|| {
            let ids = Some(&ids).filter(|ids| Array::is_array(ids));
            let ids = ids.and_then(|ids| {
                let ids = Array::from(ids);
                let ids = ids.iter().map(|id| id.as_string().map(LeadId::from));
                ids.collect::<Option<Vec<_>>>()
            });
            let ids = ids.ok_or_else(|| refused("ids must be an array of strings"))?;
            if ids.iter().any(|id| id.as_str().is_empty()) {
                return Err(refused("an id is empty"));
            }
            let bag = Bag::of("options", &options)?;
            let chunk = match bag.whole("chunkSize")? {
                Some(0) => return Err(bag.refused("chunkSize", "at least 1")),
                size => size.map_or(CHUNK, |size| size as usize),
            };
            Ok((
                ids,
                argument::status(&status)?,
                chunk,
                bag.function("onProgress")?,
                PerCall::read(&options)?,
            ))
        })();
        settle(async move {
            let (ids, status, chunk, on_progress, per_call) = arguments?;
            let client = client.with_options(per_call.options);
            let signal = per_call.signal;
            let cancel = async {
                match signal.clone() {
                    Some(signal) => Aborted::of(signal).await,
                    None => std::future::pending().await,
                }
            };
            let progress = |progress: Progress<'_>| {
                if let Some(on_progress) = &on_progress {
                    call(on_progress, &seen(&progress));
                }
            };
            let outcome = client
                .update_many_leads(ids, status, chunk, cancel, progress)
                .await;
            let result = plain(&outcome);
            if signal.is_some_and(|signal| signal.aborted()) {
                let error = abort::error();
                Reflect::set(&error, &"outcome".into(), &result)?;
                return Err(error);
            }
            Ok(result)
        })
    }
}

fn plain(outcome: &BulkOutcome) -> JsValue {
    value(&Outcome {
        updated: &outcome.updated,
        failed: &outcome.failed,
        uncertain: &outcome.uncertain,
    })
}

fn seen(progress: &Progress<'_>) -> JsValue {
    let outcome = progress.outcome;
    let event = value(&Seen {
        done: progress.done,
        total: progress.total,
        updated: outcome.updated.len(),
        failed: outcome.failed.len(),
        uncertain: outcome.uncertain.len(),
    });
    if let Some(error) = progress.error {
        // A plain object takes any property.
        let _ = Reflect::set(&event, &"error".into(), &to_js(error));
    }
    event
}
