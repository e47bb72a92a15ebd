//! Reads again, in the background, what others changed: rows in view, open details, and what pages show. Rows keep their
//! positions, and no progress is shown.

use std::sync::Arc;

use leptos::prelude::*;

use super::apply::ScreenOf;
use super::follower::Follower;
use super::pending::Pending;
use crate::app::model::account_detail::AccountProfile;
use crate::app::model::live::Effects;
use crate::app::model::route::LEADS_PATH;
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::decisions::LeadStatus;
use crate::app::state::lead_list::reread::Reread;
use crate::review::sorted_ids::SortedIds;

impl Follower {
    pub(super) fn reread_later(self, app: AppState, effects: &Effects) {
        let all = effects.reread_view;
        let statuses = &effects.statuses;
        let has_rows = all || !effects.content.is_empty() || !statuses.is_empty();
        self.pending.try_update_value(|pending| {
            let content = || effects.content.iter().map(Arc::clone);
            pending.rows.extend(content());
            // Details have more than a status.
            let decided = statuses.iter().map(|(lead, _)| Arc::clone(lead));
            pending.details.extend(decided.chain(content()));
            pending.all |= all;
            pending.accounts |= effects.accounts;
        });
        if has_rows {
            self.rereads.run(move || self.reread(app));
        }
    }

    fn reread(self, app: AppState) {
        let taken = self.pending.try_update_value(|pending| {
            // What the present task was asked for is not lost: this runs again when it has ended.
            let is_free = pending.task.is_none();
            is_free.then(|| {
                let rows = SortedIds::new(std::mem::take(&mut pending.rows));
                let details = SortedIds::new(std::mem::take(&mut pending.details));
                (rows, details, std::mem::take(&mut pending.all))
            })
        });
        let (Some(Some((rows, details, all))), Some(client)) = (taken, app.session.client_now())
        else {
            return;
        };
        let open = untrack(|| app.details.shown());
        if let Some(open) = open.filter(|open| all || details.has(&open.id)) {
            app.details.reread(client.clone(), &open.id);
        }
        self.reread_accounts(app, &|account| {
            let mut leads = account.leads.iter();
            all || leads.any(|lead| details.has(&lead.id))
        });
        // Another page reads the list again when it is left.
        let is_list = app.nav.path().try_get_untracked().as_deref() == Some(LEADS_PATH);
        if !is_list || !all && rows.is_empty() {
            return;
        }
        let task = AbortOnDrop::start(async move {
            // An own scoring compares the scores before and after it, and reads its rows when it ends.
            let jobs = app.jobs.list;
            let is_scored =
                |id: &str| jobs.try_with_untracked(|jobs| jobs.is_scoring_lead(id)) == Some(true);
            let is_wanted = |id: &str| (all || rows.has(id)) && !is_scored(id);
            let read = app.leads.reread_in_view(&client, &is_wanted).await;
            app.leads.listing.expire_out_of_view(&is_wanted);
            let moved = |row: Reread| Some((row.lead, row.moved_to?));
            let moved: Vec<LeadStatus> = read.into_iter().filter_map(moved).collect();
            let marked: Vec<Arc<str>> = moved.iter().map(|(lead, _)| Arc::clone(lead)).collect();
            let screen = ScreenOf::new(app);
            self.show_statuses(app, &moved, &marked, None, &screen);
            if !moved.is_empty() {
                self.notify_changed(app);
            }
            let has_more = self.pending.try_update_value(|pending| {
                pending.task = None;
                pending.all || !pending.rows.is_empty() || !pending.details.is_empty()
            });
            if has_more == Some(true) {
                self.rereads.run(move || self.reread(app));
            }
        });
        self.pending
            .try_update_value(|pending| pending.task = Some(task));
    }

    /// Reads open accounts again that `is_wanted` names.
    fn reread_accounts(self, app: AppState, is_wanted: &dyn Fn(&AccountProfile) -> bool) {
        let Some(client) = app.session.client_now() else {
            return;
        };
        for account in [app.account.details, app.colleagues] {
            let shown = untrack(|| account.shown());
            if let Some(shown) = shown.filter(|shown| is_wanted(shown)) {
                account.reread_account(client.clone(), &shown.id);
            }
        }
    }

    /// Notifies of changes: at once, and then not too often while there are more.
    pub(super) fn notify_changed(self, app: AppState) {
        self.counts.run(move || {
            app.decisions.has_tab_counts.set_value(false);
            app.decisions.changed.set(());
            let take = |pending: &mut Pending| std::mem::take(&mut pending.accounts);
            if self.pending.try_update_value(take) == Some(true) {
                self.reread_accounts(app, &|_| true);
            }
        });
        self.pages.run(move || {
            app.live.reread.set(());
        });
    }
}
