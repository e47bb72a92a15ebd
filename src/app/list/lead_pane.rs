//! The details pane of a lead.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use super::details_pane::{OpenDetails, give_back_focus, route_links};
use super::suggestion::suggestion;
use super::{colleagues, focus_mode, host_actions, panes};
use crate::app::components::dom::{El, element};
use crate::app::components::lead_details::fields::{nothing, titled_section};
use crate::app::components::lead_details::{LeadDecision, LeadDetailsProps, lead_details};
use crate::app::list::row_events::run_action;
use crate::app::model::command::Command;
use crate::app::model::lead_detail::LeadProfile;
use crate::app::reactive::{Memo, Signal};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::details::Details;
use crate::app::state::host_page::{HostParts, HostSection};
use crate::review::outbox::Phase;

/// The panel of the open lead.
pub struct LeadPanel {
    /// The lead that is shown, if any.
    pub lead: Memo<Option<Arc<LeadProfile>>>,
    pub panel: El,
}

fn lead_details_page(app: AppState) -> El {
    let LeadPanel { panel, .. } = lead_panel(app, ("complementary", "Lead details"), true);
    give_back_focus(&panel);
    panel
}

/// Loads and renders the open lead, with its role and accessible name. `has_colleagues` is whether the panel shows the
/// other leads of its company.
pub fn lead_panel(
    app: AppState,
    around: (&'static str, &'static str),
    has_colleagues: bool,
) -> LeadPanel {
    let (details, listing) = (app.details, app.leads.listing);
    let pane = panes::of_leads(app);
    let load_or_preview = move |details: Details<LeadProfile>, client, id: &str| {
        let row = untrack(|| listing.find(|row| row.lead.id == id));
        let preview = row.map(|row| LeadProfile::preview(&row.lead, &row.status));
        details.load(client, id, preview);
    };
    let OpenDetails {
        open,
        shown: lead,
        frame,
    } = pane.load(details, load_or_preview, around);
    let on_act = Callback::new(move |act| {
        // A user decides on what is shown, never on details that are still loading.
        if !untrack(|| details.is_other())
            && let Some(lead) = lead.get_untracked()
        {
            run_action(app, &lead.id, &status(&lead), &lead.name, act);
        }
    });
    let account = has_colleagues.then(|| colleagues::load(app, lead));
    let panel = lead_details(&LeadDetailsProps {
        frame,
        colleagues: Rc::new(move || Some(colleagues::details_section(app, lead, account?))),
        lead: Signal::derive(move || lead.get()),
        suggestion: Rc::new(move || suggestion(app, &lead.get()?.id)),
        locked: Signal::derive(move || details.is_other()),
        decided: Signal::derive(move || decided(app, lead.get().as_deref())),
        keys: Rc::new(move |command| app.keys.caps(command)),
        on_act,
        on_skip: Callback::new(move |()| {
            app.commands.run(Command::NextUndecided);
        }),
        on_delete: Callback::new(move |()| {
            let id = open.get_untracked();
            let listing = app.leads.listing;
            if let Some(row) = listing.find(|row| Some(&row.lead.id) == id.as_ref()) {
                app.deletion.ask_to_confirm(row);
            }
        }),
        host_buttons: Rc::new(move || host_actions::details_buttons(app, "quiet")),
        host_section: Rc::new(move || host_section(app)),
        route_links: route_links(app),
    });
    LeadPanel { lead, panel }
}

/// Renders the section of the host page.
fn host_section(app: AppState) -> Option<El> {
    let of = |parts: &HostParts| (parts.name.clone(), parts.section.clone());
    let (name, section) = app.host.get(of);
    let content = match section {
        HostSection::None => return None,
        HostSection::Slot(slot) => element("slot").attr("name", &*slot),
        HostSection::Failed(reason) => {
            nothing(&[&*name, " could not show its section: ", &reason].concat())
        }
    };
    Some(titled_section("host-section", &name).child(content))
}

fn status(lead: &LeadProfile) -> ApprovalStatus {
    lead.status.clone().unwrap_or_else(|| "unknown".into())
}

fn decided(app: AppState, lead: Option<&LeadProfile>) -> LeadDecision {
    let decisions = app.decisions;
    let Some(lead) = lead else {
        return LeadDecision {
            status: "unknown".into(),
            phase: Phase::Idle,
            failed: None,
        };
    };
    let (status, phase) = decisions.shown(&lead.id, &status(lead));
    LeadDecision {
        status,
        phase,
        failed: decisions.failure(&lead.id).map(|(reason, _)| reason),
    }
}

/// Decides on the lead whose details are open, unless the cursor is on that lead. Returns `true` if the open
/// details are of another lead, even if they are still loading and nothing was decided: the caller must then not
/// decide on the lead under the cursor. Focus mode then returns to that lead.
pub fn decide(app: AppState, to: NewApprovalStatus) -> bool {
    let Some(open) = panes::of_leads(app).opened_now() else {
        return false;
    };
    let leads = app.leads;
    let row = leads.grid_selection.row(leads.listing);
    if row.is_some_and(|row| row.lead.id == open) {
        return false;
    }
    let shown = untrack(|| app.details.shown());
    if let Some(lead) = shown.filter(|lead| lead.id == open) {
        leads.decide(&lead.id, &status(&lead), &lead.name, to);
        if focus_mode::is_open_now(app) {
            panes::of_leads(app).open_row(true);
        }
    }
    true
}

lazy!(lazy_lead_details: details, part, later, "Lead details", lead_details_page);
