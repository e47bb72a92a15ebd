//! Statuses that others gave, as the stream of changes tells them. Kept for a while, also of leads that were never decided
//! here: a read that was sent before may arrive later, with the status from before.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::{Outbox, SequenceNumber};

/// Maximum number of statuses. The oldest half is dropped when there are more.
const MAX_KEPT: usize = 4_000;

/// The last status of each lead, and the event at which it was told.
#[derive(Clone, Debug, Default)]
pub(super) struct StatusesOfOthers(BTreeMap<Arc<str>, (ApprovalStatus, SequenceNumber)>);

impl StatusesOfOthers {
    fn put(&mut self, lead: &Arc<str>, status: ApprovalStatus, now: SequenceNumber) {
        self.0.insert(Arc::clone(lead), (status, now));
        if self.0.len() > MAX_KEPT {
            // Every status has a number of its own.
            let oldest = now.saturating_sub(MAX_KEPT as u64 / 2);
            self.0.retain(|_, (_, at)| *at > oldest);
        }
    }

    /// Returns the status of a lead that was told after a read was sent.
    pub(super) fn newer(
        &self,
        lead: &str,
        sent: SequenceNumber,
    ) -> Option<(Arc<str>, ApprovalStatus, SequenceNumber)> {
        let (lead, (status, at)) = self.0.get_key_value(lead)?;
        (*at > sent).then(|| (Arc::clone(lead), status.clone(), *at))
    }
}

impl Outbox {
    /// Records a status that someone else gave to a lead. An open decision of this outbox stays, and is shown until the
    /// server answers. `is_shown`: the screen has the lead, so the status is shown at once, and not only in place of an
    /// older one that a read returns.
    pub fn on_changed_by_others(
        &mut self,
        lead: &Arc<str>,
        status: &ApprovalStatus,
        is_shown: bool,
    ) {
        let now = self.next_number();
        self.elsewhere.put(lead, status.clone(), now);
        if is_shown {
            self.ensure(lead, status.clone());
        }
        self.change(lead, &mut |state| {
            state.changed_by_others(status.clone(), now)
        });
    }

    /// Whether a read of a lead concerns the outbox: it was decided here, or someone else changed it lately.
    pub fn concerns(&self, lead: &str) -> bool {
        self.leads.contains_key(lead) || self.elsewhere.0.contains_key(lead)
    }
}
