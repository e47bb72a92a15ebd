//! What others decided, and what the follower of their changes must know of decisions here.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::{Decisions, LeadStatus};
use crate::app::model::live::conflicts::Conflict;
use crate::app::state::live::own_decision::{OnOwnEvent, OwnDecision, OwnEvent};
use crate::review::outbox::Saved;

impl Decisions {
    /// Takes statuses that others gave. `is_shown`: whether the screen has a lead.
    pub fn on_changed_by_others(self, leads: &[LeadStatus], is_shown: &dyn Fn(&str) -> bool) {
        self.read(|engine| engine.on_changed_by_others(leads, is_shown));
    }

    /// Returns the status that was decided here, if the server has not answered yet.
    pub fn unsaved(self, lead: &str) -> Option<NewApprovalStatus> {
        self.read(|engine| engine.with_outbox(|outbox| outbox.unanswered(lead)))
    }

    /// Returns the status that was sent last for a lead, if it is not known whether the server has it.
    pub fn unconfirmed(self, lead: &str) -> Option<NewApprovalStatus> {
        self.read(|engine| engine.with_outbox(|outbox| outbox.unconfirmed(lead)))
    }

    /// Returns how many leads are on their way to the server with a status.
    pub fn count_in_flight(self, to: &ApprovalStatus) -> u64 {
        self.read(|engine| engine.with_outbox(|outbox| outbox.count_in_flight(to)))
    }

    /// Returns the number of the step that decided a lead last.
    pub fn step_of(self, lead: &str) -> Option<u64> {
        self.read(|engine| engine.with_history(|history| history.step_of(lead)))
    }

    /// Undoing these decisions returns to what the others decided.
    pub fn set_undo_statuses(self, conflicts: &[Conflict]) {
        self.read(|engine| {
            engine.changed_by_others(conflicts.iter().map(|one| (&one.lead, &one.theirs)));
        });
    }

    /// Calls `on_own` before leads are decided from now on, when that is saved, and for decisions of other tabs.
    pub fn on_own_events(self, on_own: OnOwnEvent) {
        self.on_own.set_value(Some(on_own));
    }

    pub(super) fn report_own(self, event: OwnEvent<'_>) {
        if let Some(Some(on_own)) = self.on_own.try_get_value() {
            on_own(event);
        }
    }

    /// Looks up the status that a list has of a lead.
    pub fn listed_status(self, lead: &str) -> Option<ApprovalStatus> {
        let lookups = self.status_lookups.try_get_value().unwrap_or_default();
        lookups.iter().find_map(|lookup| lookup(lead))
    }
}

/// Returns the decisions that a request saved.
pub(super) fn own(saved: &[Saved]) -> Vec<OwnDecision> {
    let own = saved.iter().map(|one| OwnDecision {
        lead: Arc::clone(&one.lead),
        to: one.to,
        at: Some(one.at),
        is_saved: true,
    });
    own.collect()
}
