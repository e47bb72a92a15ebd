//! `Workspace.review` for JavaScript: the decision engine. `www/npm/decisions.js` gives it its face.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use js_sys::{Array, Function};
use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use self::host::{OnChange, Page};
use self::values::{run_to_js, step_to_js};
use super::Workspace;
use super::argument;
use super::convert::{object, or_null, texts};
use super::error::argument as refused;
use super::options::Options;
use super::reads::leads;
use super::reviewed::Reviewed;
use crate::client::browser::is_online;
use crate::platform::event_listener::EventListener;
use crate::review::bulk_run::LeadOutcome;
use crate::review::engine::{Engine, LeadStatus};
use crate::review::outbox::Phase;

mod host;
mod values;

/// The status of a lead that is not known.
const UNKNOWN: &str = "";

/// Decisions on the leads of a workspace, for JavaScript.
#[wasm_bindgen(skip_typescript)]
pub struct Review {
    inner: Rc<Reviewed>,
    on_change: OnChange,
    listeners: RefCell<Vec<EventListener>>,
}

#[wasm_bindgen]
impl Workspace {
    /// Starts a review. `scope` names the workspace in storage; `slot` is the slot of a review that stopped with its
    /// instance of the module. `on_change` is called after every change.
    ///
    /// # Errors
    /// `ArgumentError` if an option is invalid.
    #[wasm_bindgen(skip_typescript)]
    pub fn review(
        &self,
        options: JsValue,
        scope: String,
        slot: Option<String>,
        on_change: Function,
    ) -> Result<Review, JsValue> {
        let options = Options::new("options", &options, &["persist", "storageKey"])?;
        let persist = options.get("persist").is_none() || options.flag("persist")?;
        let scope = options.text("storageKey")?.unwrap_or(scope);
        let on_change = OnChange::new(on_change);
        let engine = Engine::new(Box::new(Page {
            client: self.client.clone(),
            on_change: on_change.clone(),
        }));
        if persist {
            engine.persist(&scope, slot);
        }
        let resume = || {
            let engine = engine.clone();
            move || engine.resume()
        };
        let listeners = [
            EventListener::of_global("online", {
                let (resume, on_change) = (resume(), on_change.clone());
                move || {
                    resume();
                    on_change.call();
                }
            }),
            EventListener::of_global("offline", {
                let on_change = on_change.clone();
                move || on_change.call()
            }),
            EventListener::of_document("visibilitychange", resume()),
        ];
        let inner = Rc::new(Reviewed::new(engine));
        self.reviews.add(&inner);
        Ok(Review {
            inner,
            on_change,
            listeners: RefCell::new(listeners.into_iter().flatten().collect()),
        })
    }
}

#[wasm_bindgen]
impl Review {
    /// Decides on leads, each named once, with the status of each row. Returns the number of the step; undefined if every
    /// lead has the status.
    ///
    /// # Errors
    /// `ArgumentError` if an argument is invalid.
    #[wasm_bindgen(skip_typescript)]
    pub fn decide(&self, ids: &Array, rows: &Array, to: JsValue) -> Result<Option<f64>, JsValue> {
        let to = argument::status(&to)?;
        let given = rows.iter().map(|status| status.as_string());
        let mut leads: Vec<LeadStatus> = Vec::new();
        for (lead, given) in read_ids(ids)?.into_iter().zip(given) {
            let shown = self.inner.shown_as(&lead, given.as_deref());
            leads.push((lead, shown.unwrap_or_else(|| UNKNOWN.into())));
        }
        let step = self.inner.engine.decide(leads, to, "");
        Ok(step.map(|step| step as f64))
    }

    /// Undoes a step: `{step, leads, kept}`; undefined if there is nothing to undo.
    #[wasm_bindgen(skip_typescript)]
    pub fn undo(&self, step: Option<f64>) -> JsValue {
        let undone = self.inner.engine.undo(step.map(|step| step as u64));
        let Some(undone) = undone.filter(|undone| !undone.step.changes.is_empty()) else {
            return JsValue::UNDEFINED;
        };
        let (back, unknown): (Vec<_>, Vec<_>) = undone
            .step
            .changes
            .iter()
            .partition(|change| change.from.known().is_some());
        let kept = unknown.iter().map(|change| &change.lead);
        object(&[
            ("step", (undone.step.number as f64).into()),
            ("leads", texts(back.iter().map(|change| &change.lead))),
            ("kept", texts(undone.kept.iter().chain(kept))),
        ])
    }

    /// Redoes the step that was undone last, and returns its number.
    #[wasm_bindgen(skip_typescript)]
    pub fn redo(&self) -> Option<f64> {
        self.inner.engine.redo().map(|step| step as f64)
    }

    /// Returns phase, status to show, wanted status and reason of a lead, separated by newlines.
    #[wasm_bindgen(skip_typescript)]
    pub fn status(&self, lead: &str) -> String {
        let shown = self.inner.shown(lead);
        self.inner.engine.with_outbox(|outbox| {
            let failure = outbox.failure(lead);
            let wanted = outbox
                .wanted(lead)
                .or_else(|| failure.map(|(_, wanted)| wanted));
            [
                outbox.phase(lead).as_str(),
                shown.as_ref().map_or(UNKNOWN, ApprovalStatus::as_str),
                wanted.map_or(UNKNOWN, NewApprovalStatus::as_str),
                failure.map_or("", |(failure, _)| &failure.reason),
            ]
            .join("\n")
        })
    }

    /// Returns the statuses to show of these leads; undefined for those that were not decided here.
    #[wasm_bindgen(skip_typescript)]
    pub fn shown(&self, leads: &Array) -> Array {
        self.inner.engine.with_outbox(|outbox| {
            let shown = |lead: JsValue| outbox.shown(&lead.as_string()?);
            leads
                .iter()
                .map(|lead| shown(lead).map_or(JsValue::UNDEFINED, |shown| shown.as_str().into()))
                .collect()
        })
    }

    /// Returns the steps that can be undone, the latest first.
    #[wasm_bindgen(skip_typescript)]
    pub fn history(&self) -> Array {
        self.inner
            .engine
            .with_history(|history| history.recent().map(step_to_js).collect())
    }

    /// Returns the members of a `ReviewSnapshot`.
    #[wasm_bindgen(skip_typescript)]
    pub fn snapshot(&self) -> JsValue {
        let engine = &self.inner.engine;
        let (can_undo, can_redo) =
            engine.with_history(|history| (history.last().is_some(), history.can_redo()));
        let until = engine.pause().map(|(_, until)| until as f64);
        engine.with_outbox(|outbox| {
            object(&[
                ("pending", outbox.open().into()),
                ("failed", outbox.count(Phase::Failed).into()),
                ("uncertain", outbox.count(Phase::Uncertain).into()),
                ("confirmed", outbox.count(Phase::Confirmed).into()),
                ("canUndo", can_undo.into()),
                ("canRedo", can_redo.into()),
                ("isOnline", is_online().into()),
                ("pausedUntil", or_null(until)),
                ("isKept", engine.is_kept().into()),
            ])
        })
    }

    #[wasm_bindgen(js_name = isMoving, skip_typescript)]
    pub fn is_moving(&self) -> bool {
        self.inner.engine.is_moving()
    }

    /// Returns `{run, step, progress}` of each run.
    #[wasm_bindgen(skip_typescript)]
    pub fn runs(&self) -> Array {
        self.inner.engine.with_runs(|runs| {
            let numbers = runs.numbers();
            let runs = numbers.iter().filter_map(|number| runs.get(*number));
            runs.map(run_to_js).collect()
        })
    }

    /// Returns the number of the run of a step. Starts one for a step of few leads.
    #[wasm_bindgen(js_name = runOfStep, skip_typescript)]
    pub fn run_of_step(&self, step: f64) -> Option<f64> {
        let run = self.inner.engine.run_of_step(step as u64);
        run.map(|run| run as f64)
    }

    /// Returns the leads of a run by outcome; undefined once it was closed.
    #[wasm_bindgen(js_name = runOutcome, skip_typescript)]
    pub fn run_outcome(&self, run: f64) -> JsValue {
        self.inner.engine.with_runs(|runs| {
            let Some(run) = runs.get(run as u64) else {
                return JsValue::UNDEFINED;
            };
            let leads = |outcome| texts(run.leads_of(outcome).iter());
            let open = [LeadOutcome::Waiting, LeadOutcome::Sending];
            let open = open.map(|outcome| run.leads_of(outcome)).concat();
            object(&[
                ("open", texts(&open)),
                ("updated", leads(LeadOutcome::Updated)),
                ("failed", leads(LeadOutcome::Failed)),
                ("uncertain", leads(LeadOutcome::Uncertain)),
                ("leftOut", leads(LeadOutcome::LeftOut)),
            ])
        })
    }

    /// Pauses, resumes, cancels, retries or closes a run.
    #[wasm_bindgen(js_name = changeRun, skip_typescript)]
    pub fn change_run(&self, run: f64, change: &str) {
        let (engine, run) = (&self.inner.engine, run as u64);
        match change {
            "pause" | "resume" => engine.set_run_paused(run, change == "pause"),
            "cancel" => engine.cancel_run(run),
            "retry" => engine.retry_run(run),
            _ => engine.close_run(run),
        }
    }

    /// Sends unsaved decisions again, of these leads or of all; or gives them up.
    ///
    /// # Errors
    /// `ArgumentError` if an id is invalid.
    #[wasm_bindgen(skip_typescript)]
    pub fn unsaved(&self, ids: Option<Array>, retry: bool) -> Result<(), JsValue> {
        let leads = ids.as_ref().map(read_ids).transpose()?;
        let (engine, leads) = (&self.inner.engine, leads.as_deref());
        if retry {
            engine.retry(leads);
        } else {
            engine.revert(leads);
        }
        Ok(())
    }

    /// Registers a read that is about to be sent, and returns its number.
    #[wasm_bindgen(js_name = startRead, skip_typescript)]
    pub fn start_read(&self) -> f64 {
        self.inner.engine.start_read() as f64
    }

    /// Takes the result of a read.
    #[wasm_bindgen(js_name = onRead, skip_typescript)]
    pub fn on_read(&self, sent: f64, result: &JsValue) {
        self.inner.on_read(&leads(result), sent as u64);
    }

    /// Ends a pause and sends what is queued.
    #[wasm_bindgen(skip_typescript)]
    pub fn resume(&self) {
        self.inner.engine.resume();
    }

    /// Ends the review. It can still be read.
    #[wasm_bindgen(skip_typescript)]
    pub fn close(&self) {
        self.on_change.release();
        self.listeners.take();
        self.inner.engine.close();
    }

    /// The slot in local storage, once it is known.
    #[wasm_bindgen(getter, skip_typescript)]
    pub fn slot(&self) -> Option<String> {
        self.inner.engine.slot()
    }
}

impl Drop for Review {
    fn drop(&mut self) {
        self.close();
    }
}

fn read_ids(ids: &Array) -> Result<Vec<Arc<str>>, JsValue> {
    let ids = ids.iter().enumerate().map(|(index, id)| {
        let name = format!("leads.{index}");
        match argument::text(&name, &id)? {
            id if id.is_empty() => Err(refused(&format!("{name} is empty"))),
            id => Ok(Arc::from(id)),
        }
    });
    ids.collect()
}
