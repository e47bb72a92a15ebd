//! Reloads rows after a job, and records how their scores changed.
//!
//! Only what is in view is loaded. Pages further away are read again when the user scrolls there.

use std::sync::Arc;

use futures_util::future::join_all;
use lead_workspace_api::AccountId;
use leptos::prelude::*;

use crate::app::model::route;
use crate::app::model::scoring_jobs::job_labels::ScoreChanges;
use crate::app::model::scoring_jobs::{JobPhase, RecordKind, ScoringJob};
use crate::app::state::lead_list::reread::{MAX_IN_FLIGHT, MAX_SINGLE_REQUESTS};
use crate::app::state::open_account::ANY_ACCOUNT;
use crate::app::state::{AppState, spawn};
use crate::client::Client;

/// Handles news of a job. Once it ended, reloads its rows and announces it.
pub fn on_job_changed(app: AppState, job: ScoringJob) {
    match job.state.phase {
        phase if phase.is_open() => {}
        JobPhase::Done => spawn(async move {
            let change = refresh(app, &job).await;
            app.jobs.changes.try_update(|changes| {
                changes.retain(|(number, _)| *number != job.number);
                changes.push((job.number, change));
            });
            app.jobs.announce(&job);
        }),
        _ => {
            app.jobs.announce(&job);
            // Some rows may have been scored before it ended.
            spawn(async move {
                refresh(app, &job).await;
            });
        }
    }
}

/// Reloads what a job touched, as far as it is in view.
pub async fn refresh(app: AppState, job: &ScoringJob) -> ScoreChanges {
    let mut change = ScoreChanges::default();
    let Some(client) = app.session.client_now() else {
        return change;
    };
    let is_touched = |id: &str| job.touches(id);
    match job.scoring.kind() {
        RecordKind::Leads => {
            // The query of the leads is only in the address while their list is open.
            let path = app.nav.path();
            if path.try_with_untracked(|path| path == route::LEADS_PATH) == Some(true) {
                for row in app.leads.reread_in_view(&client, &is_touched).await {
                    change.add(row.scores.0, row.scores.1);
                }
            }
            app.leads.listing.expire_out_of_view(&is_touched);
        }
        RecordKind::Accounts => {
            let listing = app.accounts.listing;
            let wanted = listing.ids_in_view(&is_touched);
            refresh_accounts(app, &client, &wanted, &mut change).await;
            listing.expire_out_of_view(&is_touched);
        }
    }
    if app.jobs.list.try_with_untracked(|_| ()).is_none() {
        // The app is gone.
        return change;
    }
    let (lead, account) = (app.details, app.account.details);
    match job.scoring.kind() {
        RecordKind::Leads => {
            // Not while another row is loading: it would be given up for the one before.
            let open = untrack(|| lead.shown().filter(|_| !lead.is_other()));
            if let Some(open) = open.filter(|open| job.touches(&open.id)) {
                lead.load(client, &open.id, None);
            }
        }
        RecordKind::Accounts => {
            let open = untrack(|| account.shown().filter(|_| !account.is_other()));
            if let Some(open) = open.filter(|open| job.touches(&open.id)) {
                account.load(client, &open.id);
            }
        }
    }
    change
}

async fn refresh_accounts(
    app: AppState,
    client: &Client,
    wanted: &[Arc<str>],
    change: &mut ScoreChanges,
) {
    for some in wanted[..wanted.len().min(MAX_SINGLE_REQUESTS)].chunks(MAX_IN_FLIGHT) {
        let calls = some
            .iter()
            .map(|id| client.get_account(&AccountId::new(&**id), &ANY_ACCOUNT));
        for (id, response) in some.iter().zip(join_all(calls).await) {
            let Ok(detail) = response else { continue };
            let now = detail.icp_score;
            if let Some(before) = app.accounts.update_score(id, now, detail.icp_tier) {
                change.add(before, now);
            }
        }
    }
}
