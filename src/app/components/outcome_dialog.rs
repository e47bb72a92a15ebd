//! Dialog of the leads of a bulk decision: names, errors, and actions for those that were not saved.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::decision_cells::RowAction;
use super::dialog::{head, modal};
use super::dom::{El, KeyedRow, a, button, div, li, p, span, ul};
use super::format;
use super::status_label::{ShownStatus, status_mark};
use crate::app::reactive::{RwSignal, Signal, StoredValue};

/// Number of leads shown at first, and added by each click on "Show more".
pub const STEP: usize = 20;

/// Maximum number of leads shown.
pub const MAX_LEADS: usize = 200;

/// Name and work of a lead, once they are loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadHeadline {
    /// The name, or the id if the name cannot be loaded.
    pub name: String,
    /// Title and company, or why the name could not be loaded.
    pub work: String,
}

/// Returns a value for a lead, by its id.
pub type ResultContext<Id, T> = Arc<dyn Fn(&Id) -> T + Send + Sync>;

/// Why the decision on a lead was not saved, and the status it should have set.
pub type FailedDecision = Option<(String, NewApprovalStatus)>;

/// Retries or reverts leads.
pub type OnRowAction = Rc<dyn Fn(RowAction, &[Arc<str>])>;

/// Inputs and callbacks of the dialog.
#[derive(Clone)]
pub struct Outcome {
    pub title: String,
    /// Explanation below the title.
    pub intro: &'static str,
    /// The leads at the time the dialog was opened.
    pub leads: Rc<Vec<Arc<str>>>,
    /// Number of leads shown.
    pub shown: RwSignal<usize>,
    /// `None` while the lead is loading.
    pub headline: ResultContext<str, Option<LeadHeadline>>,
    /// Current status and phase of a lead.
    pub shown_status: ResultContext<Arc<str>, ShownStatus>,
    /// Whether decisions wait before they are sent.
    pub is_paused: Signal<bool>,
    pub failure: ResultContext<str, FailedDecision>,
    /// Returns the URL of a lead's details.
    pub href: ResultContext<str, String>,
    pub on_act: OnRowAction,
}

/// Renders the dialog. After it is closed, calls `on_done` with the lead to open, or `None`.
pub fn outcome(outcome: &Outcome, on_done: Callback<Option<Arc<str>>>) -> El {
    let picked = StoredValue::new(None::<Arc<str>>);
    let dialog = modal("outcome", &outcome.title, move || {
        on_done.run(picked.get_value());
    })
    .attr("tabindex", "-1");
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let top = head(&outcome.title, &dialog.node());
    let on_open: Callback<Arc<str>> = Callback::new(move |lead| {
        picked.set_value(Some(lead));
        node.close();
    });
    let (of, leads, shown) = (outcome.clone(), Rc::clone(&outcome.leads), outcome.shown);
    let rows = move || {
        let row = |lead: &Arc<str>| {
            let (of, on_open, lead) = (of.clone(), on_open, Arc::clone(lead));
            KeyedRow {
                key: Arc::clone(&lead),
                version: 0,
                draw: Rc::new(move || row(&of, &lead, &on_open)),
            }
        };
        of.leads.iter().take(shown.get()).map(row).collect()
    };
    let all = leads.len();
    let more = move || {
        let (shown_now, most) = (shown.get(), all.min(MAX_LEADS));
        if shown_now < most {
            let more = STEP.min(most - shown_now) as u64;
            let label = ["Show ", &*format::number(more), " more"].concat();
            let show = move |_| shown.update(|shown| *shown += STEP);
            return Some(button().class("quiet").child(&label).on(ev::click, show));
        }
        let rest = all.checked_sub(MAX_LEADS).filter(|rest| *rest > 0)?;
        let rest = format::number(rest as u64);
        let text = [
            &*rest,
            " more are not shown. Actions on all leads include them.",
        ];
        Some(p().class("fine").child(text.concat()))
    };
    let lines = div()
        .class("lines")
        .child(ul().keyed_rows(rows))
        .child(div().class("rest").child(more));
    dialog
        .child(top)
        .child(p().class("intro").child(outcome.intro))
        .child(lines)
        .child({
            let of = outcome.clone();
            move || bottom(&of)
        })
}

/// Renders the actions for all leads that were not saved, if there are any.
fn bottom(of: &Outcome) -> Option<El> {
    let stuck: Vec<Arc<str>> = {
        let leads = of.leads.iter();
        let stuck = leads.filter(|lead| (of.failure)(lead).is_some());
        stuck.map(Arc::clone).collect()
    };
    let count = Some(stuck.len()).filter(|count| *count > 0)?;
    let number = format::number(count as u64);
    let act = |class: &str, verb: &str, act: RowAction| {
        let (on_act, stuck) = (Rc::clone(&of.on_act), stuck.clone());
        let label = [verb, " all ", &number].concat();
        button()
            .class(class)
            .child(&label)
            .on(ev::click, move |_| on_act(act, &stuck))
    };
    let buttons = div()
        .class("acts")
        .child(act("", "Revert", RowAction::Revert))
        .child(act("main", "Retry", RowAction::Retry));
    Some(
        div()
            .class("bottom")
            .child(span().class("message"))
            .child(buttons),
    )
}

fn row(of: &Outcome, lead: &Arc<str>, on_open: &Callback<Arc<str>>) -> El {
    let shown_status = (of.shown_status)(lead);
    let headline: Signal<Option<LeadHeadline>> = {
        let (headline, lead) = (Arc::clone(&of.headline), Arc::clone(lead));
        Signal::derive(move || headline(&lead))
    };
    let (open, href, id) = (*on_open, (of.href)(lead), Arc::clone(lead));
    let name = headline;
    let what = p().class("what").child(move || {
        let Some(LeadHeadline { name, .. }) = name.get() else {
            return Some(span().class("fine").child("Loading…"));
        };
        let (open, id) = (open, Arc::clone(&id));
        let link = a().attr("href", &href).child(&name);
        Some(link.on(ev::click, move |event| {
            if super::links::is_plain(&event) {
                event.prevent_default();
                open.run(Arc::clone(&id));
            }
        }))
    });
    let (failure, about, work) = (Arc::clone(&of.failure), Arc::clone(lead), headline);
    let is_paused = of.is_paused;
    let state = p().class("fine").child(move || {
        let (status, phase) = shown_status.get();
        let (mark, words) = status_mark(&status, phase, is_paused.get());
        let reason = failure(&about).map(|(reason, _)| reason);
        let rest = reason.or_else(|| {
            work.get()
                .map(|headline| headline.work)
                .filter(|work| !work.is_empty())
        });
        let rest = rest.map(|rest| [" · ", &rest].concat()).unwrap_or_default();
        let words = span()
            .class("state")
            .attr("data-mark", &*mark)
            .child(&*words);
        Some(span().child(words).child(&rest))
    });
    let (on_act, failure, id) = (
        Rc::clone(&of.on_act),
        Arc::clone(&of.failure),
        Arc::clone(lead),
    );
    li().class("line")
        .child(div().class("both").child(what).child(state))
        .child(move || {
            failure(&id)?;
            let name = headline
                .get()
                .map_or_else(|| id.to_string(), |headline| headline.name);
            let act = |verb: &str, act: RowAction| {
                let (on_act, id) = (Rc::clone(&on_act), Arc::clone(&id));
                button()
                    .class("")
                    .child(verb)
                    .attr("aria-label", [verb, " ", &name].concat())
                    .on(ev::click, move |_| on_act(act, &[Arc::clone(&id)]))
            };
            let acts = div().class("acts").child(act("Retry", RowAction::Retry));
            Some(acts.child(act("Revert", RowAction::Revert)))
        })
}
