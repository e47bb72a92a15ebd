//! Decisions that were not saved, or perhaps not: retry and revert by the user. Those without a response are also sent
//! again by themselves, after a pause.

use std::sync::Arc;

use super::{Engine, Event};
use crate::review::outbox::{Outbox, Phase};

impl Engine {
    /// Sends unsaved decisions again, of these leads or of all. Also ends a pause.
    pub fn retry(&self, leads: Option<&[Arc<str>]>) {
        self.end_pause();
        self.apply(&self.unsaved(leads), &mut |outbox| outbox.retry(leads));
    }

    /// Reverts decisions that were not saved, or perhaps not, of these leads or of all.
    pub fn revert(&self, leads: Option<&[Arc<str>]>) {
        let ids = self.unsaved(leads);
        // Decisions that certainly failed are no longer in the undo history.
        let uncertain: Vec<Arc<str>> = self.with_outbox(|outbox| {
            let uncertain = ids
                .iter()
                .filter(|lead| outbox.phase(lead) != Phase::Failed);
            uncertain.cloned().collect()
        });
        let uncertain = self.with_server_statuses(&uncertain);
        self.change_history(&mut |history| {
            history.forget(&uncertain);
            history.drop_lost(&ids);
        });
        self.apply(&ids, &mut |outbox| outbox.revert(leads));
        self.emit(Event::Decided(ids, None));
    }

    /// Sends decisions again that failed because of the key.
    pub fn retry_refused(&self) {
        let leads = self.with_outbox(Outbox::key_refused);
        if !leads.is_empty() {
            self.retry(Some(&leads));
        }
    }

    /// Returns the leads whose decisions were not saved, or perhaps not: of these leads, or of all.
    fn unsaved(&self, leads: Option<&[Arc<str>]>) -> Vec<Arc<str>> {
        let phases = [Phase::Failed, Phase::Uncertain, Phase::Retrying];
        self.with_outbox(|outbox| match leads {
            Some(leads) => {
                let is_unsaved = |lead: &&Arc<str>| phases.contains(&outbox.phase(lead));
                leads.iter().filter(is_unsaved).cloned().collect()
            }
            None => phases.map(|phase| outbox.leads_in(phase)).concat(),
        })
    }
}
