//! Details pane of a lead: what decides on the first screen, then all its data.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;
use leptos::prelude::*;

pub use self::pane_frame::PeekFrame;
use super::decision_cells::RowAction;
use super::dom::{El, div};
use super::links::RouteLinks;
use crate::app::model::command::Command;
use crate::app::model::lead_detail::LeadProfile;
use crate::app::reactive::{Signal, StoredValue, memo};
use crate::review::outbox::Phase;

mod decision_bar;
pub mod fields;
mod memberships_section;
mod pane_frame;
mod pane_header;
pub mod score_section;
pub mod sections;
mod signals_section;
mod tree_view;

/// Inputs and callbacks of the details pane.
#[derive(Clone)]
pub struct LeadDetailsProps {
    pub frame: PeekFrame,
    pub lead: Signal<Option<Arc<LeadProfile>>>,
    /// Renders the suggestion for the lead, if there is one.
    pub suggestion: Rc<dyn Fn() -> Option<El>>,
    /// Whether another lead is being loaded, so that nothing can be decided.
    pub locked: Signal<bool>,
    pub decided: Signal<LeadDecision>,
    /// Renders the other leads of its company, if they are shown here.
    pub colleagues: Rc<dyn Fn() -> Option<El>>,
    /// Returns the key caps of a command, tracked. Empty if it has no key.
    pub keys: Rc<dyn Fn(Command) -> Vec<String>>,
    pub on_act: Callback<RowAction>,
    /// Moves to the next undecided lead.
    pub on_skip: Callback<()>,
    pub on_delete: Callback<()>,
    /// Renders the actions of a host page, tracked.
    pub host_buttons: Rc<dyn Fn() -> Vec<El>>,
    /// Renders the section of a host page, tracked.
    pub host_section: Rc<dyn Fn() -> Option<El>>,
    pub route_links: RouteLinks,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadDecision {
    pub status: ApprovalStatus,
    /// State of the decision in the outbox.
    pub phase: Phase,
    /// Why the decision was not saved.
    pub failed: Option<String>,
}

/// Position of a row in its list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListPosition {
    /// As text, e.g. `3 of 4,980`; empty for a row that is not in the list.
    pub words: String,
    /// Whether there is a previous row.
    pub previous: bool,
    /// Whether there is a next row.
    pub next: bool,
    /// Whether the row is in the list, and can be deleted.
    pub is_listed: bool,
}

pub fn lead_details(props: &LeadDetailsProps) -> El {
    let (lead, decided) = (props.lead, props.decided);
    let phase = props.decided;
    let (frame, route_links) = (props.frame.clone(), props.route_links.clone());
    let is_painted = frame.is_painted;
    let (colleagues, suggestion) = (Rc::clone(&props.colleagues), Rc::clone(&props.suggestion));
    let host_section = Rc::clone(&props.host_section);
    let shows_more = StoredValue::new(false);
    let is_open = memo(move |_| lead.with(Option::is_some));
    let id = memo(move |_| lead.with(|lead| lead.as_ref().map(|lead| lead.id.clone())));
    let name = move || {
        let name = lead.with(|lead| lead.as_ref().map(|lead| lead.name.clone()));
        name.unwrap_or_default()
    };
    // The header stays when the details follow their preview, so that it keeps the focus and does not move.
    let content = move || {
        if !is_open.get() {
            return None;
        }
        let heading = frame.heading(name, id);
        let top = pane_header::top(lead, heading, &decided, &route_links);
        let (route_links, suggestion) = (route_links.clone(), Rc::clone(&suggestion));
        let colleagues = Rc::clone(&colleagues);
        let host_section = Rc::clone(&host_section);
        let body = move || {
            let lead = lead.get()?;
            let colleagues = if lead.is_preview { None } else { colleagues() };
            Some(sections::body(
                &lead,
                is_painted,
                colleagues,
                [&suggestion, &host_section],
                &route_links,
                shows_more,
            ))
        };
        Some(div().class("all").child(top).child(body))
    };
    props
        .frame
        .panel(is_open.into(), content)
        .attr("data-phase", move || phase.get().phase.as_str().to_owned())
        .child(decision_bar::footer(props))
}
