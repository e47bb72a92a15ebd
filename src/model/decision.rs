//! The decision on one lead, from the click to the server's word. Shown at once, sent one at a
//! time, and rolled back where everybody can see it.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

/// Why a decision was not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened, for the person who decided.
    pub reason: String,
    /// Whether the server may have saved it all the same.
    pub ambiguous: bool,
    /// Whether another key is all that it takes.
    pub wants_key: bool,
}

/// How far a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was decided here.
    Idle,
    /// On its way.
    Saving,
    /// Kept by the server.
    Saved,
    /// Not saved, or nobody knows.
    Failed,
}

impl Phase {
    /// The word for the style sheet.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Saving => "saving",
            Self::Saved => "saved",
            Self::Failed => "failed",
        }
    }
}

/// The status of one lead: what the server holds, and what the person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    saved: ApprovalStatus,
    wanted: Option<NewApprovalStatus>,
    in_flight: Option<NewApprovalStatus>,
    failure: Option<Failure>,
    decided: bool,
    /// Whether the server may hold something else than `saved`, since an answer was lost.
    unsure: bool,
    touched: u64,
}

/// What is to be sent next, if anything.
pub type Next = Option<NewApprovalStatus>;

impl Decision {
    /// A lead as the server gave it.
    pub fn new(saved: ApprovalStatus) -> Self {
        Self {
            saved,
            wanted: None,
            in_flight: None,
            failure: None,
            decided: false,
            unsure: false,
            touched: 0,
        }
    }

    /// The status to show: the wanted one until it fails, then the server's again.
    pub fn shown(&self) -> ApprovalStatus {
        match self.wanted {
            Some(wanted) if self.failure.is_none() => wanted.into(),
            _ => self.saved.clone(),
        }
    }

    /// The status that the server holds.
    pub fn saved(&self) -> &ApprovalStatus {
        &self.saved
    }

    /// How far it is.
    pub fn phase(&self) -> Phase {
        if self.failure.is_some() {
            Phase::Failed
        } else if self.in_flight.is_some() {
            Phase::Saving
        } else if self.decided {
            Phase::Saved
        } else {
            Phase::Idle
        }
    }

    /// Why it was not saved, and what was wanted.
    pub fn failure(&self) -> Option<(&Failure, NewApprovalStatus)> {
        Some((self.failure.as_ref()?, self.wanted?))
    }

    /// Whether nothing is under way and nothing is open.
    pub fn is_settled(&self) -> bool {
        self.in_flight.is_none() && self.failure.is_none()
    }

    /// The person decides. The latest decision wins; one at a time is sent.
    pub fn decide(&mut self, to: NewApprovalStatus) -> Next {
        self.failure = None;
        self.decided = true;
        self.wanted = Some(to);
        if self.in_flight.is_none() {
            self.in_flight = Some(to);
            Some(to)
        } else {
            None
        }
    }

    /// The server saved what was sent, and says which status holds now. `now` is the number of
    /// this event; see [`refreshed`](Self::refreshed).
    pub fn confirmed(&mut self, status: ApprovalStatus, now: u64) -> Next {
        let sent = self.in_flight.take();
        self.saved = status;
        self.unsure = false;
        self.touched = now;
        if self.wanted == sent {
            self.wanted = None;
        }
        self.in_flight = self.wanted;
        self.wanted
    }

    /// What was sent was not saved. A newer decision is sent in its place.
    pub fn failed(&mut self, failure: Failure) -> Next {
        let sent = self.in_flight.take();
        self.unsure |= failure.ambiguous;
        if self.wanted == sent {
            self.failure = Some(failure);
            None
        } else {
            self.in_flight = self.wanted;
            self.wanted
        }
    }

    /// Sends a failed decision again.
    pub fn retry(&mut self) -> Next {
        let wanted = self.wanted.filter(|_| self.failure.is_some())?;
        self.decide(wanted)
    }

    /// Gives a failed decision up. Where the server may have saved it, the old status is sent.
    pub fn revert(&mut self) -> Next {
        self.failure.take()?;
        self.wanted = None;
        self.decided = false;
        match self.saved.known() {
            Some(saved) if self.unsure => self.decide(saved),
            _ => None,
        }
    }

    /// The server's list gives the lead with a status. A read that was sent (event `sent`) before
    /// a write was confirmed is older news and changes nothing. Whether the row is fresh again.
    pub fn refreshed(&mut self, status: ApprovalStatus, sent: u64) -> bool {
        if !self.is_settled() || self.touched > sent {
            return false;
        }
        self.saved = status;
        self.unsure = false;
        self.wanted = None;
        self.decided = false;
        true
    }
}
