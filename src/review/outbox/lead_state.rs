//! State of one lead in the outbox.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::phase::Phase;

/// Position in the sequence of events, which only grows. A read has the number at which it was sent.
pub type SequenceNumber = u64;

/// The status that is known of a lead that someone else deleted. No tab holds it.
pub const DELETED: &str = "deleted";

/// Why a decision was not saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFailure {
    /// What happened, as a message for the user.
    pub reason: String,
    /// Whether the server may have applied it nevertheless.
    pub ambiguous: bool,
    /// Whether it only needs another key.
    pub key_refused: bool,
}

/// Known and wanted status of one lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadState {
    lead: Arc<str>,
    /// Last status from the server, and the event at which it was reported.
    known: ApprovalStatus,
    known_at: SequenceNumber,
    /// Status before anything was saved from here. If a decision returns to it, the phase is idle,
    /// not confirmed.
    before: ApprovalStatus,
    wanted: Option<NewApprovalStatus>,
    /// Status of the request in flight.
    in_flight: Option<NewApprovalStatus>,
    /// Status that was sent last, and the time of its decision.
    sent: Option<NewApprovalStatus>,
    sent_at: u64,
    /// Whether it is sent once more after the request in flight, because another tab may have overwritten it.
    sends_again: bool,
    failure: Option<DecisionFailure>,
    /// Whether the server may have a status other than `known`, because a response was lost.
    uncertain: bool,
    /// Whether the last request got no response and is retried automatically.
    retrying: bool,
    /// Whether it is sent with a part of a previous request.
    in_part: bool,
    /// Whether it is held back until the user continues.
    held: bool,
    confirmed: bool,
    since: SequenceNumber,
    /// Sequence number of the user's decision, and its time in milliseconds since 1970.
    decided: SequenceNumber,
    at: u64,
}

/// What others can see of a lead. If it changes, the lead is reported as changed.
pub(super) type Snapshot = (
    Phase,
    Option<NewApprovalStatus>,
    bool,
    SequenceNumber,
    SequenceNumber,
);

impl LeadState {
    /// Starts with the last known status.
    pub(super) fn new(lead: Arc<str>, known: ApprovalStatus) -> Self {
        Self {
            lead,
            before: known.clone(),
            known,
            known_at: 0,
            wanted: None,
            in_flight: None,
            sent: None,
            sent_at: 0,
            sends_again: false,
            failure: None,
            uncertain: false,
            retrying: false,
            in_part: false,
            held: false,
            confirmed: false,
            since: 0,
            decided: 0,
            at: 0,
        }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let held = self.is_held();
        (self.phase(), self.wanted, held, self.since, self.known_at)
    }

    pub(super) fn decide(&mut self, to: NewApprovalStatus, now: SequenceNumber, at: u64) {
        self.failure = None;
        self.retrying = false;
        self.in_part = false;
        self.confirmed = false;
        self.held = false;
        // Back to the known status before anything was sent: there is nothing to send. A status
        // that is only known from the screen may be different on the server.
        let is_known = self.decided > 0 || self.known_at > 0;
        let settled = self.in_flight.is_none() && !self.uncertain && is_known;
        (self.since, self.decided, self.at) = (now, now, at);
        self.wanted = if settled && self.known.known() == Some(to) {
            None
        } else {
            Some(to)
        };
    }

    /// Records that the server's status is not known.
    pub(super) fn may_be_sent(&mut self, to: NewApprovalStatus) {
        self.sent = Some(to);
        self.uncertain = true;
    }

    pub(super) fn sent(&mut self, to: NewApprovalStatus) {
        self.in_flight = Some(to);
        self.sent = Some(to);
        self.sent_at = self.at;
        self.sends_again = false;
    }

    /// Records that the server saved a status. If the lead was deleted meanwhile, that came later.
    pub(super) fn saved(&mut self, status: NewApprovalStatus, now: SequenceNumber) {
        self.in_flight = None;
        if !self.is_deleted() {
            self.known = status.into();
        }
        self.known_at = now;
        self.uncertain = false;
        self.retrying = false;
        self.in_part = false;
        if self.wanted == Some(status) && !self.sends_again {
            self.wanted = None;
            self.held = false;
            self.confirmed = self.known != self.before && !self.is_deleted();
        }
    }

    /// Moves it to a part of its request. `ambiguous`: the server may have applied it already.
    pub(super) fn split(&mut self, ambiguous: bool, now: SequenceNumber) {
        let sent = self.in_flight.take();
        self.uncertain |= ambiguous;
        self.retrying = false;
        // A decision that was made in the meantime is sent separately.
        self.in_part = self.wanted == sent;
        self.known_at = now;
    }

    /// Records that the request is retried automatically. `ambiguous`: the server may have applied
    /// it.
    pub(super) fn retry_later(&mut self, ambiguous: bool, now: SequenceNumber) {
        let sent = self.in_flight.take();
        self.uncertain |= ambiguous;
        self.retrying = ambiguous;
        // It stays in its part, unless a decision was made in the meantime.
        self.in_part &= self.wanted == sent;
        self.known_at = now;
    }

    /// Whether someone else deleted the lead.
    pub(super) fn is_deleted(&self) -> bool {
        self.known.as_str() == DELETED
    }

    pub(super) fn failed(&mut self, failure: DecisionFailure, now: SequenceNumber) {
        let sent = self.in_flight.take();
        self.uncertain |= failure.ambiguous;
        self.retrying = false;
        self.known_at = now;
        self.in_part = false;
        // If a newer decision is waiting, it replaces the failed one.
        if self.wanted == sent {
            self.failure = Some(failure);
        }
    }

    /// Records that the server does not have the lead, regardless of previous outcomes.
    pub(super) fn not_found(&mut self, failure: DecisionFailure, now: SequenceNumber) {
        self.uncertain = false;
        self.failed(failure, now);
    }

    pub(super) fn retry(&mut self, now: SequenceNumber) {
        if self.failure.take().is_some() {
            self.since = now;
        }
    }

    pub(super) fn revert(&mut self, now: SequenceNumber) {
        if self.failure.take().is_some() || self.retrying {
            self.return_to_known(now);
        }
    }

    /// Goes back to the previous status. It is sent if the server may have another one.
    fn return_to_known(&mut self, now: SequenceNumber) {
        let uncertain = self.uncertain || self.in_flight.is_some();
        (self.held, self.retrying, self.in_part) = (false, false, false);
        self.since = now;
        self.wanted = self.known.known().filter(|_| uncertain);
    }

    pub(super) fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Cancels what was not sent yet, or is retried automatically.
    pub(super) fn cancel(&mut self, now: SequenceNumber) {
        if self.is_waiting() || self.retrying {
            self.return_to_known(now);
        }
    }

    pub(super) fn on_read(&mut self, status: ApprovalStatus, sent: SequenceNumber) {
        let older = sent <= self.known_at;
        let open = self.in_flight.is_some() || self.is_waiting();
        if older || open {
            return;
        }
        self.before = status.clone();
        self.known = status;
        self.known_at = sent;
        self.uncertain = false;
        self.confirmed = false;
        if self.failure.is_some() && self.known.known() == self.wanted {
            // It was applied after all, by that request or by another user.
            self.failure = None;
        }
        if self.failure.is_none() {
            self.wanted = None;
            self.held = false;
        }
    }

    /// Records a status that someone else gave. An open decision stays, and goes back to that status if it is given up.
    pub(super) fn changed_by_others(&mut self, status: ApprovalStatus, now: SequenceNumber) {
        if self.in_flight.is_some() || self.is_waiting() {
            self.known = status;
            self.known_at = now;
        } else {
            self.on_read(status, now);
        }
    }

    pub(super) fn on_saved_elsewhere(&mut self, status: ApprovalStatus, now: SequenceNumber) {
        if self.in_flight.is_none() && !self.is_waiting() && self.failure.is_none() {
            self.before = status.clone();
            self.known = status;
            self.known_at = now;
            self.uncertain = false;
            self.confirmed = false;
        }
    }

    /// Records a decision of another tab, made at `at`. `is_saved`: the server has it; otherwise it is on its way.
    pub(super) fn on_decided_elsewhere(
        &mut self,
        to: NewApprovalStatus,
        at: u64,
        is_saved: bool,
        now: SequenceNumber,
    ) {
        let is_open = self.in_flight.is_some() || self.is_waiting() || self.failure.is_some();
        if at < self.at && is_saved {
            self.send_again(now);
        } else if at > self.at && is_open {
            // What is on its way from here may arrive after that of the other tab, so the newer decision is sent from
            // here, too.
            self.decide(to, now, at);
        } else if at >= self.at && is_saved {
            self.on_saved_elsewhere(to.into(), now);
            self.at = at;
        }
    }

    /// Sends the latest decision once more: an older one may have reached the server after it.
    pub(super) fn send_again(&mut self, now: SequenceNumber) {
        if self.in_flight.is_some() {
            self.sends_again = true;
        } else if self.wanted.is_none() {
            self.wanted = self.known.known();
            self.since = now;
        }
    }

    /// Whether it must be sent, now or later.
    pub(super) fn is_waiting(&self) -> bool {
        self.wanted.is_some() && self.in_flight.is_none() && self.failure.is_none()
    }

    /// Whether it is held back until the user continues.
    pub(super) fn is_held(&self) -> bool {
        self.held && self.is_waiting()
    }

    /// Whether it can be sent now.
    pub(super) fn can_be_sent(&self) -> bool {
        self.is_waiting() && !self.held
    }

    pub(super) fn is_in_part(&self) -> bool {
        self.in_part
    }

    pub(super) fn since(&self) -> SequenceNumber {
        self.since
    }

    pub(super) fn lead(&self) -> &Arc<str> {
        &self.lead
    }

    /// Whether the user decided on it, here or in another tab. Others may have changed it instead.
    pub(super) fn is_decided(&self) -> bool {
        self.decided > 0 || self.at > 0
    }

    /// Returns the event of the user's decision.
    pub(super) fn decided(&self) -> SequenceNumber {
        self.decided
    }

    /// Returns the time of the user's decision in milliseconds since 1970.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Returns the status of the request in flight.
    pub(super) fn in_flight(&self) -> Option<NewApprovalStatus> {
        self.in_flight
    }

    /// Returns the status that was sent last, if it is not known whether the server has it.
    pub(super) fn unconfirmed(&self) -> Option<NewApprovalStatus> {
        self.sent
            .filter(|_| self.in_flight.is_some() || self.uncertain)
    }

    /// Returns the time of the decision that was sent last.
    pub(super) fn sent_at(&self) -> u64 {
        self.sent_at
    }

    /// Returns the status that the user wants; `None` if the server has it.
    pub fn wanted(&self) -> Option<NewApprovalStatus> {
        self.wanted
    }

    /// Returns the event at which the last status from the server was reported.
    pub(super) fn known_at(&self) -> SequenceNumber {
        self.known_at
    }

    /// Returns the last status from the server.
    pub fn known(&self) -> &ApprovalStatus {
        &self.known
    }

    /// Returns the status to show: the wanted one, until that definitely fails.
    pub fn shown(&self) -> ApprovalStatus {
        match self.wanted {
            Some(wanted) if self.failure.is_none() || self.uncertain => wanted.into(),
            _ => self.known.clone(),
        }
    }

    pub fn phase(&self) -> Phase {
        match (&self.failure, self.wanted, self.in_flight) {
            (Some(_), ..) if self.uncertain => Phase::Uncertain,
            (Some(_), ..) => Phase::Failed,
            (None, Some(_), _) if self.retrying => Phase::Retrying,
            (None, _, Some(_)) => Phase::Sent,
            (None, Some(_), None) => Phase::Queued,
            (None, None, None) if self.confirmed => Phase::Confirmed,
            (None, None, None) => Phase::Idle,
        }
    }

    /// Returns why it failed or is uncertain, and the wanted status.
    pub fn failure(&self) -> Option<(&DecisionFailure, NewApprovalStatus)> {
        Some((self.failure.as_ref()?, self.wanted?))
    }
}
