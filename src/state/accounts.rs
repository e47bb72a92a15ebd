//! The accounts: the page that is shown.

use std::sync::Arc;

use super::listing::{Keys, Listing, Sheet};
use super::session::Session;
use crate::client::{Client, Error};
use crate::model::account::Account;
use crate::model::view::AccountsView;

/// An account on the page.
#[derive(Clone)]
pub struct Row {
    /// What is said of the account.
    pub account: Arc<Account>,
    /// The account's id, made unlike that of any other row of the page.
    pub key: Arc<str>,
    /// Grows when the server says something else of the same account.
    pub version: u32,
}

/// The accounts.
#[derive(Clone, Copy)]
pub struct Accounts {
    /// The page.
    pub listing: Listing<Row>,
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
            let count = answer.data.len() as u64;
            let mut keys = Keys::default();
            let rows = answer.data.into_iter().map(|item| {
                let account = Account::of(item);
                let key = keys.of(&account.id);
                self.row(key, account)
            });
            Ok(Sheet {
                rows: rows.collect(),
                total: answer.total.unwrap_or(count),
                page: answer.page.unwrap_or(page),
                size: answer.page_size.unwrap_or(size),
                unreadable: answer.row_errors.len(),
            })
        };
        self.listing.load(Box::pin(ask), move |answer| {
            if answer.as_ref().is_err_and(Error::is_about_key) {
                self.session.refused();
            }
        });
    }

    fn row(self, key: Arc<str>, account: Account) -> Row {
        let shown = self.listing.find(|row| row.key == key);
        match shown {
            Some(row) if *row.account == account => row,
            other => Row {
                account: Arc::new(account),
                key,
                version: other.map_or(0, |row| row.version + 1),
            },
        }
    }
}
