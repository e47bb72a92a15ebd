//! What was not kept, or not for certain: sent again, by itself or when somebody asks for it, or given up.

use std::sync::Arc;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::{Decisions, Shown};
use crate::model::outbox::Outbox;
use crate::model::outbox::entry::Phase;
use crate::signal::RwSignal;

impl Decisions {
    /// Whatever gives reason to hope sends what waits, for as long as the app is there.
    pub(super) fn go_on_by_itself(self, online: RwSignal<bool>) {
        let session = self.session;
        // A connection, and a client with another key, are reasons to go on.
        crate::signal::effect(move || {
            if online.get() && session.client().is_some() {
                self.go_on();
            }
        });
        // So are any answer of the server, and a person who looks at the page again.
        crate::signal::effect(move || {
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

    /// The workspace is over its limit for longer than a call waits, or the server is away: what is decided
    /// waits here.
    pub(super) fn rest(self, milliseconds: u32) {
        let timer = Timeout::new(milliseconds, move || self.go_on());
        self.resting.try_set_value(Some(timer));
    }

    /// There is reason to hope: what waits is sent without further pause.
    pub(super) fn go_on(self) {
        self.resting.try_set_value(None);
        self.pump();
    }

    /// Sends what was not kept again: these leads, or all. What waits for a server that is away goes along.
    pub fn retry(self, leads: Option<&[Arc<str>]>) {
        self.resting.try_set_value(None);
        self.change(leads, |outbox| outbox.retry(leads));
    }

    /// Gives up what was not kept, or not for certain: these leads, or all.
    pub fn revert(self, leads: Option<&[Arc<str>]>) {
        let ids = self.unsaved(leads);
        // What failed for certain is none of the steps any more.
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

    /// These leads, or all whose decisions are not kept, or not for certain.
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

    /// Gives up whatever the server does not have yet, and forgets it in this browser.
    pub fn discard(self) {
        self.outbox.try_set(Outbox::default());
        self.keep_now();
    }

    /// Repeats what failed for want of a key.
    pub fn retry_refused(self) {
        let leads = self.outbox.with_untracked(Outbox::wants_key);
        if !leads.is_empty() {
            self.retry(Some(&leads));
        }
    }
}
