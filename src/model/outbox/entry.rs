//! One lead in the outbox.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::Event;

/// Why a decision was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened, for the person who decided.
    pub reason: String,
    /// Whether the server may have done it all the same.
    pub ambiguous: bool,
    /// Whether another key is all that it takes.
    pub wants_key: bool,
}

/// How far a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Nothing was decided here, or it was and everybody knows.
    Idle,
    /// Waits to be sent.
    Queued,
    /// On its way.
    Sent,
    /// It was sent and no answer came: perhaps it was done. It is sent again by itself.
    Retrying,
    /// Kept by the server.
    Confirmed,
    /// Not done, for certain.
    Failed,
    /// Perhaps done.
    Uncertain,
}

impl Phase {
    /// How many there are.
    pub(super) const ALL: usize = 7;

    /// The word for the style sheet and for tests.
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

/// What is known of one lead, and what is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    lead: Arc<str>,
    /// What the server said last, and when it was said.
    known: ApprovalStatus,
    known_at: Event,
    /// The status before anything was saved from here: who goes back to it has decided nothing.
    before: ApprovalStatus,
    wanted: Option<NewApprovalStatus>,
    /// What is on its way.
    under_way: Option<NewApprovalStatus>,
    failure: Option<Failure>,
    /// Whether the server may hold something else than `known`: an answer was lost.
    unsure: bool,
    /// Whether the last request for it had no answer, and is sent again by itself.
    retrying: bool,
    /// Whether it goes with a part of a request that was sent before.
    in_part: bool,
    /// Whether it waits until somebody says to go on.
    held: bool,
    confirmed: bool,
    since: Event,
    /// When a person decided, among the events, and on the clock.
    decided: Event,
    at: u64,
}

/// How an entry stands, as far as anybody asks. An entry with another mark is news.
pub(super) type Mark = (Phase, Option<NewApprovalStatus>, bool, Event, Event);

impl Entry {
    /// A lead of which the server said this.
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
        // Back where it was before anything left: there is nothing to send. What is only seen on the
        // screen may be another thing on the server.
        let is_known = self.decided > 0 || self.known_at > 0;
        let settled = self.under_way.is_none() && !self.unsure && is_known;
        (self.since, self.decided, self.at) = (now, now, at);
        self.wanted = if settled && self.known.known() == Some(to) {
            None
        } else {
            Some(to)
        };
    }

    /// Nobody knows what the server holds.
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

    /// It goes with a part of its request from now on; `perhaps` says whether it may be done already.
    pub(super) fn split(&mut self, perhaps: bool, now: Event) {
        let sent = self.under_way.take();
        self.unsure |= perhaps;
        self.retrying = false;
        // What was decided meanwhile goes by itself.
        self.in_part = self.wanted == sent;
        self.known_at = now;
    }

    /// The request is sent again by itself; `perhaps` says whether it may be done already.
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
        // A newer decision is waiting already: it answers the question by itself.
        if self.wanted == sent {
            self.failure = Some(failure);
        }
    }

    /// The server does not have the lead, whatever became of the requests before.
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

    /// Wants the status that was there before. It is sent where the server may hold another one.
    fn give_up(&mut self, now: Event) {
        let unsure = self.unsure || self.under_way.is_some();
        (self.held, self.retrying, self.in_part) = (false, false, false);
        self.since = now;
        self.wanted = self.known.known().filter(|_| unsure);
    }

    pub(super) fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Calls off what has not left.
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
            // It was done after all, by that request or by somebody else.
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

    /// Whether it wants to be sent.
    pub(super) fn is_waiting(&self) -> bool {
        self.wanted.is_some() && self.under_way.is_none() && self.failure.is_none()
    }

    /// Whether it waits until somebody says to go on.
    pub(super) fn is_held(&self) -> bool {
        self.held && self.is_waiting()
    }

    /// Whether it may be sent now.
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

    /// When a person decided, among the events.
    pub(super) fn decided(&self) -> Event {
        self.decided
    }

    /// When a person decided, in milliseconds since 1970.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// What the person wants, unless the server has it.
    pub fn wanted(&self) -> Option<NewApprovalStatus> {
        self.wanted
    }

    /// What the server said last.
    pub fn known(&self) -> &ApprovalStatus {
        &self.known
    }

    /// The status to show: what is wanted, until that fails for certain.
    pub fn shown(&self) -> ApprovalStatus {
        match self.wanted {
            Some(wanted) if self.failure.is_none() || self.unsure => wanted.into(),
            _ => self.known.clone(),
        }
    }

    /// How far it is.
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

    /// Why it failed or is uncertain, and what was wanted.
    pub fn failure(&self) -> Option<(&Failure, NewApprovalStatus)> {
        Some((self.failure.as_ref()?, self.wanted?))
    }

    /// Whether nothing is open.
    pub fn is_settled(&self) -> bool {
        matches!(self.phase(), Phase::Idle | Phase::Confirmed)
    }
}
