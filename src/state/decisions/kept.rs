//! Telling the page around the app of each decision that the server keeps.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;
use leptos::prelude::*;

use super::Decisions;
use crate::model::outbox::Saved;

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

impl Decisions {
    /// Tells of what a request did.
    pub(super) fn tell(self, saved: &[Saved]) {
        for Saved { lead, to, before } in saved {
            // Cloned first: whoever hears of it may take the app away.
            let Some(Some(on_kept)) = self.on_kept.try_get_value() else {
                return;
            };
            on_kept(Kept {
                lead_id: Arc::clone(lead),
                previous: before.clone(),
                status: self.known(lead).unwrap_or_else(|| (*to).into()),
            });
        }
    }
}
