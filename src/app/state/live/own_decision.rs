//! Decisions of this reviewer, for the follower: their events say nothing new.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

/// A decision that was saved, or that another tab sends.
#[derive(Clone, Debug)]
pub struct OwnDecision {
    pub lead: Arc<str>,
    pub to: NewApprovalStatus,
    /// When it was made, in milliseconds since 1970, if that was in this tab.
    pub at: Option<u64>,
    pub is_saved: bool,
}

/// What happens to decisions of this reviewer.
#[derive(Debug)]
pub enum OwnEvent<'a> {
    /// These leads are about to be decided in this tab.
    Deciding(&'a [Arc<str>]),
    Decided(Vec<OwnDecision>),
}

pub type OnOwnEvent = Rc<dyn Fn(OwnEvent<'_>)>;
