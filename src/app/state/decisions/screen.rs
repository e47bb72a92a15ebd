//! The screen as the host of the decision engine: its client, and what happens after changes.

use std::sync::Arc;

use js_sys::Date;
use lead_workspace_api::ApprovalStatus;
use leptos::prelude::*;

use super::super::decision_pace;
use super::Decisions;
use super::of_others::own;
use crate::app::reactive::{RwSignal, StoredValue, effect};
use crate::app::state::live::own_decision::{OwnDecision, OwnEvent};
use crate::client::Client;
use crate::client::runtime::Task;
use crate::platform::event_listener::EventListener;
use crate::platform::idle::idle;
use crate::review::engine::{Engine, Event, Host};
use crate::review::outbox::CHUNK;

impl Host for Decisions {
    fn client(&self) -> Option<Client> {
        self.session.client_now()
    }

    fn is_online(&self) -> bool {
        self.online.try_get_untracked() == Some(true)
    }

    fn now(&self) -> u64 {
        Date::now() as u64
    }

    /// Lets the browser paint the new status first.
    fn before_send(&self) -> Task {
        Box::pin(idle())
    }

    fn on_event(&self, event: Event<'_>) {
        let notify = |changed: RwSignal<()>| {
            changed.set(());
        };
        match event {
            Event::Leads(_) => notify(self.leads_changed),
            Event::History => notify(self.history_changed),
            Event::Runs => notify(self.runs_changed),
            Event::Pause => {
                let pause = self.read(|engine| engine.pause().map(|(length, _)| length));
                self.pause.set(pause);
            }
            Event::Stored => {
                let full = self.read(Engine::is_storage_full);
                self.storage_full.set(full);
            }
            Event::Decided(leads, to) => {
                // Before the outbox has the decision.
                self.report_own(OwnEvent::Deciding(&leads));
                // The progress of more leads is shown by their panel.
                let clears = to.is_some() && leads.len() <= CHUNK;
                decision_pace::record(self.session, leads.len(), to.is_none());
                self.suggestions.decided(leads, to);
                if clears {
                    self.notice.clear();
                }
            }
            Event::Moved(leads, befores) => self.update_tab_counts(leads, befores),
            Event::DecidedInOtherTab(lead, to, is_saved) => {
                self.report_own(OwnEvent::Decided(vec![OwnDecision {
                    lead: Arc::clone(lead),
                    to,
                    at: None,
                    is_saved,
                }]));
                if is_saved {
                    notify(self.changed);
                }
            }
            Event::Restored(leads) => self.notice.show_restored(leads),
            Event::Failed(error) => {
                self.session.check_key(error);
            }
            Event::Saved(saved) => {
                self.report_own(OwnEvent::Decided(own(saved)));
                #[cfg(feature = "embed")]
                self.notify_host(saved);
            }
        }
    }
}

impl Decisions {
    /// Updates the tab counts after statuses changed.
    fn update_tab_counts(self, leads: &[Arc<str>], befores: &[Option<ApprovalStatus>]) {
        let moves: Vec<_> = self.read(|engine| {
            engine.with_outbox(|outbox| {
                let moves = leads.iter().zip(befores).filter_map(|(lead, before)| {
                    let listed = || self.listed_status(lead);
                    Some((before.clone().or_else(listed)?, outbox.shown(lead)?))
                });
                moves.filter(|(before, after)| before != after).collect()
            })
        });
        if !moves.is_empty() {
            self.counts.try_update(|counts| {
                for (before, after) in &moves {
                    counts.moved(before, after);
                }
            });
        }
    }

    /// Resumes sending whenever the server may be reachable again, under the current owner.
    pub(super) fn resume_automatically(self, online: RwSignal<bool>) {
        let session = self.session;
        let resume = move || self.read(Engine::resume);
        // A connection, or a client with another key, is a reason to resume.
        effect(move || {
            if online.get() && session.client().is_some() {
                resume();
            }
        });
        // So is any response of the server, and a user who returns to the page.
        effect(move || {
            if session.reached.get() {
                resume();
            }
        });
        let listener = EventListener::of_document("visibilitychange", move || {
            if !document().hidden() {
                resume();
            }
        });
        // Dropped with the owner.
        StoredValue::new(listener);
    }
}
