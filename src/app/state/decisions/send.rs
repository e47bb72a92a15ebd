//! Sends decisions and handles the responses.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::{Decisions, LeadStatus};
use crate::app::state::idle::idle;
use crate::app::state::spawn;
use crate::client::Client;
use crate::client::runtime::milliseconds;
use crate::review::outbox::{Outbox, OutboxRequest, Saved};
use crate::review::outbox_sender::{self, Response};

impl Decisions {
    /// Sends what is queued. Does nothing while offline, paused or without a client.
    pub(super) fn flush(self) {
        let online = self.online.try_get_untracked() == Some(true);
        let paused = self.pause.try_with_untracked(Option::is_some) != Some(false);
        let Some(client) = self.session.client_now().filter(|_| online && !paused) else {
            return;
        };
        // Sending does not change what is stored.
        while let Some((_, Some(request))) = self.update_screen(Outbox::next_request) {
            spawn(self.send(client.clone(), request));
        }
    }

    async fn send(self, client: Client, request: OutboxRequest) {
        #[cfg(feature = "embed")]
        let sender = self.sender.try_get_value();
        // Let the browser paint the new status first.
        idle().await;
        let response = outbox_sender::send(&client, &request).await;
        // The app may be gone by now: the next one restores what was stored, or the detached sender sends what is
        // left.
        let is_here = self.outbox.try_with_untracked(|_| ()).is_some();
        #[cfg(feature = "embed")]
        if let Some(sender) = sender.filter(|_| !is_here) {
            sender.on_response(&client, &request, &response);
        }
        if is_here {
            self.on_response(&request, &response);
        }
    }

    fn on_response(self, request: &OutboxRequest, response: &Response) {
        if let Err(error) = response {
            self.session.check_key(error);
        }
        let befores = self.statuses(&request.leads);
        let effect = self.update(|outbox| {
            let effect = outbox_sender::on_response(outbox, request, response, true);
            // The server's status wins if it saved another one.
            if let (Ok(updated), [lead]) = (response, request.leads.as_slice())
                && let Some(status) = updated.status()
                && status.known() != Some(request.to)
            {
                outbox.on_saved_elsewhere(lead, status);
            }
            effect
        });
        self.update_tab_counts(&befores, &self.statuses(&request.leads));
        let Some(effect) = effect else { return };
        if let Some(pause) = effect.pause {
            self.pause_sending(milliseconds(pause));
        }
        if !effect.saved.is_empty() {
            self.on_saved_here(&effect.saved);
        } else if effect.is_refused {
            // A decision that was not saved cannot be undone.
            let leads = request.leads.iter();
            let known =
                leads.filter_map(|lead| Some((Arc::clone(lead), self.server_status(lead)?)));
            let known: Vec<LeadStatus> = known.collect();
            self.history.try_update(|history| history.forget(&known));
        }
        self.flush();
    }

    fn on_saved_here(self, saved: &[Saved]) {
        for to in NewApprovalStatus::ALL {
            let leads = saved.iter().filter(|one| one.to == *to);
            let leads: Vec<Arc<str>> = leads.map(|one| Arc::clone(&one.lead)).collect();
            if leads.is_empty() {
                continue;
            }
            self.history
                .try_update(|history| history.on_saved(&leads, *to));
            self.tabs.try_with_value(|tabs| {
                if let Some(tabs) = tabs {
                    tabs.post(&leads, *to);
                }
            });
        }
        #[cfg(feature = "embed")]
        self.notify_host(saved);
    }
}
