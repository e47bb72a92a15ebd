//! Telling the page around the app of each decision that the server keeps.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, LeadUpdated, NewApprovalStatus};
use leptos::prelude::*;

use super::Leads;
use crate::model::decision::Decision;

/// A decision that the server keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The lead.
    pub lead_id: Arc<str>,
    /// Its status now.
    pub status: ApprovalStatus,
    /// Its status before.
    pub previous: ApprovalStatus,
}

/// Hears of a decision.
pub type OnKept = Rc<dyn Fn(Kept)>;

impl Leads {
    /// Tells of an answer to a decision, before the decision itself knows of it.
    pub(super) fn tell(
        self,
        lead_id: &Arc<str>,
        decision: &ArcRwSignal<Decision>,
        answer: Option<&LeadUpdated>,
        sent: NewApprovalStatus,
    ) {
        let Some(answer) = answer else { return };
        // Cloned first: whoever hears of it may take the app away.
        if let Some(Some(on_kept)) = self.on_kept.try_get_value() {
            let status = answer.approval_status.clone();
            on_kept(Kept {
                lead_id: Arc::clone(lead_id),
                status: status.unwrap_or_else(|| sent.into()),
                previous: decision.with_untracked(|decision| decision.saved().clone()),
            });
        }
    }
}
