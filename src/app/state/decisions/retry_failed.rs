//! Decisions that were not saved, or perhaps not: automatic retry, manual retry, revert.

use std::sync::Arc;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::{Decisions, Shown};
use crate::review::outbox::Outbox;
use crate::review::outbox::entry::Phase;

impl Decisions {
    /// Resumes sending whenever the server may be reachable again, under the current owner.
    pub(super) fn go_on_by_itself(self, online: RwSignal<bool>) {
        let session = self.session;
        // A connection, or a client with another key, is a reason to resume.
        crate::app::reactive::effect(move || {
            if online.get() && session.client().is_some() {
                self.go_on();
            }
        });
        // So is any response of the server, and a user who returns to the page.
        crate::app::reactive::effect(move || {
            if session.reached.get() {
                self.go_on();
            }
        });
        let looked = window_event_listener_untyped("visibilitychange", move |_| {
            if !document().hidden() {
                self.go_on();
            }
        });
        on_cleanup(move || looked.remove());
    }

    /// Pauses sending. Used when the rate limit lasts longer than a call waits, and when the server is unavailable.
    pub(super) fn rest(self, milliseconds: u32) {
        let timer = Timeout::new(milliseconds, move || self.go_on());
        self.resting.try_set_value(Some(timer));
    }

    /// Ends the pause and sends what is queued.
    pub(super) fn go_on(self) {
        self.resting.try_set_value(None);
        self.pump();
    }

    /// Sends unsaved decisions again, of these leads or of all. Also ends a pause.
    pub fn retry(self, leads: Option<&[Arc<str>]>) {
        self.resting.try_set_value(None);
        self.change(leads, |outbox| outbox.retry(leads));
    }

    /// Reverts decisions that were not saved, or perhaps not, of these leads or of all.
    pub fn revert(self, leads: Option<&[Arc<str>]>) {
        let ids = self.unsaved(leads);
        // Decisions that certainly failed are no longer in the undo history.
        let unsure = self.outbox.with_untracked(|outbox| {
            let unsure = ids
                .iter()
                .filter(|lead| outbox.phase(lead) != Phase::Failed);
            let known =
                unsure.filter_map(|lead| Some((Arc::clone(lead), outbox.known(lead)?.clone())));
            known.collect::<Vec<Shown>>()
        });
        self.history.update(|history| {
            history.forget(&unsure);
            history.let_go(&ids);
        });
        self.change(leads, |outbox| outbox.revert(leads));
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

    fn change(self, leads: Option<&[Arc<str>]>, act: impl FnOnce(&mut Outbox)) {
        let ids = self.unsaved(leads);
        let befores = self.statuses(&ids);
        self.update(act);
        self.count(&ids, befores);
        self.keep_now();
        self.pump();
    }

    /// Drops all decisions that the server does not have yet, also from the browser's storage.
    pub fn discard(self) {
        self.outbox.try_set(Outbox::default());
        self.keep_now();
    }

    /// Sends decisions again that failed because of the key.
    pub fn retry_refused(self) {
        let leads = self.outbox.with_untracked(Outbox::wants_key);
        if !leads.is_empty() {
            self.retry(Some(&leads));
        }
    }
}
