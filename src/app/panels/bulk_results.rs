//! The dialog that lists the leads of a bulk decision by outcome, connected to the state.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, LeadId};
use leptos::prelude::*;

use crate::app::components::dom::{El, effect};
use crate::app::components::format;
use crate::app::components::lead_row::RowAction;
use crate::app::components::outcome_dialog::{self, LeadHeadline, Outcome, STEP};
use crate::app::list::lead_pane;
use crate::app::model::lead_detail::LeadProfile;
use crate::app::model::route;
use crate::app::model::view::LeadsView;
use crate::app::reactive::memo;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::commands::Dialog;
use crate::client::ErrorKind;
use crate::review::bulk_run::LeadOutcome;

/// Leads whose names were requested one by one.
type FetchedNames = RwSignal<Vec<(Arc<str>, LeadHeadline)>>;

pub fn outcome_dialog(app: AppState) -> El {
    let (decisions, nav, commands) = (app.decisions, app.nav, app.commands);
    let (number, outcome) = match commands.dialog.get_untracked() {
        Some(Dialog::Outcome(number, outcome)) => (number, outcome),
        _ => (0, LeadOutcome::LeftOut),
    };
    // Taken once: a retried lead stays in the list, so that its new state is visible.
    let leads = Rc::new(decisions.leads_of(number, outcome));
    let shown = RwSignal::new(STEP);
    let named: FetchedNames = RwSignal::new(Vec::new());
    load_names(app, Rc::clone(&leads), shown, named);
    let count = format::count(leads.len() as u64, "lead");
    let (title, intro) = words(outcome);
    let of = Outcome {
        title: [title, ": ", &count].concat(),
        intro,
        leads,
        shown,
        headline: Arc::new(move |lead| {
            loaded_headline(app, lead).or_else(|| fetched_headline(named, lead))
        }),
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
            lead_pane::pane(app).open(&lead, true);
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

/// Finds a lead in the loaded rows of the list.
fn loaded_headline(app: AppState, lead: &str) -> Option<LeadHeadline> {
    let row = app.leads.listing.find(|row| row.lead.id == lead)?;
    Some(LeadHeadline {
        name: row.lead.name.clone(),
        work: work(row.lead.title.as_deref(), row.lead.company.as_deref()),
    })
}

fn fetched_headline(named: FetchedNames, lead: &str) -> Option<LeadHeadline> {
    named.with(|named| {
        let found = named.iter().find(|(id, _)| **id == *lead);
        found.map(|(_, headline)| headline.clone())
    })
}

fn work(title: Option<&str>, company: Option<&str>) -> String {
    match (title, company) {
        (Some(title), Some(company)) => [title, ", ", company].concat(),
        (one, other) => one.or(other).unwrap_or_default().to_owned(),
    }
}

/// Requests the names of shown leads that are not loaded, one after the other, while the dialog is open.
fn load_names(
    app: AppState,
    leads: Rc<Vec<Arc<str>>>,
    shown: RwSignal<usize>,
    named: FetchedNames,
) {
    let in_flight = StoredValue::new(None::<AbortOnDrop>);
    effect(move || {
        let wanted = leads.iter().take(shown.get());
        let missing = wanted.filter(|lead| {
            let known = named.with_untracked(|named| named.iter().any(|(id, _)| id == *lead));
            !known && untrack(|| loaded_headline(app, lead)).is_none()
        });
        let missing: Vec<Arc<str>> = missing.map(Arc::clone).collect();
        let Some(client) = app.session.client_now() else {
            return;
        };
        let work = async move {
            for lead in missing {
                let response = client.get_lead(&LeadId::new(&*lead)).await;
                let headline = match response {
                    Ok(detail) => {
                        let detail = LeadProfile::new(&lead, detail);
                        let company = detail.company.name.as_deref();
                        LeadHeadline {
                            work: work(detail.title.as_deref(), company),
                            name: detail.name,
                        }
                    }
                    Err(error) if matches!(error.kind, ErrorKind::NotFound) => LeadHeadline {
                        name: lead.to_string(),
                        work: "This lead is gone".to_owned(),
                    },
                    Err(_) => LeadHeadline {
                        name: lead.to_string(),
                        work: "Its name could not be loaded".to_owned(),
                    },
                };
                named.try_update(|named| named.push((lead, headline)));
            }
        };
        in_flight.set_value(Some(AbortOnDrop::start(work)));
    });
}

lazy!(lazy_outcome: pages, dialog, later, "The leads", outcome_dialog);
