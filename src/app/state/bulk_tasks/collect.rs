//! Reads all pages of a list, to select or score its rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use lead_workspace_api::{Account, LeadListItem, Row};

use crate::app::model::route;
use crate::app::model::route::Route;
use crate::app::model::scoring_jobs::{RecordKind, Scoring};
use crate::app::model::view::{AccountsView, LeadsView};
use crate::app::reactive::RwSignal;
use crate::app::state::AppState;
use crate::app::state::grid_selection::GridSelection;
use crate::client::page_loader::Pages;
use crate::client::paginate::Drift;
use crate::review::selection::{SelectedRow, SelectedValue};

/// Rows per request: the maximum of the API.
pub(super) const PAGE: u32 = 100;

/// The progress of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskProgress {
    pub done: u64,
    /// The total number of rows, if known.
    pub of: Option<u64>,
    /// Why the task stopped.
    pub failed: Option<String>,
}

/// Returns the pages of a view. `None` without a client; then the key dialog is open already.
async fn pages(app: AppState, view: &LeadsView) -> Option<Pages<LeadListItem>> {
    // Decisions in flight would be read with their old statuses.
    app.decisions.wait_for_open_decisions().await;
    let query = view.query(1, PAGE);
    Some(app.session.client_now()?.lead_pages(&query, None))
}

/// Passes page after page to `take`, with the total number of rows if it is known, until the end or until `take` returns
/// `false`. Returns whether the list kept changing, so that rows may be missing. `None` after an error, which is stored
/// in `progress`.
pub(super) async fn read_pages<T: Row + 'static>(
    mut pages: Pages<T>,
    progress: RwSignal<TaskProgress>,
    mut take: impl FnMut(Vec<T>, Option<u64>) -> bool,
) -> Option<bool> {
    let mut is_incomplete = false;
    while let Some(page) = pages.next().await {
        let page = match page {
            Ok(page) => page,
            Err(error) => {
                let reason = format!("{}.", error.summary());
                progress.try_update(|progress| progress.failed = Some(reason));
                return None;
            }
        };
        is_incomplete |= page.drift.contains(&Drift::Incomplete);
        if !take(page.rows, pages.total()) {
            break;
        }
    }
    Some(is_incomplete)
}

/// Returns what the rows of a list are.
pub fn kind(list: &Route) -> RecordKind {
    match &*list.path {
        route::ACCOUNTS_PATH => RecordKind::Accounts,
        _ => RecordKind::Leads,
    }
}

/// Finds every row of a list, each once. `None` after an error, which is stored in `progress`, or without a client.
async fn find(
    app: AppState,
    list: &Route,
    progress: RwSignal<TaskProgress>,
) -> Option<Vec<SelectedRow>> {
    match kind(list) {
        RecordKind::Leads => {
            let pages = pages(app, &LeadsView::from_query(&list.query)).await?;
            let of = |row: LeadListItem| {
                let status = row.approval_status.unwrap_or_else(|| "unknown".into());
                (row.lead_id.map(String::from), SelectedValue::Status(status))
            };
            find_in(app, pages, of, progress).await
        }
        RecordKind::Accounts => {
            let query = AccountsView::from_query(&list.query).query(1, PAGE);
            let pages = app.session.client_now()?.account_pages(&query, None);
            let of = |row: Account| {
                (
                    row.id.map(String::from),
                    SelectedValue::Points(row.icp_score),
                )
            };
            find_in(app, pages, of, progress).await
        }
    }
}

async fn find_in<T: Row + 'static>(
    app: AppState,
    pages: Pages<T>,
    of: fn(T) -> (Option<String>, SelectedValue),
    progress: RwSignal<TaskProgress>,
) -> Option<Vec<SelectedRow>> {
    let mut found: Vec<SelectedRow> = Vec::new();
    let mut ids = BTreeSet::new();
    let (sent, mut deleted, mut total) = (app.decisions.start_read(), 0, None);
    let incomplete = read_pages(pages, progress, |rows, all| {
        for row in rows {
            let (id, value) = of(row);
            let Some(id) = id.filter(|id| !id.is_empty()) else {
                continue;
            };
            if app.decisions.is_deleted(&id, sent) {
                deleted += 1;
                continue;
            }
            let id: Arc<str> = id.into();
            if ids.insert(Arc::clone(&id)) {
                found.push((id, value));
            }
        }
        total = all;
        progress.try_update(|progress| (progress.done, progress.of) = (found.len() as u64, all));
        true
    })
    .await?;
    let count = found.len() as u64;
    if incomplete {
        app.notice.show_text(
            "The list kept changing while loading, so some rows may be missing. Try again later"
                .to_owned(),
        );
    } else if total.is_some_and(|total| total != count + deleted) {
        app.notice.show_text(
            "The list changed while loading, or some rows cannot be read. Check the number of selected rows"
                .to_owned(),
        );
    }
    Some(found)
}

/// Returns cursor and selection of a list.
fn grid_selection(app: AppState, list: &Route) -> GridSelection {
    match kind(list) {
        RecordKind::Leads => app.leads.grid_selection,
        RecordKind::Accounts => app.accounts.grid_selection,
    }
}

/// Selects every row of a list. Nothing is selected before all pages are read.
pub async fn selecting(app: AppState, list: Route, progress: RwSignal<TaskProgress>) {
    let has_failed = app.bulk_tasks.has_failed;
    has_failed.set_value(false);
    let found = find(app, &list, progress).await;
    has_failed.set_value(found.is_none());
    let Some(found) = found else {
        return;
    };
    grid_selection(app, &list)
        .selection
        .try_update(|selection| {
            selection.clear();
            selection.add(found);
        });
    app.bulk_tasks.selecting.set(None);
}

/// Finds every row of a list, and asks for confirmation before scoring exactly these.
pub async fn score(app: AppState, list: Route, progress: RwSignal<TaskProgress>) {
    let Some(found) = find(app, &list, progress).await else {
        return;
    };
    let ids: Vec<Arc<str>> = found.into_iter().map(|(id, _)| id).collect();
    if ids.is_empty() {
        app.notice.show_text("There is nothing to score".to_owned());
    }
    app.bulk_tasks.score.set(None);
    app.jobs
        .ask_to_confirm(Scoring::for_ids(kind(&list), ids, ""));
}
