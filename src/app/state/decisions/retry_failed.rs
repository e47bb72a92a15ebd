//! Decisions that were not saved, or perhaps not: automatic retry, manual retry, revert.

use std::sync::Arc;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::{Decisions, LeadStatus};
use crate::review::outbox::{Outbox, Phase};

impl Decisions {
    /// Resumes sending whenever the server may be reachable again, under the current owner.
    pub(super) fn resume_automatically(self, online: RwSignal<bool>) {
        let session = self.session;
        // A connection, or a client with another key, is a reason to resume.
        crate::app::reactive::effect(move || {
            if online.get() && session.client().is_some() {
                self.resume();
            }
        });
        // So is any response of the server, and a user who returns to the page.
        crate::app::reactive::effect(move || {
            if session.reached.get() {
                self.resume();
            }
        });
        let listener = window_event_listener_untyped("visibilitychange", move |_| {
            if !document().hidden() {
                self.resume();
            }
        });
        on_cleanup(move || listener.remove());
    }

    /// Pauses sending. Used when the rate limit lasts longer than a call waits, and when the server is unavailable.
    pub(super) fn pause_sending(self, milliseconds: u32) {
        let timer = Timeout::new(milliseconds, move || self.resume());
        self.pause.try_set_value(Some(timer));
    }

    /// Ends the pause and sends what is queued.
    pub(super) fn resume(self) {
        self.pause.try_set_value(None);
        self.flush();
    }

    /// Sends unsaved decisions again, of these leads or of all. Also ends a pause.
    pub fn retry(self, leads: Option<&[Arc<str>]>) {
        self.pause.try_set_value(None);
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
