//! The accounts of the portfolio page: chosen ones, or those with the best scores.

use std::sync::Arc;

use leptos::prelude::*;

use super::abort_on_drop::AbortOnDrop;
use super::pulses::Pulses;
use super::remote_value::Remote;
use super::session::Session;
use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::portfolio_view::{AccountSummary, PortfolioView};
use crate::client::{Client, Error};

#[derive(Clone, Copy)]
pub struct Portfolio {
    pub accounts: RwSignal<Remote<Vec<Id>, Error>>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
    pulses: Pulses,
    session: Session,
}

impl Portfolio {
    pub fn start(session: Session, pulses: Pulses) -> Self {
        Self {
            accounts: RwSignal::new(Remote::Idle),
            in_flight: StoredValue::new(None),
            pulses,
            session,
        }
    }

    /// Takes the chosen accounts, or requests the best ones.
    pub fn load(self, client: Client, view: &PortfolioView) {
        if !view.accounts.is_empty() {
            self.in_flight.set_value(None);
            let chosen = view.accounts.iter().map(|id| id.as_str().into());
            self.accounts
                .set(Remote::Loaded(Arc::new(chosen.collect())));
            return;
        }
        self.accounts.update(Remote::start);
        let query = view.query();
        let in_flight = AbortOnDrop::start(async move {
            let response = client.query_accounts(&query).await;
            if let Err(error) = &response {
                self.session.check_key(error);
            }
            let ids = response.map(|response| {
                let mut ids: Vec<Id> = Vec::new();
                for account in response.data {
                    let id = account.id.clone().map(String::from).unwrap_or_default();
                    let id: Id = id.into();
                    // Without an id the pulse cannot be requested.
                    if !id.is_empty() && !ids.contains(&id) {
                        self.pulses
                            .add_summary(Arc::clone(&id), AccountSummary::from_account(account));
                        ids.push(id);
                    }
                }
                Arc::new(ids)
            });
            self.accounts.try_update(|accounts| accounts.finish(ids));
        });
        self.in_flight.set_value(Some(in_flight));
    }

    /// Cancels all requests and shows nothing.
    pub fn clear(self) {
        self.in_flight.try_set_value(None);
        self.accounts.try_set(Remote::Idle);
        self.pulses.clear();
    }
}
