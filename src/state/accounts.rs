//! The accounts: the page that is shown.

use std::sync::Arc;

use super::listing::{Listing, Sheet};
use super::session::Session;
use crate::client::{Client, ErrorKind};
use crate::model::account::Account;
use crate::model::view::AccountsView;

/// The accounts.
#[derive(Clone, Copy)]
pub struct Accounts {
    /// The page.
    pub listing: Listing<Arc<Account>>,
    session: Session,
}

impl Accounts {
    /// Nothing loaded.
    pub fn start(session: Session) -> Self {
        Self {
            listing: Listing::start(),
            session,
        }
    }

    /// Loads the page of a view.
    pub fn load(self, client: Client, view: &AccountsView) {
        let query = view.query();
        let (page, size) = (view.page, view.size);
        let ask = async move {
            let answer = client.query_accounts(&query).await?;
            Ok(Sheet {
                rows: answer.data.iter().map(Account::of).map(Arc::new).collect(),
                total: answer.total.unwrap_or(answer.data.len() as u64),
                page: answer.page.unwrap_or(page),
                size: answer.page_size.unwrap_or(size),
                unreadable: answer.row_errors.len(),
            })
        };
        self.listing.load(ask, move |answer| {
            if answer
                .as_ref()
                .is_err_and(|error| error.kind == ErrorKind::KeyRefused)
            {
                self.session.refused();
            }
        });
    }
}
