//! Reads again what others changed: rows in view, open details, and what pages show. Quietly: nothing moves, and nothing says
//! that it is being read.

use std::sync::Arc;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::apply::ScreenOf;
use super::follower::Follower;
use crate::app::model::account_detail::AccountProfile;
use crate::app::model::live::Effects;
use crate::app::model::route::LEADS_PATH;
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::client::Client;
use crate::review::sorted_ids::SortedIds;

/// Changes of this many milliseconds are read together.
const TOGETHER_MS: u32 = 300;

/// Counts are not requested more often than after this many milliseconds.
const COUNTS_MS: u32 = 4_000;

/// Pages other than the lists are not read again more often than after this many milliseconds.
const PAGES_MS: u32 = 15_000;

/// What is to be read again.
#[derive(Default)]
pub struct Pending {
    /// Leads whose rows are.
    rows: Vec<Arc<str>>,
    /// Leads whose details are.
    details: Vec<Arc<str>>,
    /// Whether everything in view is.
    all: bool,
    accounts: bool,
    /// Whether counts, or pages, changed since they were requested last.
    counts: bool,
    pages: bool,
    task: Option<AbortOnDrop>,
}

impl Follower {
    pub(super) fn reread_later(self, app: AppState, effects: &Effects) {
        let all = effects.many;
        let statuses = &effects.statuses;
        if effects.content.is_empty() && statuses.is_empty() && !all && !effects.accounts {
            return;
        }
        self.pending.try_update_value(|pending| {
            let content = || effects.content.iter().map(Arc::clone);
            pending.rows.extend(content());
            // Details have more than a status.
            let decided = statuses.iter().map(|(lead, _)| Arc::clone(lead));
            pending.details.extend(decided.chain(content()));
            pending.all |= all;
            pending.accounts |= effects.accounts;
        });
        self.timers.try_update_value(|timers| {
            if timers.reread.is_none() {
                timers.reread = Some(Timeout::new(TOGETHER_MS, move || self.reread(app)));
            }
        });
    }

    fn reread(self, app: AppState) {
        self.timers.try_update_value(|timers| timers.reread = None);
        let taken = self.pending.try_update_value(|pending| {
            let rows = SortedIds::new(std::mem::take(&mut pending.rows));
            let details = SortedIds::new(std::mem::take(&mut pending.details));
            let all = std::mem::take(&mut pending.all);
            let accounts = std::mem::take(&mut pending.accounts);
            (rows, details, all, accounts)
        });
        let (Some(taken), Some(client)) = (taken, app.session.client_now()) else {
            return;
        };
        let (rows, details, all, accounts) = taken;
        self.reread_details(app, &client, &|id| all || details.has(id), accounts);
        // Another page reads the list again when it is left.
        if app.nav.path().try_get_untracked().as_deref() != Some(LEADS_PATH) {
            return;
        }
        let task = AbortOnDrop::start(async move {
            let is_wanted = |id: &str| all || rows.has(id);
            let moved = app.leads.reread_in_view(&client, &is_wanted).await;
            app.leads.expire_out_of_view(&is_wanted);
            let marked: Vec<Arc<str>> = moved.iter().map(|(lead, _)| Arc::clone(lead)).collect();
            let screen = ScreenOf::new(app);
            self.show_statuses(app, &moved, &marked, None, &screen);
            if !moved.is_empty() {
                self.notify_changed(app);
            }
        });
        self.pending
            .try_update_value(|pending| pending.task = Some(task));
    }

    fn reread_details(
        self,
        app: AppState,
        client: &Client,
        is_wanted: &dyn Fn(&str) -> bool,
        accounts: bool,
    ) {
        let open = untrack(|| app.details.shown());
        if let Some(open) = open.filter(|open| is_wanted(&open.id)) {
            app.details.reread(client.clone(), &open.id);
        }
        for account in [app.account.details, app.colleagues] {
            let shown = untrack(|| account.shown());
            let is_touched = |account: &Arc<AccountProfile>| {
                accounts || account.leads.iter().any(|lead| is_wanted(&lead.id))
            };
            if let Some(shown) = shown.filter(is_touched) {
                account.reread_account(client.clone(), &shown.id);
            }
        }
    }

    /// Notifies of changes: at once, and then not too often while there are more.
    pub(super) fn notify_changed(self, app: AppState) {
        self.pending.try_update_value(|pending| {
            pending.counts = true;
            pending.pages = true;
        });
        self.notify_counts(app);
        self.notify_pages(app);
    }

    fn notify_counts(self, app: AppState) {
        let is_waiting = self
            .timers
            .try_with_value(|timers| timers.changed.is_some());
        if is_waiting != Some(false) {
            return;
        }
        let take = |pending: &mut Pending| std::mem::take(&mut pending.counts);
        let has_changed = self.pending.try_update_value(take) == Some(true);
        let timer = has_changed.then(|| {
            Timeout::new(COUNTS_MS, move || {
                self.timers.try_update_value(|timers| timers.changed = None);
                self.notify_counts(app);
            })
        });
        self.timers
            .try_update_value(|timers| timers.changed = timer);
        if has_changed {
            app.decisions.changed.try_set(());
        }
    }

    fn notify_pages(self, app: AppState) {
        let is_waiting = self.timers.try_with_value(|timers| timers.pages.is_some());
        if is_waiting != Some(false) {
            return;
        }
        let take = |pending: &mut Pending| std::mem::take(&mut pending.pages);
        let has_changed = self.pending.try_update_value(take) == Some(true);
        let timer = has_changed.then(|| {
            Timeout::new(PAGES_MS, move || {
                self.timers.try_update_value(|timers| timers.pages = None);
                self.notify_pages(app);
            })
        });
        self.timers.try_update_value(|timers| timers.pages = timer);
        if has_changed {
            app.live.reread.try_set(());
        }
    }
}
