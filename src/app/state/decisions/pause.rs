//! Pauses of sending, while the server limits the rate or is unavailable, and their end.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::Decisions;

impl Decisions {
    /// Pauses sending. Used when the rate limit lasts longer than a call waits, and when the server is unavailable.
    pub(super) fn pause_sending(self, milliseconds: u32) {
        let timer = Timeout::new(milliseconds, move || self.resume_sending());
        self.pause_timer.try_set_value(Some(timer));
        self.pause.try_set(Some(milliseconds));
    }

    pub(super) fn end_pause(self) {
        self.pause_timer.try_set_value(None);
        self.pause
            .try_maybe_update(|pause| (pause.take().is_some(), ()));
    }

    /// Ends the pause and sends what is queued.
    pub(super) fn resume_sending(self) {
        self.end_pause();
        self.flush();
    }

    /// Resumes sending whenever the server may be reachable again, under the current owner.
    pub(super) fn resume_automatically(self, online: RwSignal<bool>) {
        let session = self.session;
        // A connection, or a client with another key, is a reason to resume.
        crate::app::reactive::effect(move || {
            if online.get() && session.client().is_some() {
                self.resume_sending();
            }
        });
        // So is any response of the server, and a user who returns to the page.
        crate::app::reactive::effect(move || {
            if session.reached.get() {
                self.resume_sending();
            }
        });
        let listener = window_event_listener_untyped("visibilitychange", move |_| {
            if !document().hidden() {
                self.resume_sending();
            }
        });
        on_cleanup(move || listener.remove());
    }
}
