//! The details of a lead: why it fits before anything else, then all that is known of it.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::dom::{Action, El, Reader, classed, reader};
use super::lead_row::Act;
use super::link::Ways;
use crate::model::detail::Detail;
use crate::model::outbox::entry::Phase;

pub mod body;
mod foot;
mod frame;
mod outreach;
pub mod parts;
mod timeline;
mod top;
mod tree;
pub mod why;

pub use self::frame::Frame;

/// What the peek shows, and what can be done with it.
#[derive(Clone)]
pub struct Peek {
    /// What stands around it.
    pub frame: Frame,
    /// The lead that is shown.
    pub lead: Reader<Option<Arc<Detail>>>,
    /// Whether another lead than the one that is shown is on its way, so that nothing can be
    /// decided.
    pub locked: Reader<bool>,
    /// The decision on the lead that is shown.
    pub decided: Reader<Decided>,
    /// What is to be done with the lead that is shown.
    pub on_act: Action<Act>,
    /// The lead is to be deleted.
    pub on_delete: Action<()>,
    /// Ways from the lead to others.
    pub ways: Ways,
}

/// The decision on a lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The status to show.
    pub status: ApprovalStatus,
    /// How far a decision is.
    pub phase: Phase,
    /// Why a decision was not kept, if so.
    pub failed: Option<String>,
}

/// Where a row stands in its list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// In words, e.g. `3 of 4,980`; empty for one that is not in the list.
    pub words: String,
    /// Whether there is a row before it.
    pub previous: bool,
    /// Whether there is a row after it.
    pub next: bool,
    /// Whether it is in the list, and can be deleted.
    pub here: bool,
}

/// The panel.
pub fn peek(peek: &Peek) -> El {
    let (lead, decided) = (Rc::clone(&peek.lead), Rc::clone(&peek.decided));
    let (here, phase) = (Rc::clone(&peek.lead), Rc::clone(&peek.decided));
    let (frame, ways) = (peek.frame.clone(), peek.ways.clone());
    let content = move || {
        let lead = lead()?;
        let top = top::top(&lead, frame.heading(&lead.name), &decided);
        let body = body::body(&lead, &ways);
        Some(classed("div", "all").el(top).el(body))
    };
    let here = reader(move || here().is_some());
    peek.frame
        .panel(here, content)
        .attr_of("data-phase", move || phase().phase.as_str().to_owned())
        .el(foot::foot(peek))
}
