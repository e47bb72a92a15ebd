//! Outcomes of requests and their effects on leads.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::lead_state::{DecisionFailure, LeadState};
use super::{Outbox, OutboxRequest, SequenceNumber};

/// Longest pause while the server cannot be reached, in seconds.
const MAX_PAUSE_SECONDS: u64 = 60;

/// A decision that the server saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    pub lead: Arc<str>,
    pub to: NewApprovalStatus,
    /// Last known status before.
    pub before: ApprovalStatus,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
}

/// Outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestResult {
    /// The server applied it to all leads.
    Done,
    /// The server counted fewer leads than were sent. They are sent again in parts, to find the
    /// missing ones.
    Counted(u64),
    /// The server refused all leads because of some. They are sent again in parts.
    Refused {
        /// A previous attempt got no response, so it may have been applied.
        ambiguous: bool,
    },
    /// The server does not have the lead.
    NotFound,
    /// It is retried automatically.
    Retry {
        /// It may have been applied: no response, or none from the server itself.
        ambiguous: bool,
    },
    /// It was not applied, or the outcome is unknown: see [`DecisionFailure::ambiguous`].
    Failed(DecisionFailure),
}

impl RequestResult {
    /// Whether the decisions were certainly not applied, and are not sent again.
    pub fn is_refused(&self) -> bool {
        match self {
            Self::NotFound => true,
            Self::Failed(failure) => !failure.ambiguous,
            _ => false,
        }
    }
}

impl Outbox {
    /// Handles the result of a request. Returns the decisions that the server saved.
    pub fn on_result(&mut self, number: u64, result: &RequestResult) -> Vec<Saved> {
        let Some(place) = self.in_flight.iter().position(|one| one.number == number) else {
            return Vec::new();
        };
        let request = self.in_flight.swap_remove(place);
        let now = self.next_number();
        if *result != (RequestResult::Retry { ambiguous: true }) {
            self.unanswered = 0;
        } else if number > self.last_unanswered {
            self.unanswered = self.unanswered.saturating_add(1);
            self.last_unanswered = self.requests;
        }
        let OutboxRequest {
            to, leads, part_of, ..
        } = request;
        let sent = leads.len() as u64;
        let found = match result {
            RequestResult::Done => sent,
            RequestResult::Counted(counted) => (*counted).min(sent),
            _ => 0,
        };
        let mut saved = Vec::new();
        for (to, leads) in self.parts.record_found(part_of, found) {
            let is_part = |state: &LeadState| state.is_in_part() && state.wanted() == Some(to);
            for lead in &leads {
                if self.leads.get(lead).is_some_and(is_part) {
                    self.save(lead, to, now, &mut saved);
                }
            }
        }
        let is_done = match result {
            RequestResult::Done => true,
            RequestResult::Counted(_) => found == sent || self.parts.counts_changes(),
            _ => false,
        };
        if is_done {
            self.refused_alone = 0;
            for lead in &leads {
                self.save(lead, to, now, &mut saved);
            }
            return saved;
        }
        let many = leads.len() > 1;
        if result.is_refused() && !many {
            self.refused_alone += 1;
        }
        for lead in &leads {
            self.change(lead, &mut |state| match result {
                RequestResult::Counted(_) if many => state.split(true, now),
                RequestResult::Refused { ambiguous } if many => state.split(*ambiguous, now),
                // One lead cannot be split. A count of 0 means that it does not exist.
                RequestResult::Done
                | RequestResult::Counted(_)
                | RequestResult::Refused { .. }
                | RequestResult::NotFound => {
                    state.not_found(not_found(), now);
                }
                RequestResult::Retry { ambiguous } => state.retry_later(*ambiguous, now),
                RequestResult::Failed(failure) => state.failed(failure.clone(), now),
            });
        }
        match result {
            RequestResult::Counted(_) if many => self.parts.split(to, leads, Some(found)),
            RequestResult::Refused { .. } if many => self.parts.split(to, leads, None),
            RequestResult::Retry { .. } => {
                let in_part = |lead: &Arc<str>| {
                    let state = self.leads.get(lead);
                    state.is_some_and(LeadState::is_in_part)
                };
                let leads = leads.into_iter().filter(in_part).collect();
                self.parts.put_back(to, leads, part_of);
            }
            _ => {}
        }
        saved
    }

    /// Records a decision that the server saved.
    fn save(
        &mut self,
        lead: &Arc<str>,
        to: NewApprovalStatus,
        now: SequenceNumber,
        saved: &mut Vec<Saved>,
    ) {
        if let Some(state) = self.leads.get(lead).filter(|state| !state.is_deleted()) {
            saved.push(Saved {
                lead: Arc::clone(lead),
                to,
                before: state.known().clone(),
                at: state.sent_at(),
            });
        }
        self.change(lead, &mut |state| state.saved(to, now));
    }

    /// Whether a refused request is worth sending again in parts. Not after as many leads in a row as a request
    /// holds were refused alone: then the reason is not one of the leads, but for instance a wrong address.
    pub fn may_split(&self) -> bool {
        self.refused_alone < self.chunk
    }

    /// Returns the pause after requests without a response, in seconds. It is 2 at first, and
    /// doubled each time up to one minute.
    pub fn pause(&self) -> u64 {
        let times = 1 << self.unanswered.clamp(1, 10);
        MAX_PAUSE_SECONDS.min(times)
    }
}

fn not_found() -> DecisionFailure {
    DecisionFailure {
        reason: "The lead no longer exists".into(),
        ambiguous: false,
        key_refused: false,
    }
}
