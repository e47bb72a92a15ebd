//! The accounts most like the one whose pulse is shown.

use std::sync::Arc;

use super::abort_on_drop::AbortOnDrop;
use super::remote_value::Remote;
use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::portfolio_account::AccountSummary;
use crate::app::model::similar_accounts::Likeness;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::{Client, Error};

/// Found accounts, nearest first.
pub type Similar = Vec<(Id, Arc<AccountSummary>)>;

#[derive(Clone, Copy)]
pub struct SimilarAccounts {
    pub accounts: RwSignal<Remote<Similar, Error>>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
}

impl SimilarAccounts {
    pub fn start() -> Self {
        Self {
            accounts: RwSignal::new(Remote::Idle),
            in_flight: StoredValue::new(None),
        }
    }

    /// Requests the accounts most like `own`.
    pub fn load(self, client: Client, own: Id, likeness: Likeness) {
        self.accounts.set(Remote::Loading);
        self.in_flight
            .set_value(Some(AbortOnDrop::start(async move {
                let response = client.query_accounts(&likeness.query()).await;
                let found = response.map(|page| Arc::new(likeness.nearest(&own, page.data)));
                self.accounts.try_update(|accounts| accounts.finish(found));
            })));
    }

    /// Cancels the request and shows nothing.
    pub fn clear(self) {
        self.in_flight.set_value(None);
        self.accounts.set(Remote::Idle);
    }
}
