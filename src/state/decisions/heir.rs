//! What is not saved yet when a review is taken out of a page of others: nothing is kept there, so it is
//! sent all the same, by somebody who lives until that is done.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;

use super::send::{Answer, ask, end, pause};
use crate::client::Client;
use crate::model::outbox::{End, Flight, Outbox};
use crate::state::spawn;

/// Sends what an app left behind. Every request under way has one, so that it goes with the last.
#[derive(Clone, Default)]
pub struct Heir(Rc<RefCell<Outbox>>);

impl Heir {
    /// The app goes.
    pub fn inherit(&self, outbox: Outbox, client: &Client) {
        self.0.replace(outbox);
        self.pump(client);
    }

    /// A request ended after the app went. What failed stays so: there is nobody to ask.
    pub fn landed(&self, client: &Client, flight: &Flight, answer: &Answer) {
        let end = end(flight, answer);
        self.0.borrow_mut().ended(flight.number, &end);
        let (heir, client) = (self.clone(), client.clone());
        match answer {
            Err(error) if matches!(end, End::Later { .. }) => {
                let pause = pause(&self.0.borrow(), &end, error.wait_seconds());
                spawn(async move {
                    TimeoutFuture::new(pause).await;
                    heir.pump(&client);
                });
            }
            _ => heir.pump(&client),
        }
    }

    fn pump(&self, client: &Client) {
        loop {
            let flight = self.0.borrow_mut().take();
            let Some(flight) = flight else { return };
            let (heir, client) = (self.clone(), client.clone());
            spawn(async move {
                let answer = ask(&client, &flight).await;
                heir.landed(&client, &flight, &answer);
            });
        }
    }
}
