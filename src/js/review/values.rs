//! Steps and runs as JavaScript values.

use js_sys::Array;
use wasm_bindgen::JsValue;

use super::UNKNOWN;
use crate::js::convert::{object, or_null};
use crate::review::bulk_run::Run;
use crate::review::history::Step;

pub(super) fn step_to_js(step: &Step) -> JsValue {
    let leads = step.changes.iter().map(|change| {
        let from = Some(change.from.as_str()).filter(|from| *from != UNKNOWN);
        object(&[("id", (*change.lead).into()), ("from", or_null(from))])
    });
    object(&[
        ("step", (step.number as f64).into()),
        ("status", step.to.as_str().into()),
        ("at", (step.at as f64).into()),
        ("leads", leads.collect::<Array>().into()),
    ])
}

pub(super) fn run_to_js(run: &Run) -> JsValue {
    let progress = run.progress();
    let progress = object(&[
        ("total", progress.all.into()),
        ("open", progress.open.into()),
        ("updated", progress.updated.into()),
        ("failed", progress.failed.into()),
        ("uncertain", progress.uncertain.into()),
        ("leftOut", progress.left_out().into()),
        ("isPaused", run.paused.into()),
        ("isCancelled", run.cancelled.into()),
    ]);
    object(&[
        ("run", (run.number as f64).into()),
        ("step", or_null(run.step.map(|step| step as f64))),
        ("progress", progress),
    ])
}
