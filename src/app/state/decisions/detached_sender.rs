//! The detached sender: sends unsaved decisions after the app was removed from a host page, where nothing is
//! stored.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;

use super::send::{Answer, ask, end, pause};
use crate::app::state::spawn;
use crate::client::Client;
use crate::review::outbox::{Outbox, SendRequest, SendResult};

/// Sends the unsaved decisions of a removed app. Each request in flight holds a clone, the last one drops the
/// outbox.
#[derive(Clone, Default)]
pub struct DetachedSender(Rc<RefCell<Outbox>>);

impl DetachedSender {
    /// Takes over the outbox of an app that is removed.
    pub fn take_over(&self, outbox: Outbox, client: &Client) {
        self.0.replace(outbox);
        self.pump(client);
    }

    /// Handles a request that ended after the app was removed. Failures are final: there is no user to ask.
    pub fn landed(&self, client: &Client, flight: &SendRequest, answer: &Answer) {
        let end = end(flight, answer);
        self.0.borrow_mut().ended(flight.number, &end);
        let (sender, client) = (self.clone(), client.clone());
        match answer {
            Err(error) if matches!(end, SendResult::Later { .. }) => {
                let pause = pause(&self.0.borrow(), &end, error.wait_seconds());
                spawn(async move {
                    TimeoutFuture::new(pause).await;
                    sender.pump(&client);
                });
            }
            _ => sender.pump(&client),
        }
    }

    fn pump(&self, client: &Client) {
        loop {
            let flight = self.0.borrow_mut().take();
            let Some(flight) = flight else { return };
            let (sender, client) = (self.clone(), client.clone());
            spawn(async move {
                let answer = ask(&client, &flight).await;
                sender.landed(&client, &flight, &answer);
            });
        }
    }
}
