//! Decisions that were not saved, or perhaps not: retry and revert by the user. Those without a response are also sent
//! again by themselves, after a pause.

use std::sync::Arc;

use leptos::prelude::*;

use super::{Decisions, LeadStatus};
use crate::review::outbox::{Outbox, Phase};

impl Decisions {
    /// Sends unsaved decisions again, of these leads or of all. Also ends a pause.
    pub fn retry(self, leads: Option<&[Arc<str>]>) {
        self.end_pause();
        self.apply(&self.unsaved(leads), |outbox| outbox.retry(leads));
    }

    /// Reverts decisions that were not saved, or perhaps not, of these leads or of all.
    pub fn revert(self, leads: Option<&[Arc<str>]>) {
        let ids = self.unsaved(leads);
        // Decisions that certainly failed are no longer in the undo history.
        let uncertain = self.outbox.with_untracked(|outbox| {
            let uncertain = ids
                .iter()
                .filter(|lead| outbox.phase(lead) != Phase::Failed);
            let known =
                uncertain.filter_map(|lead| Some((Arc::clone(lead), outbox.known(lead)?.clone())));
            known.collect::<Vec<LeadStatus>>()
        });
        self.history.update(|history| {
            history.forget(&uncertain);
            history.drop_lost(&ids);
        });
        self.apply(&ids, |outbox| outbox.revert(leads));
        self.suggestions.decided(ids, None);
    }

    /// Returns these leads, or all whose decisions were not saved, or perhaps not.
    fn unsaved(self, leads: Option<&[Arc<str>]>) -> Vec<Arc<str>> {
        let all = || {
            self.outbox.with_untracked(|outbox| {
                let phases = [Phase::Failed, Phase::Uncertain, Phase::Retrying];
                phases.map(|phase| outbox.leads_in(phase)).concat()
            })
        };
        leads.map_or_else(all, <[_]>::to_vec)
    }

    /// Drops all decisions that the server does not have yet, also from the browser's storage.
    pub fn discard(self) {
        self.outbox.try_set(Outbox::default());
        self.store_now();
    }

    /// Sends decisions again that failed because of the key.
    pub fn retry_refused(self) {
        let leads = self.outbox.with_untracked(Outbox::key_refused);
        if !leads.is_empty() {
            self.retry(Some(&leads));
        }
    }
}
