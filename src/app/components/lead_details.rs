//! Details pane of a lead: why it fits first, then all its data.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::dom::{Action, El, Reader, classed, reader};
use super::lead_row::RowAction;
use super::links::RouteLinks;
use crate::app::model::lead_detail::Detail;
use crate::review::outbox::Phase;

pub use self::pane_frame::PeekFrame;

mod decision_bar;
pub mod fields;
mod memberships_section;
mod pane_frame;
mod pane_header;
pub mod score_section;
pub mod sections;
mod timeline;
mod tree_view;

/// Inputs and callbacks of the details pane.
#[derive(Clone)]
pub struct Peek {
    pub frame: PeekFrame,
    pub lead: Reader<Option<Arc<Detail>>>,
    /// Whether another lead is being loaded, so that nothing can be decided.
    pub locked: Reader<bool>,
    pub decided: Reader<LeadDecision>,
    pub on_act: Action<RowAction>,
    pub on_delete: Action<()>,
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
    pub here: bool,
}

pub fn peek(peek: &Peek) -> El {
    let (lead, decided) = (Rc::clone(&peek.lead), Rc::clone(&peek.decided));
    let (here, phase) = (Rc::clone(&peek.lead), Rc::clone(&peek.decided));
    let (frame, route_links) = (peek.frame.clone(), peek.route_links.clone());
    let content = move || {
        let lead = lead()?;
        let top = pane_header::top(&lead, frame.heading(&lead.name), &decided);
        let body = sections::body(&lead, &route_links);
        Some(classed("div", "all").el(top).el(body))
    };
    let here = reader(move || here().is_some());
    peek.frame
        .panel(here, content)
        .attr_of("data-phase", move || phase().phase.as_str().to_owned())
        .el(decision_bar::foot(peek))
}
