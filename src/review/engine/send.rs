//! Sends decisions and handles the responses.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use super::{Closed, Engine, Event, LeadStatus, outbox_store};
use crate::client::Client;
use crate::review::outbox::{Outbox, OutboxRequest, Saved};
use crate::review::outbox_sender::{self, Response};

impl Engine {
    /// Sends what is queued. Does nothing while offline, paused or without a client.
    pub fn send_queued(&self) {
        let Some(client) = self.client_to_send_with() else {
            return;
        };
        // Sending does not change what is stored.
        loop {
            let mut request = None;
            self.change(&mut |state| request = state.outbox.next_request());
            let Some(request) = request else { return };
            let work = self.clone().send(client.clone(), request);
            client.runtime().spawn(Box::pin(work));
        }
    }

    fn client_to_send_with(&self) -> Option<Client> {
        if self.pause().is_some() {
            return None;
        }
        match &*self.0.closed.borrow() {
            Some(closed) => closed.client.clone(),
            None if self.0.host.is_online() => self.0.host.client(),
            None => None,
        }
    }

    async fn send(self, client: Client, request: OutboxRequest) {
        if !self.is_closed() {
            self.0.host.before_send().await;
        }
        let response = outbox_sender::send(&client, &request).await;
        self.on_response(&client, &request, &response);
    }

    fn on_response(&self, client: &Client, request: &OutboxRequest, response: &Response) {
        if let Err(error) = response {
            self.emit(Event::Failed(error));
        }
        let mut effect = None;
        let changed = self.change_shown(&request.leads, &mut |outbox| {
            effect = Some(outbox_sender::on_response(outbox, request, response, true));
            // The server's status wins if it saved another one.
            if let (Ok(updated), [lead]) = (response, request.leads.as_slice())
                && let Some(status) = updated.status()
                && status.known() != Some(request.to)
            {
                outbox.on_saved_elsewhere(lead, status);
            }
        });
        if changed {
            self.store_soon();
        }
        let Some(effect) = effect else { return };
        if let Some(pause) = effect.pause {
            self.pause_sending(client, pause);
        }
        if !effect.saved.is_empty() {
            self.on_saved(&effect.saved);
        } else if effect.is_refused {
            let (mut refused, mut replaced) = (Vec::new(), Vec::new());
            for one in self.with_server_statuses(&request.leads) {
                // Undo and other tabs decide, too.
                let wanted = self.with_outbox(|outbox| outbox.wanted(&one.0));
                let is_failed = self.with_outbox(|outbox| outbox.failure(&one.0).is_some());
                match self.with_history(|history| history.latest(&one.0) == wanted) && !is_failed {
                    true => replaced.push(one),
                    false => refused.push(one),
                }
            }
            // A decision that was not saved cannot be undone.
            self.change_history(&mut |history| {
                history.forget(&refused);
                history.forget_replaced(&replaced);
            });
        }
        self.cancel_unsaved(&request.leads);
        self.send_queued();
    }

    fn on_saved(&self, saved: &[Saved]) {
        // The next engine would send it again, over what others decided since.
        if let Some(Closed {
            slots: Some(slots), ..
        }) = &*self.0.closed.borrow()
        {
            outbox_store::drop_saved(slots, saved);
        }
        for to in NewApprovalStatus::ALL {
            let leads = saved.iter().filter(|one| one.to == *to);
            let leads: Vec<Arc<str>> = leads.map(|one| Arc::clone(&one.lead)).collect();
            if leads.is_empty() {
                continue;
            }
            self.change_history(&mut |history| history.on_saved(&leads, *to));
        }
        // Decisions that were made together.
        for group in saved.chunk_by(|one, other| (one.to, one.at) == (other.to, other.at)) {
            let leads: Vec<Arc<str>> = group.iter().map(|one| Arc::clone(&one.lead)).collect();
            self.tell_other_tabs(&leads, group[0].to, group[0].at, true);
        }
        self.emit(Event::Saved(saved));
    }

    /// Returns these leads with their statuses on the server, as far as they were decided here.
    pub(super) fn with_server_statuses(&self, leads: &[Arc<str>]) -> Vec<LeadStatus> {
        self.with_outbox(|outbox: &Outbox| {
            let known = leads
                .iter()
                .filter_map(|lead| Some((Arc::clone(lead), outbox.known(lead)?.clone())));
            known.collect()
        })
    }
}
