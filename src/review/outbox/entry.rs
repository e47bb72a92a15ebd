//! State of one lead in the outbox.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::Event;

/// Why a decision was not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened, as a message for the user.
    pub reason: String,
    /// Whether the server may have applied it nevertheless.
    pub ambiguous: bool,
    /// Whether it only needs another key.
    pub wants_key: bool,
}

/// How far a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Nothing was decided here, or the decision is settled.
    Idle,
    /// Waits to be sent.
    Queued,
    /// In flight.
    Sent,
    /// Sent without a response, so it may have been applied. It is retried automatically.
    Retrying,
    /// Saved by the server.
    Confirmed,
    /// Definitely not applied.
    Failed,
    /// Perhaps applied.
    Uncertain,
}

impl Phase {
    /// Number of phases.
    pub(super) const ALL: usize = 7;

    /// Returns the name for the style sheet and for tests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Retrying => "retrying",
            Self::Confirmed => "confirmed",
            Self::Failed => "failed",
            Self::Uncertain => "uncertain",
        }
    }
}

/// Known and wanted status of one lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    lead: Arc<str>,
    /// Last status from the server, and the event at which it was reported.
    known: ApprovalStatus,
    known_at: Event,
    /// Status before anything was saved from here. If a decision returns to it, the phase is idle,
    /// not confirmed.
    before: ApprovalStatus,
    wanted: Option<NewApprovalStatus>,
    /// Status of the request in flight.
    under_way: Option<NewApprovalStatus>,
    failure: Option<Failure>,
    /// Whether the server may have a status other than `known`, because a response was lost.
    unsure: bool,
    /// Whether the last request got no response and is retried automatically.
    retrying: bool,
    /// Whether it is sent with a part of a previous request.
    in_part: bool,
    /// Whether it is held back until the user continues.
    held: bool,
    confirmed: bool,
    since: Event,
    /// Event of the user's decision, and its time in milliseconds since 1970.
    decided: Event,
    at: u64,
}

/// Observable state of an entry. If it changes, the lead is reported as changed.
pub(super) type Mark = (Phase, Option<NewApprovalStatus>, bool, Event, Event);

impl Entry {
    /// Creates the entry of a lead with this last known status.
    pub(super) fn new(lead: Arc<str>, known: ApprovalStatus) -> Self {
        Self {
            lead,
            before: known.clone(),
            known,
            known_at: 0,
            wanted: None,
            under_way: None,
            failure: None,
            unsure: false,
            retrying: false,
            in_part: false,
            held: false,
            confirmed: false,
            since: 0,
            decided: 0,
            at: 0,
        }
    }

    pub(super) fn mark(&self) -> Mark {
        let held = self.is_held();
        (self.phase(), self.wanted, held, self.since, self.known_at)
    }

    pub(super) fn decide(&mut self, to: NewApprovalStatus, now: Event, at: u64) {
        self.failure = None;
        self.retrying = false;
        self.in_part = false;
        self.confirmed = false;
        self.held = false;
        // Back to the known status before anything was sent: there is nothing to send. A status
        // that is only known from the screen may be different on the server.
        let is_known = self.decided > 0 || self.known_at > 0;
        let settled = self.under_way.is_none() && !self.unsure && is_known;
        (self.since, self.decided, self.at) = (now, now, at);
        self.wanted = if settled && self.known.known() == Some(to) {
            None
        } else {
            Some(to)
        };
    }

    /// Records that the server's status is not known.
    pub(super) fn lost(&mut self) {
        self.unsure = true;
    }

    pub(super) fn sent(&mut self, to: NewApprovalStatus) {
        self.under_way = Some(to);
    }

    pub(super) fn done(&mut self, status: NewApprovalStatus, now: Event) {
        self.under_way = None;
        self.known = status.into();
        self.known_at = now;
        self.unsure = false;
        self.retrying = false;
        self.in_part = false;
        if self.wanted == Some(status) {
            self.wanted = None;
            self.confirmed = self.known != self.before;
        }
    }

    /// Moves it to a part of its request. `perhaps`: the server may have applied it already.
    pub(super) fn split(&mut self, perhaps: bool, now: Event) {
        let sent = self.under_way.take();
        self.unsure |= perhaps;
        self.retrying = false;
        // A decision that was made in the meantime is sent separately.
        self.in_part = self.wanted == sent;
        self.known_at = now;
    }

    /// Records that the request is retried automatically. `perhaps`: the server may have applied
    /// it.
    pub(super) fn later(&mut self, perhaps: bool, now: Event) {
        self.under_way = None;
        self.unsure |= perhaps;
        self.retrying = perhaps;
        self.in_part = false;
        self.known_at = now;
    }

    pub(super) fn failed(&mut self, failure: Failure, now: Event) {
        let sent = self.under_way.take();
        self.unsure |= failure.ambiguous;
        self.retrying = false;
        self.known_at = now;
        self.in_part = false;
        // If a newer decision is waiting, it replaces the failed one.
        if self.wanted == sent {
            self.failure = Some(failure);
        }
    }

    /// Records that the server does not have the lead, regardless of previous outcomes.
    pub(super) fn gone(&mut self, failure: Failure, now: Event) {
        self.unsure = false;
        self.failed(failure, now);
    }

    pub(super) fn retry(&mut self, now: Event) {
        if self.failure.take().is_some() {
            self.since = now;
        }
    }

    pub(super) fn revert(&mut self, now: Event) {
        if self.failure.take().is_some() || self.retrying {
            self.give_up(now);
        }
    }

    /// Goes back to the previous status. It is sent if the server may have another one.
    fn give_up(&mut self, now: Event) {
        let unsure = self.unsure || self.under_way.is_some();
        (self.held, self.retrying, self.in_part) = (false, false, false);
        self.since = now;
        self.wanted = self.known.known().filter(|_| unsure);
    }

    pub(super) fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Cancels what was not sent yet, or is retried automatically.
    pub(super) fn take_back(&mut self, now: Event) {
        if self.is_waiting() || self.retrying {
            self.give_up(now);
        }
    }

    pub(super) fn arrived(&mut self, status: ApprovalStatus, sent: Event) {
        let older = sent <= self.known_at;
        let open = self.under_way.is_some() || self.is_waiting();
        if older || open {
            return;
        }
        self.before = status.clone();
        self.known = status;
        self.known_at = sent;
        self.unsure = false;
        self.confirmed = false;
        if self.failure.is_some() && self.known.known() == self.wanted {
            // It was applied after all, by that request or by another user.
            self.failure = None;
        }
        if self.failure.is_none() {
            self.wanted = None;
        }
    }

    pub(super) fn heard(&mut self, status: ApprovalStatus, now: Event) {
        if self.under_way.is_none() && !self.is_waiting() && self.failure.is_none() {
            self.before = status.clone();
            self.known = status;
            self.known_at = now;
            self.unsure = false;
            self.confirmed = false;
        }
    }

    /// Whether it must be sent, now or later.
    pub(super) fn is_waiting(&self) -> bool {
        self.wanted.is_some() && self.under_way.is_none() && self.failure.is_none()
    }

    /// Whether it is held back until the user continues.
    pub(super) fn is_held(&self) -> bool {
        self.held && self.is_waiting()
    }

    /// Whether it can be sent now.
    pub(super) fn may_leave(&self) -> bool {
        self.is_waiting() && !self.held
    }

    pub(super) fn is_in_part(&self) -> bool {
        self.in_part
    }

    pub(super) fn since(&self) -> Event {
        self.since
    }

    pub(super) fn lead(&self) -> &Arc<str> {
        &self.lead
    }

    /// Returns the event of the user's decision.
    pub(super) fn decided(&self) -> Event {
        self.decided
    }

    /// Returns the time of the user's decision in milliseconds since 1970.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Returns the status that the user wants; `None` if the server has it.
    pub fn wanted(&self) -> Option<NewApprovalStatus> {
        self.wanted
    }

    /// Returns the last status from the server.
    pub fn known(&self) -> &ApprovalStatus {
        &self.known
    }

    /// Returns the status to show: the wanted one, until that definitely fails.
    pub fn shown(&self) -> ApprovalStatus {
        match self.wanted {
            Some(wanted) if self.failure.is_none() || self.unsure => wanted.into(),
            _ => self.known.clone(),
        }
    }

    pub fn phase(&self) -> Phase {
        match (&self.failure, self.wanted, self.under_way) {
            (Some(_), ..) if self.unsure => Phase::Uncertain,
            (Some(_), ..) => Phase::Failed,
            (None, Some(_), _) if self.retrying => Phase::Retrying,
            (None, _, Some(_)) => Phase::Sent,
            (None, Some(_), None) => Phase::Queued,
            (None, None, None) if self.confirmed => Phase::Confirmed,
            (None, None, None) => Phase::Idle,
        }
    }

    /// Returns why it failed or is uncertain, and the wanted status.
    pub fn failure(&self) -> Option<(&Failure, NewApprovalStatus)> {
        Some((self.failure.as_ref()?, self.wanted?))
    }

    /// Whether nothing is queued, in flight, failed or uncertain.
    pub fn is_settled(&self) -> bool {
        matches!(self.phase(), Phase::Idle | Phase::Confirmed)
    }
}
