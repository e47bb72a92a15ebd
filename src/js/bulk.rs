//! `updateLeads`: changes any number of leads, with progress and an outcome for each.

use std::pin::pin;

use js_sys::{Array, Promise};
use lead_workspace_api::{LeadId, NewApprovalStatus, endpoints, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::abort::Aborted;
use super::error::{argument as refused, to_js};
use super::options::{Bag, PerCall};
use super::{Workspace, argument, face, settle};
use crate::client::bulk::{Bulk, BulkOutcome, CHUNK, Chunk};
use crate::client::many::Progress;
use crate::client::{Call, Client, Parameters, TableRow, property};

#[wasm_bindgen]
impl Workspace {
    /// Sets the approval status of any number of leads, in chunks.
    #[wasm_bindgen(js_name = updateLeads, skip_typescript)]
    pub fn update_leads(&self, ids: JsValue, status: JsValue, options: JsValue) -> Promise {
        let client = self.client.clone();
        let arguments = (|| {
            if !Array::is_array(&ids) {
                return Err(refused("ids must be an array of strings"));
            }
            let ids = Array::from(&ids);
            let ids = ids.iter().map(|id| match id.as_string() {
                Some(text) if argument::is_broken(&id, &text) => {
                    Err(refused("an id holds half of a character"))
                }
                Some(text) => Ok(LeadId::from(text)),
                None => Err(refused("ids must be an array of strings")),
            });
            let ids = ids.collect::<Result<Vec<_>, _>>()?;
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
        let work = Box::pin(async move {
            let (ids, status, chunk, on_progress, per_call) = arguments?;
            let client = client.with_options(per_call.options);
            let signal = per_call.signal;
            let cancelling = signal.clone();
            let cancel = pin!(async {
                match cancelling {
                    Some(signal) => Aborted::of(signal).await,
                    None => std::future::pending().await,
                }
            });
            let send = |client: &Client, chunk: &Chunk| -> Call<Option<u64>> {
                let client = client.clone();
                let (row, path) = match chunk.ids.as_slice() {
                    [id] if chunk.is_alone() => {
                        (TableRow::of::<endpoints::UpdateLead>(), id.as_str())
                    }
                    _ => (TableRow::of::<endpoints::UpdateLeads>(), ""),
                };
                let body = body((!chunk.is_alone()).then_some(&chunk.ids), status);
                let path = [path];
                let path = if chunk.is_alone() {
                    path.as_slice()
                } else {
                    &[]
                };
                let call = client.exchange(row, path, Ok(body));
                Box::pin(async move {
                    let answer = call.await?;
                    let read = face::read(row.name(), &answer.body).map_err(|problem| {
                        client.undecodable(row, &answer, &face::message(problem))
                    })?;
                    let updated = property(&read, "updated").and_then(|count| count.as_f64());
                    Ok(updated.map(|count| count as u64))
                })
            };
            // Converted when the chunk fails, as the platform's exceptions are stored for a short
            // time only. One per error of the outcome, in the same order.
            let mut errors = Vec::new();
            let mut progress = |progress: Progress<'_>| {
                let error = progress.error.map(to_js);
                if let Some(on_progress) = &on_progress {
                    tell(on_progress, &progress, error.as_ref());
                }
                errors.extend(error);
            };
            let bulk = Bulk::new(ids, chunk);
            let outcome = client.in_chunks(bulk, &send, cancel, &mut progress).await;
            let result = plain(&outcome, errors);
            if signal.is_some_and(|signal| signal.aborted()) {
                return Err(face::cut_short(&result));
            }
            Ok(result)
        });
        // The signal stops the requests, but not this promise, which must report the outcome of each lead.
        settle(None, work)
    }
}

/// Builds the contract's body for one lead or for several. The limits were checked before.
fn body(ids: Option<&Vec<LeadId>>, status: NewApprovalStatus) -> Parameters {
    let mut body = String::from("{");
    for (index, id) in ids.into_iter().flatten().enumerate() {
        body.push_str(if index > 0 { "," } else { "\"lead_ids\":[" });
        json::quote(id.as_str(), &mut body);
    }
    if ids.is_some() {
        body.push_str("],");
    }
    body.push_str("\"approval_status\":");
    json::quote(status.as_str(), &mut body);
    body.push('}');
    Parameters {
        body: Some(body),
        ..Parameters::default()
    }
}

fn plain(outcome: &BulkOutcome, made: Vec<JsValue>) -> JsValue {
    let list = |ids: &[LeadId]| -> Array {
        ids.iter()
            .map(|id| JsValue::from_str(id.as_str()))
            .collect()
    };
    // Ids and their error alternate.
    let errors = Array::new();
    for (missed, error) in outcome.errors.iter().zip(made) {
        errors.push(&list(&missed.ids));
        errors.push(&error);
    }
    face::outcome(
        &list(&outcome.updated),
        &list(&outcome.failed),
        &list(&outcome.uncertain),
        &errors,
    )
}

fn tell(on_progress: &js_sys::Function, progress: &Progress<'_>, error: Option<&JsValue>) {
    let outcome = progress.outcome;
    face::tell_progress(
        on_progress,
        progress.done,
        progress.total,
        outcome.updated.len(),
        outcome.failed.len(),
        outcome.uncertain.len(),
        error.unwrap_or(&JsValue::UNDEFINED),
    );
}
