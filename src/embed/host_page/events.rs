//! What the host page is told of: the selection, the open lead, and the results of decisions on many leads.

use std::sync::Arc;

use js_sys::Array;
use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::{function, object};
use crate::app::components::dom::effect;
use crate::app::model::route::{LEAD_PARAM, LEADS_PATH, param};
use crate::app::reactive::{StoredValue, memo};
use crate::app::state::decisions::Decisions;
use crate::app::state::{AppState, spawn};
use crate::embed::callbacks::call;
use crate::review::bulk_run::LeadOutcome;
use crate::review::outbox::Phase;

/// Tells the page from now on, under the current owner.
pub(super) fn start(app: AppState) {
    selection(app);
    open_lead(app);
    bulk(app);
}

/// Calls a listener of the page, in a task of its own: it may remove the review.
fn tell(app: AppState, name: &'static str, event: JsValue) {
    let listener = untrack(|| app.host.get(|parts| function(&parts.given, name)));
    let Some(listener) = listener else { return };
    spawn(async move { call(&listener, &event) });
}

fn texts<'a>(texts: impl Iterator<Item = &'a Arc<str>>) -> JsValue {
    let texts: Array = texts.map(|text| JsValue::from_str(text)).collect();
    texts.into()
}

fn selection(app: AppState) {
    let lists = [
        ("leads", app.leads.grid_selection.selection),
        ("accounts", app.accounts.grid_selection.selection),
    ];
    for (name, selection) in lists {
        let was_empty = StoredValue::new(true);
        effect(move || {
            let (is_empty, ids) = selection.with(|selection| {
                (
                    selection.is_empty(),
                    texts(selection.ids().map(|(id, _)| id)),
                )
            });
            // Nothing is selected at first.
            if !(is_empty && was_empty.get_value()) {
                let event = object(&[("list", name.into()), ("ids", ids)]);
                tell(app, "onSelection", event.into());
            }
            was_empty.set_value(is_empty);
        });
    }
}

fn open_lead(app: AppState) {
    let (path, query) = (app.nav.path(), app.nav.query());
    let open = memo(move |_| {
        // Other pages have other details.
        path.with(|path| path == LEADS_PATH)
            .then(|| query.with(|query| param(query, LEAD_PARAM)))?
    });
    let before = StoredValue::new(None::<String>);
    effect(move || {
        let now = open.get();
        if before.with_value(|before| *before != now) {
            let id = now.as_deref().map_or(JsValue::NULL, JsValue::from_str);
            tell(app, "onOpen", object(&[("leadId", id)]).into());
            before.set_value(now);
        }
    });
}

/// A decision on several leads, until the outcome of each is known.
#[derive(Clone)]
struct Underway {
    step: u64,
    to: NewApprovalStatus,
    leads: Vec<Arc<str>>,
}

/// The leads that were updated, those that failed, and those that were perhaps updated.
type Outcome = [Vec<Arc<str>>; 3];

fn bulk(app: AppState) {
    let decisions = app.decisions;
    let last = StoredValue::new(0);
    let underway = StoredValue::new(Vec::<Underway>::new());
    effect(move || {
        let newest = decisions.last_step(|step| {
            (step.number > last.get_value()).then(|| Underway {
                step: step.number,
                to: step.to,
                leads: step
                    .changes
                    .iter()
                    .map(|change| Arc::clone(&change.lead))
                    .collect(),
            })
        });
        if let Some(step) = newest.flatten() {
            last.set_value(step.step);
            if step.leads.len() > 1 {
                underway.update_value(|all| all.push(step));
            }
        }
        for step in underway.get_value() {
            let Some([updated, failed, uncertain]) = outcome(decisions, &step) else {
                continue;
            };
            underway.update_value(|all| all.retain(|other| other.step != step.step));
            let event = object(&[
                ("status", step.to.as_str().into()),
                ("updated", texts(updated.iter())),
                ("failed", texts(failed.iter())),
                ("uncertain", texts(uncertain.iter())),
            ]);
            tell(app, "onBulk", event.into());
        }
    });
}

/// Returns what became of a decision on several leads. `None` while the outcome of any is open. Leads that were decided again are
/// left out.
fn outcome(decisions: Decisions, step: &Underway) -> Option<Outcome> {
    let mut runs = decisions.runs().into_iter().rev();
    let run =
        runs.find(|number| decisions.run(*number, |run| run.step).flatten() == Some(step.step));
    if let Some(run) = run {
        let progress = decisions.progress(run).unwrap_or_default();
        let of = |outcome| decisions.leads_of(run, outcome);
        return (progress.open == 0).then(|| {
            [
                of(LeadOutcome::Updated),
                of(LeadOutcome::Failed),
                of(LeadOutcome::Uncertain),
            ]
        });
    }
    let mut outcome = Outcome::default();
    for lead in &step.leads {
        let (status, phase) = decisions.shown(lead, &step.to.into());
        let at = match phase {
            Phase::Queued | Phase::Sent | Phase::Retrying => return None,
            Phase::Failed => 1,
            Phase::Uncertain => 2,
            Phase::Confirmed | Phase::Idle if status.known() == Some(step.to) => 0,
            Phase::Confirmed | Phase::Idle => continue,
        };
        outcome[at].push(Arc::clone(lead));
    }
    Some(outcome)
}
