//! The dialog that lists the leads of a bulk decision by outcome, connected to the state.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;
use leptos::prelude::*;

use crate::app::components::decision_cells::RowAction;
use crate::app::components::dom::El;
use crate::app::components::format;
use crate::app::components::outcome_dialog::{self, Outcome, STEP};
use crate::app::list::panes;
use crate::app::model::route;
use crate::app::model::view::LeadsView;
use crate::app::panels::lead_names::LeadNames;
use crate::app::reactive::{RwSignal, Signal, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::commands::Dialog;
use crate::review::bulk_run::LeadOutcome;

pub fn outcome_dialog(app: AppState) -> El {
    let (decisions, nav, commands) = (app.decisions, app.nav, app.commands);
    let (number, outcome) = match commands.dialog.get_untracked() {
        Some(Dialog::Outcome(number, outcome)) => (number, outcome),
        _ => (0, LeadOutcome::LeftOut),
    };
    // Taken once: a retried lead stays in the list, so that its new state is visible.
    let leads = Rc::new(decisions.leads_of(number, outcome));
    let shown = RwSignal::new(STEP);
    let names = LeadNames::load(app, Rc::clone(&leads), shown);
    let count = format::count(leads.len() as u64, "lead");
    let (title, intro) = words(outcome);
    let of = Outcome {
        title: [title, ": ", &count].concat(),
        intro,
        leads,
        shown,
        headline: Arc::new(move |lead| names.headline(lead)),
        shown_status: Arc::new(move |lead| {
            let lead = Arc::clone(lead);
            memo(move |_| decisions.shown(&lead, &ApprovalStatus::from("unknown")))
        }),
        is_paused: Signal::derive(move || decisions.is_paused()),
        failure: Arc::new(move |lead| decisions.failure(lead)),
        href: Arc::new(move |lead| {
            let view = LeadsView::default().opened(Some(lead));
            nav.href(route::LEADS_PATH, &view.to_query())
        }),
        on_act: Rc::new(move |act, leads| match act {
            RowAction::Retry => decisions.retry(Some(leads)),
            RowAction::Revert => decisions.revert(Some(leads)),
            RowAction::Decide(_) => {}
        }),
    };
    let on_done = Callback::new(move |lead: Option<Arc<str>>| {
        commands.dialog.set(None);
        if let Some(lead) = lead {
            panes::of_leads(app).open(&lead, true);
        }
    });
    outcome_dialog::outcome(&of, on_done)
}

fn words(outcome: LeadOutcome) -> (&'static str, &'static str) {
    match outcome {
        LeadOutcome::Updated => ("Updated", "The server saved these changes."),
        LeadOutcome::Failed => (
            "Not saved",
            "These were not changed. Retry sends them again; Revert drops the change.",
        ),
        LeadOutcome::Uncertain => (
            "Not confirmed",
            "The response was lost, so these may or may not be saved. Retry safely sends them again; Revert restores the previous status.",
        ),
        LeadOutcome::Waiting | LeadOutcome::Sending | LeadOutcome::LeftOut => (
            "Not changed",
            "These were cancelled before they were sent, or changed in the meantime.",
        ),
    }
}

lazy!(lazy_outcome: pages, dialog, later, "The leads", outcome_dialog);
