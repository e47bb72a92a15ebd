//! Dialog of the leads of a bulk decision: names, errors, and actions for those that were not saved.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::dom::{Action, El, KeyedRow, Reader, button, classed, el, reader};
use super::format;
use super::lead_row::RowAction;
use super::modal::{head, modal};
use super::status_label::{ShownStatus, phase_word, status_word};
use crate::app::signal::RwSignal;
use crate::review::outbox::Phase;

/// Number of leads shown at first, and added by each click on "Show more".
pub const STEP: usize = 20;

/// Maximum number of leads shown.
pub const MOST: usize = 200;

/// Name and work of a lead, once they are loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadHeadline {
    /// The name, or the id if the name cannot be loaded.
    pub name: String,
    /// Title and company, or why the name could not be loaded.
    pub work: String,
}

/// Returns a value for a lead, by its id.
pub type ResultContext<Id, T> = Rc<dyn Fn(&Id) -> T>;

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
    pub who: ResultContext<str, Option<LeadHeadline>>,
    /// Current status and phase of a lead.
    pub shown_status: ResultContext<Arc<str>, ShownStatus>,
    pub failure: ResultContext<str, FailedDecision>,
    /// Returns the URL of a lead's details.
    pub href: ResultContext<str, String>,
    pub on_act: OnRowAction,
}

/// Renders the dialog. After it is closed, calls `on_done` with the lead to open, or `None`.
pub fn outcome(outcome: &Outcome, on_done: Action<Option<Arc<str>>>) -> El {
    let picked = StoredValue::new(None::<Arc<str>>);
    let dialog = modal("outcome", &outcome.title, move || {
        on_done(picked.get_value());
    })
    .attr("tabindex", "-1");
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let top = head(&outcome.title, &dialog.node());
    let on_open: Action<Arc<str>> = Rc::new(move |lead| {
        picked.set_value(Some(lead));
        node.close();
    });
    let (of, leads, shown) = (outcome.clone(), Rc::clone(&outcome.leads), outcome.shown);
    let rows = reader(move || {
        let row = |(at, lead): (usize, &Arc<str>)| {
            let (of, on_open, lead) = (of.clone(), Rc::clone(&on_open), Arc::clone(lead));
            KeyedRow {
                key: Arc::clone(&lead),
                version: 0,
                index: at as u64,
                draw: Rc::new(move |_| row(&of, &lead, &on_open)),
            }
        };
        let leads = of.leads.iter().take(shown.get());
        leads.enumerate().map(row).collect()
    });
    let all = leads.len();
    let more = move || {
        let (shown_now, most) = (shown.get(), all.min(MOST));
        if shown_now < most {
            let more = STEP.min(most - shown_now) as u64;
            let label = ["Show ", &*format::number(more), " more"].concat();
            let show = move |_| shown.update(|shown| *shown += STEP);
            return Some(button("quiet", &label).on("click", show));
        }
        let rest = all.checked_sub(MOST).filter(|rest| *rest > 0)?;
        let rest = format::number(rest as u64);
        let text = [
            &*rest,
            " more are not shown. Actions on all leads include them.",
        ];
        Some(classed("p", "fine").text(&text.concat()))
    };
    let lines = classed("div", "lines")
        .el(el("ul").rows_of(rows))
        .el(classed("div", "rest").el_of(more));
    dialog
        .el(top)
        .el(classed("p", "intro").text(outcome.intro))
        .el(lines)
        .el_of({
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
        button(class, &label).on("click", move |_| on_act(act, &stuck))
    };
    let buttons = classed("div", "acts")
        .el(act("", "Revert", RowAction::Revert))
        .el(act("main", "Retry", RowAction::Retry));
    Some(
        classed("div", "bottom")
            .el(classed("span", "said"))
            .el(buttons),
    )
}

fn row(of: &Outcome, lead: &Arc<str>, on_open: &Action<Arc<str>>) -> El {
    let shown_status = (of.shown_status)(lead);
    let who: Reader<Option<LeadHeadline>> = {
        let (who, lead) = (Rc::clone(&of.who), Arc::clone(lead));
        reader(move || who(&lead))
    };
    let (open, href, id) = (Rc::clone(on_open), (of.href)(lead), Arc::clone(lead));
    let name = Rc::clone(&who);
    let what = classed("p", "what").el_of(move || {
        let Some(LeadHeadline { name, .. }) = name() else {
            return Some(classed("span", "fine").text("Loading…"));
        };
        let (open, id) = (Rc::clone(&open), Arc::clone(&id));
        let link = el("a").attr("href", &href).text(&name);
        Some(link.on("click", move |event| {
            if super::links::is_plain(&event) {
                event.prevent_default();
                open(Arc::clone(&id));
            }
        }))
    });
    let (failure, about, work) = (Rc::clone(&of.failure), Arc::clone(lead), Rc::clone(&who));
    let state = classed("p", "fine").el_of(move || {
        let (status, phase) = shown_status.get();
        let how = match phase {
            Phase::Idle | Phase::Confirmed => status_word(&status),
            phase => phase_word(phase).to_owned(),
        };
        let of = match phase {
            Phase::Failed => "failed",
            Phase::Uncertain => "uncertain",
            _ => "saved",
        };
        let reason = failure(&about).map(|(reason, _)| reason);
        let rest = reason.or_else(|| work().map(|who| who.work).filter(|work| !work.is_empty()));
        let rest = rest.map(|rest| [" · ", &rest].concat()).unwrap_or_default();
        let how = classed("b", "how").attr("data-of", of).text(&how);
        Some(el("span").el(how).text(&rest))
    });
    let (on_act, failure, id) = (
        Rc::clone(&of.on_act),
        Rc::clone(&of.failure),
        Arc::clone(lead),
    );
    classed("li", "line")
        .attr_of("data-tone", move || {
            shown_status.with(|(status, _)| status.as_str().to_owned())
        })
        .el(el("i").attr("aria-hidden", "true"))
        .el(classed("div", "both").el(what).el(state))
        .el_of(move || {
            failure(&id)?;
            let name = who().map_or_else(|| id.to_string(), |who| who.name);
            let act = |verb: &str, act: RowAction| {
                let (on_act, id) = (Rc::clone(&on_act), Arc::clone(&id));
                button("", verb)
                    .attr("aria-label", &[verb, " ", &name].concat())
                    .on("click", move |_| on_act(act, &[Arc::clone(&id)]))
            };
            let acts = classed("div", "acts").el(act("Retry", RowAction::Retry));
            Some(acts.el(act("Revert", RowAction::Revert)))
        })
}
