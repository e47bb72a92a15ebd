//! The accounts of the portfolio page: chosen ones, or a page of all of them.

use std::ops::Range;
use std::sync::Arc;

use super::abort_on_drop::AbortOnDrop;
use super::pulses::Pulses;
use super::remote_value::Remote;
use super::session::Session;
use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::page_cache;
use crate::app::model::portfolio_account::AccountSummary;
use crate::app::model::portfolio_view::PortfolioView;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::{Client, Error};

/// The accounts that are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortfolioPage {
    pub ids: Vec<Id>,
    /// Number of accounts on all pages.
    pub total: u64,
    /// Number of accounts on the pages before.
    pub before: u64,
}

impl PortfolioPage {
    /// Returns the positions of the accounts among those of all pages.
    pub fn range(&self) -> Range<u64> {
        self.before..self.before + self.ids.len() as u64
    }
}

#[derive(Clone, Copy)]
pub struct Portfolio {
    pub page: RwSignal<Remote<PortfolioPage, Error>>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
    pulses: Pulses,
    session: Session,
}

impl Portfolio {
    pub fn start(session: Session, pulses: Pulses) -> Self {
        Self {
            page: RwSignal::new(Remote::Idle),
            in_flight: StoredValue::new(None),
            pulses,
            session,
        }
    }

    /// Takes the chosen accounts, or requests the page.
    pub fn load(self, client: Client, view: &PortfolioView) {
        if !view.accounts.is_empty() {
            self.in_flight.set_value(None);
            let chosen = view.accounts.iter().map(|id| id.as_str().into());
            self.page.set(Remote::Loaded(Arc::new(PortfolioPage {
                ids: chosen.collect(),
                total: view.accounts.len() as u64,
                before: 0,
            })));
            return;
        }
        self.page.update(Remote::start);
        self.request(client, view);
    }

    /// Reads the page again, in the background, and the pulses.
    pub fn reread(self, client: Client, view: &PortfolioView) {
        self.pulses.reread();
        let is_loaded = self
            .page
            .with_untracked(|page| matches!(page, Remote::Loaded(_)));
        if view.accounts.is_empty() && is_loaded {
            self.request(client, view);
        }
    }

    fn request(self, client: Client, view: &PortfolioView) {
        let query = view.query();
        let in_flight = AbortOnDrop::start(async move {
            let response = client.query_accounts(&query).await;
            if let Err(error) = &response {
                self.session.check_key(error);
            }
            let page = response.map(|response| {
                let before = u64::from(query.page - 1) * u64::from(query.page_size);
                let seen = before + response.data.len() as u64;
                let total = page_cache::total(response.total, seen, response.has_more);
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
                Arc::new(PortfolioPage { ids, total, before })
            });
            self.page.try_update(|shown| shown.finish_or_keep(page));
        });
        self.in_flight.set_value(Some(in_flight));
    }

    /// Cancels all requests and shows nothing.
    pub fn clear(self) {
        self.in_flight.set_value(None);
        self.page.set(Remote::Idle);
        self.pulses.clear();
    }
}
