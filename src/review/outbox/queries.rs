//! What the outbox knows of its leads.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::lead_state::LeadState;
use super::{DecisionFailure, Outbox, Phase, SequenceNumber};

impl Outbox {
    /// Returns the server's last known status of a lead that was decided here.
    pub fn known(&self, lead: &str) -> Option<&ApprovalStatus> {
        self.leads.get(lead).map(LeadState::known)
    }

    /// Whether the server's last known status of a lead is newer than a read that was sent at `sent`.
    pub fn is_known_after(&self, lead: &str, sent: SequenceNumber) -> bool {
        let state = self.leads.get(lead);
        state.is_some_and(|state| state.known_at() > sent)
    }

    /// Returns the wanted status of a lead; `None` if the server has it.
    pub fn wanted(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.leads.get(lead)?.wanted()
    }

    /// Returns the status that was decided for a lead, if the server has not answered yet.
    pub fn unanswered(&self, lead: &str) -> Option<NewApprovalStatus> {
        let is_open = matches!(
            self.phase(lead),
            Phase::Queued | Phase::Sent | Phase::Retrying
        );
        self.wanted(lead).filter(|_| is_open)
    }

    /// Returns the status that was sent last for a lead, if it is not known whether the server has it. Another one may be wanted
    /// meanwhile.
    pub fn unconfirmed(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.leads.get(lead)?.unconfirmed()
    }

    /// Returns how many leads are on their way to the server with a status.
    pub fn count_in_flight(&self, to: &ApprovalStatus) -> u64 {
        let in_flight = self.leads.values().filter_map(LeadState::in_flight);
        in_flight
            .filter(|status| ApprovalStatus::from(*status) == *to)
            .count() as u64
    }

    /// Returns the number of the last decision on a lead.
    pub fn decided(&self, lead: &str) -> Option<SequenceNumber> {
        self.leads.get(lead).map(LeadState::decided)
    }

    /// Returns the time of the last decision on any of these leads, in milliseconds since 1970; 0 without one.
    pub fn last_decided(&self, leads: &[Arc<str>]) -> u64 {
        let states = leads.iter().filter_map(|lead| self.leads.get(lead));
        states.map(LeadState::at).max().unwrap_or_default()
    }

    /// Whether others gave a lead another status after `to` was decided here.
    pub fn is_decided_by_others(&self, lead: &str, to: NewApprovalStatus) -> bool {
        let known = self.known(lead).and_then(ApprovalStatus::known);
        self.phase(lead) == Phase::Idle && known.is_some_and(|known| known != to)
    }

    /// Whether a lead is held back until the user continues.
    pub fn is_held(&self, lead: &str) -> bool {
        self.leads.get(lead).is_some_and(LeadState::is_held)
    }

    /// Returns the leads whose decisions failed because they need another key.
    pub fn key_refused(&self) -> Vec<Arc<str>> {
        let waits = |state: &LeadState| {
            state
                .failure()
                .is_some_and(|(failure, _)| failure.key_refused)
        };
        let states = self.leads.iter().filter(|(_, state)| waits(state));
        states.map(|(lead, _)| Arc::clone(lead)).collect()
    }

    /// Returns all leads that were decided here, and those shown here that others decided.
    pub fn leads(&self) -> Vec<Arc<str>> {
        self.leads.keys().cloned().collect()
    }

    pub fn leads_in(&self, phase: Phase) -> Vec<Arc<str>> {
        let states = self.leads.iter();
        let found = states.filter(|(_, state)| state.phase() == phase);
        found.map(|(lead, _)| Arc::clone(lead)).collect()
    }

    /// Returns the status that the server has and the one that is shown, for each lead where they differ.
    pub fn unsaved(&self) -> impl Iterator<Item = (ApprovalStatus, ApprovalStatus)> {
        let statuses = self.leads.values();
        let statuses = statuses.map(|state| (state.known().clone(), state.shown()));
        statuses.filter(|(known, shown)| known != shown)
    }

    /// Returns the status to show of a lead that was decided here.
    pub fn shown(&self, lead: &str) -> Option<ApprovalStatus> {
        self.leads.get(lead).map(LeadState::shown)
    }

    pub fn phase(&self, lead: &str) -> Phase {
        self.leads.get(lead).map_or(Phase::Idle, LeadState::phase)
    }

    /// Returns why the decision on a lead failed or is uncertain, and its target status.
    pub fn failure(&self, lead: &str) -> Option<(&DecisionFailure, NewApprovalStatus)> {
        self.leads.get(lead)?.failure()
    }

    pub fn count(&self, phase: Phase) -> usize {
        self.counts[phase as usize]
    }

    /// Returns the number of leads that wait, are in flight or are retried.
    pub fn open(&self) -> usize {
        self.count(Phase::Queued) + self.count(Phase::Sent) + self.count(Phase::Retrying)
    }

    /// Returns the number of open leads that are not held back.
    pub fn moving(&self) -> usize {
        self.open() - self.leads.values().filter(|state| state.is_held()).count()
    }

    /// Whether nothing is queued, in flight, failed or uncertain.
    pub fn is_settled(&self) -> bool {
        self.count(Phase::Idle) + self.count(Phase::Confirmed) == self.leads.len()
    }
}
