//! Sending decisions, and what becomes of them.

use std::sync::Arc;
use std::time::Duration;

use lead_workspace_api::{
    ApprovalStatus, LeadId, LeadUpdate, LeadsUpdate, NewApprovalStatus, Nullable,
};
use leptos::prelude::*;

use super::{Decisions, Shown};
use crate::client::runtime::milliseconds;
use crate::client::{Client, Error, ErrorKind};
use crate::model::outbox::entry::Failure;
use crate::model::outbox::{End, Flight, Outbox, Saved};
use crate::state::idle::idle;
use crate::state::limit::UNAVAILABLE;
use crate::state::spawn;

/// After this many seconds a workspace that is over its limit is asked again, unless it said when.
const LIMITED: u64 = 10;

impl Decisions {
    /// Sends what waits, while there is a connection.
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

    async fn send(self, client: Client, flight: Flight) {
        #[cfg(feature = "embed")]
        let heir = self.heir.try_get_value();
        // Let the browser paint the new status first.
        idle().await;
        let answer = ask(&client, &flight).await;
        // The app may have gone meanwhile: it begins with what was kept, or somebody sends what it left.
        let is_here = self.outbox.try_with_untracked(|_| ()).is_some();
        #[cfg(feature = "embed")]
        if let Some(heir) = heir.filter(|_| !is_here) {
            heir.landed(&client, &flight, &answer);
        }
        if is_here {
            self.landed(&flight, answer);
        }
    }

    fn landed(self, flight: &Flight, answer: Answer) {
        let end = end(flight, &answer);
        let mut asked = None;
        let said = match answer {
            Ok((_, said)) => said,
            Err(error) => {
                // A key that is not accepted concerns more than the call that found out.
                if error.is_about_key() {
                    self.session.refused();
                }
                asked = error.wait_seconds();
                None
            }
        };
        let befores = self.statuses(&flight.leads);
        let saved = self.update(|outbox| {
            let saved = outbox.ended(flight.number, &end);
            // The server has the last word, should it have kept something else.
            if let (Some(said), [lead]) = (said, flight.leads.as_slice())
                && said.known() != Some(flight.to)
            {
                outbox.heard(lead, said);
            }
            saved
        });
        self.count(&flight.leads, befores);
        if let End::Later { .. } = end {
            let pause = self
                .outbox
                .with_untracked(|outbox| pause(outbox, &end, asked));
            self.rest(pause);
        }
        let certain = match &end {
            End::Gone => true,
            End::Failed(failure) => !failure.ambiguous,
            _ => false,
        };
        if let Some(saved) = saved.filter(|saved| !saved.is_empty()) {
            self.confirmed(&saved);
        } else if certain {
            // What did not happen cannot be undone.
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

/// So many leads were updated, and a single one has this status now.
pub(super) type Answer = Result<(u64, Option<ApprovalStatus>), Error>;

/// Sends a request.
pub(super) async fn ask(client: &Client, flight: &Flight) -> Answer {
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
    // A server that does not count did what it was told.
    updated.map(|updated| (updated.updated.unwrap_or(all), None))
}

/// How a request ended.
pub(super) fn end(flight: &Flight, answer: &Answer) -> End {
    let all = flight.leads.len() as u64;
    let error = match answer {
        Ok((updated, _)) if *updated >= all => return End::Done,
        Ok((updated, _)) => return End::Counted(*updated),
        Err(error) => error,
    };
    match error.kind {
        ErrorKind::RateLimited => End::Later {
            perhaps: error.ambiguous,
        },
        // A status is set twice as well as once: it is sent until somebody answers.
        ErrorKind::Network(_) | ErrorKind::Timeout(_) => End::Later { perhaps: true },
        ErrorKind::Status(_)
            if error
                .status
                .is_some_and(|status| UNAVAILABLE.contains(&status)) =>
        {
            End::Later { perhaps: true }
        }
        ErrorKind::NotFound if all == 1 => End::Gone,
        ErrorKind::NotFound | ErrorKind::Validation(_) if all > 1 => End::Refused {
            perhaps: error.ambiguous,
        },
        _ => End::Failed(failure(error)),
    }
}

/// How long nothing is sent after a request that ended so, in milliseconds; `asked` are the seconds that the
/// server asks for.
pub(super) fn pause(outbox: &Outbox, end: &End, asked: Option<u64>) -> u32 {
    let seconds = match end {
        End::Later { perhaps: true } => outbox.pause().max(asked.unwrap_or_default()),
        _ => asked.unwrap_or(LIMITED).max(1),
    };
    milliseconds(Duration::from_secs(seconds))
}

fn failure(error: &Error) -> Failure {
    let reason = if error.ambiguous {
        format!("{}. {}.", error.what(), error.kept())
    } else {
        format!("{}.", error.what())
    };
    Failure {
        reason,
        ambiguous: error.ambiguous,
        wants_key: error.is_about_key(),
    }
}
