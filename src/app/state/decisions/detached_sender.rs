//! The detached sender: sends unsaved decisions after the app was removed from a host page, where nothing is
//! stored.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;

use crate::app::state::spawn;
use crate::client::Client;
use crate::client::runtime::milliseconds;
use crate::review::outbox::{Outbox, OutboxRequest};
use crate::review::outbox_sender::{self, Response};

/// Sends the unsaved decisions of a removed app. Each request in flight holds a clone, the last one drops the
/// outbox.
#[derive(Clone, Default)]
pub struct DetachedSender(Rc<RefCell<Outbox>>);

impl DetachedSender {
    /// Takes over the outbox of an app that is removed.
    pub fn take_over(&self, outbox: Outbox, client: &Client) {
        self.0.replace(outbox);
        self.flush(client);
    }

    /// Handles a request that ended after the app was removed. Failures are final: there is no user to ask.
    pub fn on_response(&self, client: &Client, request: &OutboxRequest, response: &Response) {
        let effect = outbox_sender::on_response(&mut self.0.borrow_mut(), request, response, true);
        let Some(pause) = effect.pause else {
            return self.flush(client);
        };
        let (sender, client) = (self.clone(), client.clone());
        spawn(async move {
            TimeoutFuture::new(milliseconds(pause)).await;
            sender.flush(&client);
        });
    }

    fn flush(&self, client: &Client) {
        loop {
            let request = self.0.borrow_mut().next_request();
            let Some(request) = request else { return };
            let (sender, client) = (self.clone(), client.clone());
            spawn(async move {
                let response = outbox_sender::send(&client, &request).await;
                sender.on_response(&client, &request, &response);
            });
        }
    }
}
