//! The account in the details pane, and the cursor among its leads.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{AccountDetailQuery, AccountId, ApprovalStatus};
use leptos::prelude::*;

use super::decisions::Decisions;
use super::details::{Details, HasId};
use super::session::Session;
use crate::app::model::account_detail::{AccountMember, AccountProfile};
use crate::app::reactive::RwSignal;
use crate::client::{Client, Error};

impl HasId for AccountProfile {
    fn id(&self) -> &str {
        &self.id
    }
}

#[derive(Clone, Copy)]
pub struct OpenAccount {
    pub details: Details<AccountProfile>,
    /// The lead under the cursor.
    pub cursor: RwSignal<Option<Arc<str>>>,
    /// Whether the account's leads have the focus.
    pub has_focus: RwSignal<bool>,
    /// Incremented to move the focus to the leads.
    pub focus_requests: RwSignal<u32>,
}

impl OpenAccount {
    pub fn start(session: Session, decisions: Decisions) -> Self {
        Self {
            details: Details::start_account(session, decisions),
            cursor: RwSignal::new(None),
            has_focus: RwSignal::new(false),
            focus_requests: RwSignal::new(0),
        }
    }

    /// Returns the lead under the cursor.
    pub fn lead(self) -> Option<AccountMember> {
        let cursor = self.cursor.get_untracked()?;
        let shown = untrack(|| self.details.shown())?;
        let mut leads = shown.leads.iter();
        leads.find(|lead| *lead.id == *cursor).cloned()
    }

    /// Moves the cursor among the leads. Without a cursor, moves it to the first lead.
    pub fn move_cursor(self, by: i64) {
        let Some(shown) = untrack(|| self.details.shown()) else {
            return;
        };
        let last = shown.leads.len().saturating_sub(1);
        let at = self.cursor.with_untracked(|cursor| {
            let cursor = cursor.as_deref()?;
            shown.leads.iter().position(|lead| lead.id == cursor)
        });
        let to = at.map_or(0, |at| at.saturating_add_signed(by as isize).min(last));
        let id = shown.leads.get(to).map(|lead| Arc::from(&*lead.id));
        self.cursor.set(id);
    }

    /// Moves the focus to the leads. Without a cursor, moves it to the first lead.
    pub fn focus_leads(self) {
        if self.lead().is_none() {
            self.cursor.set(None);
            self.move_cursor(0);
        }
        self.focus_requests
            .update(|count| *count = count.wrapping_add(1));
    }
}

/// For a single account, even if it is not promoted: the user asked for it.
pub const ANY_ACCOUNT: AccountDetailQuery = AccountDetailQuery {
    include_unpromoted: true,
};

/// Loads an account.
pub async fn load_account(
    client: &Client,
    id: &str,
    decisions: Decisions,
) -> Result<Arc<AccountProfile>, Error> {
    let account_id = AccountId::new(id);
    let sent = decisions.start_read();
    let detail = client.get_account(&account_id, &ANY_ACCOUNT).await?;
    let mut detail = AccountProfile::new(account_id.as_str(), detail);
    let is_there = |lead: &AccountMember| !decisions.is_deleted(&lead.id, sent);
    detail.leads.retain(is_there);
    let read = detail.leads.iter();
    let read = read.filter_map(|lead| Some((&*lead.id, lead.status.as_ref()?)));
    decisions.on_read(read, sent);
    Ok(Arc::new(detail))
}

impl Details<AccountProfile> {
    /// Same as [`start`](Self::start); decisions find the statuses of the account's leads here, too.
    pub fn start_account(session: Session, decisions: Decisions) -> Self {
        let details = Self::start(session, decisions);
        decisions.register_status_lookup(Rc::new(move |lead| details.status_of(lead)));
        details
    }

    pub fn load(self, client: Client, id: &str) {
        let (decisions, account) = (self.decisions, id.to_owned());
        let work = async move { load_account(&client, &account, decisions).await };
        self.request(id, Box::pin(work), None);
    }

    /// Reads the shown account again.
    pub fn reread_account(self, client: Client, id: &str) {
        let (decisions, account) = (self.decisions, id.to_owned());
        let work = async move { load_account(&client, &account, decisions).await };
        self.request_in_background(id, Box::pin(work));
    }

    /// Returns the server's status of a lead of the shown account.
    pub fn status_of(self, lead: &str) -> Option<ApprovalStatus> {
        let shown = untrack(|| self.shown())?;
        let mut leads = shown.leads.iter();
        leads.find(|known| known.id == lead)?.status.clone()
    }
}
