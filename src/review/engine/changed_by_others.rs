//! What others decided, as the stream of changes tells it.

use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::{Engine, LeadStatus};

impl Engine {
    /// Takes statuses that others gave. `is_shown`: whether the screen has a lead. Open decisions of this engine stay;
    /// undoing them returns to the status that someone else gave.
    pub fn on_changed_by_others(&self, leads: &[LeadStatus], is_shown: &dyn Fn(&str) -> bool) {
        let is_open =
            |(lead, _): &&LeadStatus| self.with_outbox(|outbox| outbox.wanted(lead).is_some());
        let open: Vec<&LeadStatus> = leads.iter().filter(is_open).collect();
        self.changed_by_others(open.into_iter().map(|(lead, status)| (lead, status)));
        let ids: Vec<Arc<str>> = leads.iter().map(|(lead, _)| Arc::clone(lead)).collect();
        let changed = self.change_shown(&ids, &mut |outbox| {
            for (lead, status) in leads {
                outbox.on_changed_by_others(lead, status, is_shown(lead));
            }
        });
        if changed {
            self.store_soon();
        }
    }

    /// Others gave leads a status before the last decision here was saved: undoing it returns to theirs.
    pub fn changed_by_others<'a>(
        &self,
        leads: impl Iterator<Item = (&'a Arc<str>, &'a ApprovalStatus)>,
    ) {
        let mut leads = leads.peekable();
        if leads.peek().is_some() {
            self.change_history(&mut |history| {
                for (lead, status) in leads.by_ref() {
                    history.changed_by_others(lead, status);
                }
            });
        }
    }
}
