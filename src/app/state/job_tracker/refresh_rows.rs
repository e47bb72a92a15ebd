//! Reloads rows after a job, and records how their scores changed.
//!
//! Only what is in view is loaded: leads page by page, and the remaining rows one by one. Pages further away are
//! dropped, and loaded when the user scrolls there.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use futures_util::future::join_all;
use lead_workspace_api::shapes::ListScore;
use lead_workspace_api::{AccountDetailQuery, AccountId, LeadId, Raw};
use leptos::prelude::*;

use crate::app::model::lead::{LeadItem, LeadScore};
use crate::app::model::page_cache::PageCache;
use crate::app::model::route;
use crate::app::model::scoring_jobs::job_labels::ScoreChanges;
use crate::app::model::scoring_jobs::{JobPhase, RecordKind, ScoringJob};
use crate::app::state::grid_selection::Selectable;
use crate::app::state::listing::Listing;
use crate::app::state::{AppState, spawn};
use crate::client::Client;

/// The most rows that are requested one by one.
const MAX_SINGLE_REQUESTS: usize = 60;

/// How many of these requests are in flight at once.
const MAX_IN_FLIGHT: usize = 4;

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
    match job.scoring.kind() {
        RecordKind::Leads => {
            let listing = app.leads.listing;
            let mut wanted = touched_rows_in_view(listing, job);
            if !wanted.is_empty() {
                refresh_pages(app, &client, &mut wanted, &mut change).await;
            }
            refresh_leads(app, &client, &wanted, &mut change).await;
            drop_far_pages(listing, job);
        }
        RecordKind::Accounts => {
            let listing = app.accounts.listing;
            let wanted = touched_rows_in_view(listing, job);
            refresh_accounts(app, &client, &wanted, &mut change).await;
            drop_far_pages(listing, job);
        }
    }
    if app.jobs.list.try_with_untracked(|_| ()).is_none() {
        // The app is gone.
        return change;
    }
    let (lead, account) = (app.details, app.account.details);
    match job.scoring.kind() {
        RecordKind::Leads => {
            let open = untrack(|| lead.shown());
            if let Some(open) = open.filter(|open| job.touches(&open.id)) {
                lead.load(client, &open.id, None);
            }
        }
        RecordKind::Accounts => {
            let open = untrack(|| account.shown());
            if let Some(open) = open.filter(|open| job.touches(&open.id)) {
                account.load(client, &open.id);
            }
        }
    }
    change
}

/// Returns the pages in view.
fn pages_in_view<R>(pages: &PageCache<R>, shown: &Range<u64>) -> RangeInclusive<u64> {
    pages.page(shown.start)..=pages.page(shown.end.saturating_sub(1).max(shown.start))
}

/// Returns the touched rows of the pages in view, in list order.
fn touched_rows_in_view<R>(listing: Listing<R>, job: &ScoringJob) -> Vec<Arc<str>>
where
    R: Selectable + Send + Sync + 'static,
{
    let shown = listing.rendered();
    let ids = |pages: &PageCache<R>| {
        let near = pages_in_view(pages, &shown);
        let rows = pages
            .rows()
            .filter(|(index, _)| near.contains(&pages.page(*index)));
        let ids = rows.map(|(_, row)| row.id());
        let ids = ids.filter(|id| !id.is_empty() && job.touches(id));
        ids.map(Arc::from).collect()
    };
    listing.pages.try_with_untracked(ids).unwrap_or_default()
}

/// Drops the pages out of view that have touched rows.
fn drop_far_pages<R>(listing: Listing<R>, job: &ScoringJob)
where
    R: Selectable + Clone + PartialEq + Send + Sync + 'static,
{
    listing.forget_recent();
    let shown = listing.rendered();
    listing.pages.try_maybe_update(|pages| {
        let near = pages_in_view(pages, &shown);
        let before = pages.rows().count();
        pages.keep(|page, rows| {
            near.contains(&page) || !rows.iter().any(|row| job.touches(row.id()))
        });
        (pages.rows().count() != before, ())
    });
}

/// Reloads the pages in view: most touched rows are still on them.
async fn refresh_pages(
    app: AppState,
    client: &Client,
    wanted: &mut Vec<Arc<str>>,
    change: &mut ScoreChanges,
) {
    // The query of the leads is only in the address while their list is open.
    let path = app.nav.path();
    if path.try_with_untracked(|path| path == route::LEADS_PATH) != Some(true) {
        return;
    }
    let Some(view) = app.leads_view.try_get_untracked() else {
        return;
    };
    let mut found = BTreeSet::<Arc<str>>::new();
    let listing = app.leads.listing;
    let shown = listing.rendered();
    let of = |pages: &PageCache<_>| (pages_in_view(pages, &shown), pages.size());
    let Some((near, size)) = listing.pages.try_with_untracked(of) else {
        return;
    };
    for page in near {
        let number = u32::try_from(page + 1).unwrap_or(u32::MAX);
        let Ok(response) = client.query_leads(&view.query(number, size)).await else {
            continue;
        };
        for lead in response.data.into_iter().map(LeadItem::new) {
            if !wanted.iter().any(|id| **id == *lead.id) || !found.insert(Arc::from(&*lead.id)) {
                continue;
            }
            let now = lead.score;
            let scored = LeadScore {
                score: lead.score,
                tier: lead.tier,
                reasoning: lead.reasoning,
            };
            if let Some(before) = app.leads.update_score(&lead.id, scored) {
                change.add(before, now);
            }
        }
    }
    wanted.retain(|id| !found.contains(id));
}

async fn refresh_leads(
    app: AppState,
    client: &Client,
    wanted: &[Arc<str>],
    change: &mut ScoreChanges,
) {
    for some in wanted[..wanted.len().min(MAX_SINGLE_REQUESTS)].chunks(MAX_IN_FLIGHT) {
        let calls = some.iter().map(|id| client.get_lead(&LeadId::new(&**id)));
        for (id, response) in some.iter().zip(join_all(calls).await) {
            let Ok(detail) = response else { continue };
            let scored = best(detail.list_scores.as_deref());
            let now = scored.score;
            if let Some(before) = app.leads.update_score(id, scored) {
                change.add(before, now);
            }
        }
    }
}

async fn refresh_accounts(
    app: AppState,
    client: &Client,
    wanted: &[Arc<str>],
    change: &mut ScoreChanges,
) {
    let query = AccountDetailQuery {
        include_unpromoted: true,
    };
    for some in wanted[..wanted.len().min(MAX_SINGLE_REQUESTS)].chunks(MAX_IN_FLIGHT) {
        let calls = some
            .iter()
            .map(|id| client.get_account(&AccountId::new(&**id), &query));
        for (id, response) in some.iter().zip(join_all(calls).await) {
            let Ok(detail) = response else { continue };
            let now = detail.icp_score;
            if let Some(before) = app.accounts.update_score(id, now, detail.icp_tier) {
                change.add(before, now);
            }
        }
    }
}

/// Returns the best of a lead's scores.
fn best(scores: Option<&[Raw]>) -> LeadScore {
    let best = ListScore::best(scores.unwrap_or_default()).unwrap_or_default();
    LeadScore {
        score: best.icp_score,
        tier: best.icp_tier.filter(|tier| !tier.trim().is_empty()),
        reasoning: best.icp_reasoning.filter(|why| !why.trim().is_empty()),
    }
}
