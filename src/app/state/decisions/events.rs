//! Reports saved decisions to the host page.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::Decisions;
use crate::review::outbox::Saved;

/// A decision that the server saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedDecision {
    pub lead_id: Arc<str>,
    pub status: ApprovalStatus,
    pub previous: ApprovalStatus,
}

pub type OnSaved = Rc<dyn Fn(SavedDecision)>;

impl Decisions {
    /// Reports the decisions that a request saved.
    pub(super) fn notify_host(self, saved: &[Saved]) {
        for Saved {
            lead, to, before, ..
        } in saved
        {
            // Cloned first, because the callback may remove the app.
            let Some(Some(on_saved)) = self.on_saved.try_get_value() else {
                return;
            };
            on_saved(SavedDecision {
                lead_id: Arc::clone(lead),
                previous: before.clone(),
                status: self.server_status(lead).unwrap_or_else(|| (*to).into()),
            });
        }
    }
}
