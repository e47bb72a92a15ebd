//! Sending decisions, and what becomes of them.

use gloo_timers::callback::Timeout;
use lead_workspace_api::{ApprovalStatus, LeadId, LeadUpdate, LeadsUpdate, Nullable};
use leptos::prelude::*;

use super::Decisions;
use crate::client::{Client, Error, ErrorKind};
use crate::model::outbox::entry::Failure;
use crate::model::outbox::{End, Flight};
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
        while let Some(Some(flight)) = self.outbox.try_maybe_update(|outbox| {
            let flight = outbox.take();
            (flight.is_some(), flight)
        }) {
            spawn(self.send(client.clone(), flight));
        }
    }

    /// The workspace is over its limit for longer than a call waits: what is decided waits here.
    fn rest(self, seconds: Option<u64>) {
        let millis = seconds.unwrap_or(LIMITED).max(1).saturating_mul(1_000);
        let timer = Timeout::new(millis.try_into().unwrap_or(u32::MAX), move || {
            self.resting.try_set_value(None);
            self.pump();
        });
        self.resting.try_set_value(Some(timer));
    }

    async fn send(self, client: Client, flight: Flight) {
        let answer = match flight.leads.as_slice() {
            [lead] => {
                let update = LeadUpdate {
                    approval_status: flight.to,
                };
                let updated = client.update_lead(&LeadId::new(&**lead), &update).await;
                updated.map(|updated| (1, updated.approval_status))
            }
            leads => {
                let update = LeadsUpdate {
                    lead_ids: leads.iter().map(|lead| LeadId::new(&**lead)).collect(),
                    approval_status: Nullable::Set(flight.to),
                };
                let updated = client.update_leads(&update).await;
                updated.map(|updated| (updated.updated.unwrap_or_default(), None))
            }
        };
        self.landed(&flight, answer);
    }

    fn landed(self, flight: &Flight, answer: Result<(u64, Option<ApprovalStatus>), Error>) {
        if self.outbox.try_with_untracked(|_| ()).is_none() {
            // The app went meanwhile, and begins with what was kept.
            return;
        }
        let all = flight.leads.len() as u64;
        let (end, said) = match answer {
            Ok((updated, said)) if updated >= all => (End::Done, said),
            Ok(_) => (End::Split, None),
            Err(error) => {
                // A key that is not accepted concerns more than the call that found out.
                if error.is_about_key() {
                    self.session.refused();
                }
                if matches!(error.kind, ErrorKind::RateLimited) && !error.ambiguous {
                    self.rest(error.wait_seconds());
                    (End::Later, None)
                } else {
                    let refused =
                        matches!(error.kind, ErrorKind::Validation(_) | ErrorKind::NotFound);
                    if refused && all > 1 {
                        (End::Split, None)
                    } else {
                        (End::Failed(failure(&error)), None)
                    }
                }
            }
        };
        let befores = self.statuses(&flight.leads);
        let previous: Vec<_> = flight.leads.iter().map(|lead| self.known(lead)).collect();
        self.outbox.try_update(|outbox| {
            outbox.ended(flight.number, &end);
            // The server has the last word, should it have kept something else.
            if let (Some(said), [lead]) = (said, flight.leads.as_slice())
                && said.known() != Some(flight.to)
            {
                outbox.heard(lead, said);
            }
        });
        self.count(&flight.leads, befores);
        match &end {
            End::Done => self.confirmed(flight, &previous),
            // What did not happen cannot be undone.
            End::Failed(failure) if !failure.ambiguous => {
                for lead in &flight.leads {
                    if let Some(known) = self.known(lead) {
                        self.history
                            .try_update(|history| history.forget(lead, &known));
                    }
                }
            }
            _ => {}
        }
        self.keep_soon();
        self.pump();
    }

    fn confirmed(self, flight: &Flight, previous: &[Option<ApprovalStatus>]) {
        self.history
            .try_update(|history| history.kept(&flight.leads, flight.to));
        self.tabs.try_with_value(|tabs| {
            if let Some(tabs) = tabs {
                tabs.tell(&flight.leads, flight.to);
            }
        });
        #[cfg(feature = "embed")]
        self.tell(flight, previous);
        #[cfg(not(feature = "embed"))]
        let _ = previous;
    }
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
