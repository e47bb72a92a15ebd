//! Sends decisions and handles the responses.

use std::sync::Arc;
use std::time::Duration;

use lead_workspace_api::{
    ApprovalStatus, LeadId, LeadUpdate, LeadsUpdate, NewApprovalStatus, Nullable,
};
use leptos::prelude::*;

use super::{Decisions, Shown};
use crate::app::state::idle::idle;
use crate::app::state::rate_limit_state::UNAVAILABLE;
use crate::app::state::spawn;
use crate::client::runtime::milliseconds;
use crate::client::{Client, Error, ErrorKind};
use crate::review::outbox::entry::Failure;
use crate::review::outbox::{Outbox, Saved, SendRequest, SendResult};

/// The pause after a rate limit whose response has no wait time, in seconds.
const LIMITED: u64 = 10;

impl Decisions {
    /// Sends what is queued. Does nothing while offline, paused or without a client.
    pub(super) fn pump(self) {
        let online = self.online.try_get_untracked() == Some(true);
        let rests = self.resting.try_with_value(Option::is_some) != Some(false);
        let Some(client) = self.session.client_now().filter(|_| online && !rests) else {
            return;
        };
        while let Some(Some(flight)) = self.update(Outbox::take) {
            spawn(self.send(client.clone(), flight));
        }
    }

    async fn send(self, client: Client, flight: SendRequest) {
        #[cfg(feature = "embed")]
        let heir = self.sender.try_get_value();
        // Let the browser paint the new status first.
        idle().await;
        let answer = ask(&client, &flight).await;
        // The app may be gone by now: the next one restores what was stored, or the detached sender sends what is
        // left.
        let is_here = self.outbox.try_with_untracked(|_| ()).is_some();
        #[cfg(feature = "embed")]
        if let Some(heir) = heir.filter(|_| !is_here) {
            heir.landed(&client, &flight, &answer);
        }
        if is_here {
            self.landed(&flight, answer);
        }
    }

    fn landed(self, flight: &SendRequest, answer: Answer) {
        let end = end(flight, &answer);
        let mut asked = None;
        let said = match answer {
            Ok((_, said)) => said,
            Err(error) => {
                // A rejected key concerns all calls.
                if error.is_key_refused() {
                    self.session.refused();
                }
                asked = error.wait_seconds();
                None
            }
        };
        let befores = self.statuses(&flight.leads);
        let saved = self.update(|outbox| {
            let saved = outbox.ended(flight.number, &end);
            // The server's status wins if it saved another one.
            if let (Some(said), [lead]) = (said, flight.leads.as_slice())
                && said.known() != Some(flight.to)
            {
                outbox.heard(lead, said);
            }
            saved
        });
        self.count(&flight.leads, befores);
        if let SendResult::Later { .. } = end {
            let pause = self
                .outbox
                .with_untracked(|outbox| pause(outbox, &end, asked));
            self.rest(pause);
        }
        let certain = match &end {
            SendResult::Gone => true,
            SendResult::Failed(failure) => !failure.ambiguous,
            _ => false,
        };
        if let Some(saved) = saved.filter(|saved| !saved.is_empty()) {
            self.confirmed(&saved);
        } else if certain {
            // A decision that was not saved cannot be undone.
            let leads = flight.leads.iter();
            let known = leads.filter_map(|lead| Some((Arc::clone(lead), self.known(lead)?)));
            let known: Vec<Shown> = known.collect();
            self.history.try_update(|history| history.forget(&known));
        }
        self.pump();
    }

    fn confirmed(self, saved: &[Saved]) {
        for to in NewApprovalStatus::ALL {
            let leads = saved.iter().filter(|one| one.to == *to);
            let leads: Vec<Arc<str>> = leads.map(|one| Arc::clone(&one.lead)).collect();
            if leads.is_empty() {
                continue;
            }
            self.history.try_update(|history| history.kept(&leads, *to));
            self.tabs.try_with_value(|tabs| {
                if let Some(tabs) = tabs {
                    tabs.tell(&leads, *to);
                }
            });
        }
        #[cfg(feature = "embed")]
        self.tell(saved);
    }
}

/// The number of updated leads, and the status if it was a single lead.
pub(super) type Answer = Result<(u64, Option<ApprovalStatus>), Error>;

/// Sends a request: for one lead or for several.
pub(super) async fn ask(client: &Client, flight: &SendRequest) -> Answer {
    if let [lead] = flight.leads.as_slice() {
        let update = LeadUpdate {
            approval_status: flight.to,
        };
        let updated = client.update_lead(&LeadId::new(&**lead), &update).await;
        return updated.map(|updated| (1, updated.approval_status));
    }
    let lead_ids: Vec<LeadId> = flight
        .leads
        .iter()
        .map(|lead| LeadId::new(&**lead))
        .collect();
    let all = lead_ids.len() as u64;
    let update = LeadsUpdate {
        lead_ids,
        approval_status: Nullable::Set(flight.to),
    };
    let updated = client.update_leads(&update).await;
    // A server that does not report a count is assumed to have updated all.
    updated.map(|updated| (updated.updated.unwrap_or(all), None))
}

/// Returns how a request ended.
pub(super) fn end(flight: &SendRequest, answer: &Answer) -> SendResult {
    let all = flight.leads.len() as u64;
    let error = match answer {
        Ok((updated, _)) if *updated >= all => return SendResult::Done,
        Ok((updated, _)) => return SendResult::Counted(*updated),
        Err(error) => error,
    };
    match error.kind {
        ErrorKind::RateLimited => SendResult::Later {
            perhaps: error.ambiguous,
        },
        // Setting a status is idempotent, so it is sent again until the server responds.
        ErrorKind::Network(_) | ErrorKind::Timeout(_) => SendResult::Later { perhaps: true },
        ErrorKind::Status
            if error
                .status
                .is_some_and(|status| UNAVAILABLE.contains(&status)) =>
        {
            SendResult::Later { perhaps: true }
        }
        ErrorKind::NotFound if all == 1 => SendResult::Gone,
        ErrorKind::NotFound | ErrorKind::Validation(_) if all > 1 => SendResult::Refused {
            perhaps: error.ambiguous,
        },
        _ => SendResult::Failed(failure(error)),
    }
}

/// Returns how long to pause after a request that ended this way, in milliseconds. `asked` is the wait time that
/// the server requested, in seconds.
pub(super) fn pause(outbox: &Outbox, end: &SendResult, asked: Option<u64>) -> u32 {
    let seconds = match end {
        SendResult::Later { perhaps: true } => outbox.pause().max(asked.unwrap_or_default()),
        _ => asked.unwrap_or(LIMITED).max(1),
    };
    milliseconds(Duration::from_secs(seconds))
}

fn failure(error: &Error) -> Failure {
    let reason = if error.ambiguous {
        format!("{}. {}.", error.summary(), error.side_effect())
    } else {
        format!("{}.", error.summary())
    };
    Failure {
        reason,
        ambiguous: error.ambiguous,
        wants_key: error.is_key_refused(),
    }
}
