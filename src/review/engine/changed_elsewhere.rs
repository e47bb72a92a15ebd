//! What others decided, as the stream of changes tells it.

use std::sync::Arc;

use super::{Engine, LeadStatus};

impl Engine {
    /// Takes statuses that others gave. `is_shown`: whether the screen has a lead. Open decisions of this engine stay;
    /// undoing them returns to the status that someone else gave.
    pub fn on_changed_elsewhere(&self, leads: &[LeadStatus], is_shown: &dyn Fn(&str) -> bool) {
        let is_open =
            |(lead, _): &&LeadStatus| self.with_outbox(|outbox| outbox.wanted(lead).is_some());
        let open: Vec<&LeadStatus> = leads.iter().filter(is_open).collect();
        if !open.is_empty() {
            self.change_history(&mut |history| {
                for (lead, status) in &open {
                    history.changed_elsewhere(lead, status);
                }
            });
        }
        let ids: Vec<Arc<str>> = leads.iter().map(|(lead, _)| Arc::clone(lead)).collect();
        let changed = self.change_shown(&ids, &mut |outbox| {
            for (lead, status) in leads {
                outbox.on_changed_elsewhere(lead, status, is_shown(lead));
            }
        });
        if changed {
            self.store_soon();
        }
    }
}
