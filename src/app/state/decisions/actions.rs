//! Actions of the decision engine that the first page starts. They are values, so that the engine's code is loaded
//! after the first rows: until then they wait.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use super::{Decisions, LeadStatus};
use crate::review::engine::Engine;

pub(super) enum Action {
    Decide(Vec<LeadStatus>, NewApprovalStatus, String),
    DecideWithOutdatedStatuses(Vec<LeadStatus>, NewApprovalStatus, String),
    /// Takes the statuses of a read that was sent at this number.
    OnRead(Vec<(Arc<str>, ApprovalStatus)>, u64),
    Undo(Option<u64>),
    Redo,
    Retry(Option<Vec<Arc<str>>>),
    Revert(Option<Vec<Arc<str>>>),
    RetryRefused,
}

/// Carries out an action. A function pointer, which does not make the engine a part of the code that calls it.
pub(super) type Perform = fn(Decisions, &Engine, Action);

impl Decisions {
    /// Starts the engine under the current owner, with the unsaved decisions of an earlier visit, if any.
    pub fn start_engine(self) {
        let (session, engine) = (self.session, Engine::new(Box::new(self)));
        self.engine.set_value(Some((engine.clone(), perform)));
        // In a host page, decisions are neither stored in the browser nor synced to other tabs: unsaved ones are sent
        // after the app is removed.
        if !session.is_embedded() {
            engine.persist(&session.storage_scope(), None);
        }
        self.resume_automatically(self.online);
        let waiting = self.waiting.try_update_value(std::mem::take);
        for action in waiting.into_iter().flatten() {
            perform(self, &engine, action);
        }
        on_cleanup(move || self.read(Engine::close));
    }

    /// Carries out an action, or lets it wait for the engine. Does nothing once the app is gone.
    pub(super) fn act(self, action: Action) {
        match self.engine.try_get_value().flatten() {
            Some((engine, perform)) => perform(self, &engine, action),
            None => {
                self.waiting
                    .try_update_value(|waiting| waiting.push(action));
            }
        }
    }
}

fn perform(decisions: Decisions, engine: &Engine, action: Action) {
    match action {
        Action::Decide(leads, to, name) => {
            engine.decide(shown_now(engine, leads), to, &name);
        }
        Action::DecideWithOutdatedStatuses(leads, to, name) => {
            engine.decide_with_outdated_statuses(shown_now(engine, leads), to, &name);
        }
        Action::OnRead(leads, sent) => {
            let mut leads = leads.iter().map(|(lead, status)| (&**lead, status));
            engine.on_read(&mut leads, sent);
        }
        Action::Undo(number) => {
            if let Some(undone) = engine.undo(number) {
                decisions.notice.show_undone(undone.step, undone.kept.len());
            }
        }
        Action::Redo => {
            engine.redo();
        }
        Action::Retry(leads) => engine.retry(leads.as_deref()),
        Action::Revert(leads) => engine.revert(leads.as_deref()),
        Action::RetryRefused => engine.retry_refused(),
    }
}

/// Returns the leads with the statuses that the screen shows now: others may have changed while the action waited.
fn shown_now(engine: &Engine, mut leads: Vec<LeadStatus>) -> Vec<LeadStatus> {
    engine.with_outbox(|outbox| {
        for (lead, status) in &mut leads {
            if let Some(shown) = outbox.shown(lead) {
                *status = shown;
            }
        }
    });
    leads
}
