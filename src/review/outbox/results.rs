//! Outcomes of requests and their effects on leads.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::entry::{Entry, Failure};
use super::{Event, Outbox, SendRequest};

/// Longest pause while the server cannot be reached, in seconds.
const LONGEST_PAUSE: u64 = 60;

/// A decision that the server saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    pub lead: Arc<str>,
    pub to: NewApprovalStatus,
    /// Last known status before.
    pub before: ApprovalStatus,
}

/// Outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendResult {
    /// The server applied it to all leads.
    Done,
    /// The server counted fewer leads than were sent. They are sent again in parts, to find the
    /// missing ones.
    Counted(u64),
    /// The server refused all leads because of some. They are sent again in parts.
    Refused {
        /// A previous attempt got no response, so it may have been applied.
        perhaps: bool,
    },
    /// The server does not have the lead.
    Gone,
    /// It is retried automatically.
    Later {
        /// It may have been applied: no response, or none from the server itself.
        perhaps: bool,
    },
    /// It was not applied, or the outcome is unknown: see [`Failure::ambiguous`].
    Failed(Failure),
}

impl Outbox {
    /// Handles the outcome of a request. Returns the decisions that the server saved.
    pub fn ended(&mut self, number: u64, end: &SendResult) -> Vec<Saved> {
        let Some(place) = self.flights.iter().position(|one| one.number == number) else {
            return Vec::new();
        };
        let flight = self.flights.swap_remove(place);
        let now = self.tick();
        if *end != (SendResult::Later { perhaps: true }) {
            self.unanswered = 0;
        } else if number > self.counted {
            self.unanswered = self.unanswered.saturating_add(1);
            self.counted = self.flights_ever;
        }
        let SendRequest { to, leads, .. } = flight;
        let sent = leads.len() as u64;
        let found = match end {
            SendResult::Done => sent,
            SendResult::Counted(counted) => (*counted).min(sent),
            _ => 0,
        };
        let mut saved = Vec::new();
        for (lead, to) in self.parts.found(flight.part_of, found) {
            let is_part = |entry: &Entry| entry.is_in_part() && entry.wanted() == Some(to);
            if self.entries.get(&lead).is_some_and(is_part) {
                self.keep(&lead, to, now, &mut saved);
            }
        }
        let is_done = match end {
            SendResult::Done => true,
            SendResult::Counted(_) => found == sent || self.parts.counts_changes(),
            _ => false,
        };
        if is_done {
            for lead in &leads {
                self.keep(lead, to, now, &mut saved);
            }
            return saved;
        }
        let many = leads.len() > 1;
        for lead in &leads {
            self.change(lead, &mut |entry| match end {
                SendResult::Counted(_) if many => entry.split(true, now),
                SendResult::Refused { perhaps } if many => entry.split(*perhaps, now),
                // One lead cannot be split. A count of 0 means that it does not exist.
                SendResult::Done
                | SendResult::Counted(_)
                | SendResult::Refused { .. }
                | SendResult::Gone => {
                    entry.gone(gone(), now);
                }
                SendResult::Later { perhaps } => entry.later(*perhaps, now),
                SendResult::Failed(failure) => entry.failed(failure.clone(), now),
            });
        }
        match end {
            SendResult::Counted(_) if many => self.parts.split(to, leads, Some(found)),
            SendResult::Refused { .. } if many => self.parts.split(to, leads, None),
            _ => {}
        }
        saved
    }

    /// Records a decision that the server saved.
    fn keep(&mut self, lead: &Arc<str>, to: NewApprovalStatus, now: Event, saved: &mut Vec<Saved>) {
        if let Some(before) = self.known(lead).cloned() {
            let lead = Arc::clone(lead);
            saved.push(Saved { lead, to, before });
        }
        self.change(lead, &mut |entry| entry.done(to, now));
    }

    /// Returns the pause after requests without a response, in seconds. It is 2 at first, and
    /// doubled each time up to one minute.
    pub fn pause(&self) -> u64 {
        let times = 1 << self.unanswered.clamp(1, 10);
        LONGEST_PAUSE.min(times)
    }
}

fn gone() -> Failure {
    Failure {
        reason: "The lead no longer exists".into(),
        ambiguous: false,
        wants_key: false,
    }
}
