//! Exports the rows of a list as CSV: by the service, or page by page from a server without exports.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use lead_workspace_api::export::{ColumnChoice, Columns, Exported, ExportedLead, UnknownColumn};
use lead_workspace_api::limits::IDS;
use lead_workspace_api::{Account, ExportQuery, LeadListItem, Row, json};
use serde_json::Value;

use super::Export;
use super::collect::{PAGE, TaskProgress, kind, read_pages};
use crate::app::model::lead_tab::Tab;
use crate::app::model::scoring_jobs::RecordKind;
use crate::app::model::view::{AccountsView, LeadsView};
use crate::app::reactive::RwSignal;
use crate::app::state::AppState;
use crate::app::state::download::File;
use crate::app::state::upload::{UploadRequest, receive};
use crate::client::page_loader::Pages;

/// An export.
pub struct CsvFile {
    pub text: File,
    /// The number of rows in the file.
    pub rows: u64,
    /// The number of selected rows that were not found.
    pub missing: u64,
    /// Whether the list kept changing, so that some rows may be missing.
    pub incomplete: bool,
    /// Whether leads in it have when and by whom they were decided.
    pub says_who_decided: bool,
}

/// How long to wait while the service is busy with other exports.
const BUSY_MS: u32 = 2_000;

/// Exports the list with the columns that it shows, and with `only`, with no others. `None` after an error, which is stored
/// in `progress`, or without a client.
pub async fn write(
    app: AppState,
    export: Export,
    only: bool,
    progress: RwSignal<TaskProgress>,
) -> Option<CsvFile> {
    // Decisions in flight would be read with their old statuses.
    app.decisions.wait_for_open_decisions().await;
    let choice = ColumnChoice {
        list: export
            .columns
            .iter()
            .map(|column| (*column).to_owned())
            .collect(),
        only,
    };
    if let Some(file) = from_service(app, &export, &choice).await {
        return Some(file);
    }
    let client = app.session.client_now()?;
    let query = &export.list.query;
    match kind(&export.list) {
        RecordKind::Leads => {
            let list = LeadsView::from_query(query);
            // Selected leads that are not in the list were selected in another one.
            let lists = [list, LeadsView::default().on(Tab::All)];
            let open = |at: usize| client.lead_pages(&lists[at].query(1, PAGE), None);
            let of = |row: LeadListItem| ExportedLead {
                lead: row,
                ..ExportedLead::default()
            };
            let id = |row: &LeadListItem| row.lead_id.as_ref().map(|id| id.as_str().into());
            FromPages {
                app,
                export: &export,
                progress,
                open,
                id,
                of,
            }
            .write(&choice)
            .await
        }
        RecordKind::Accounts => {
            let all = AccountsView {
                unpromoted: true,
                ..AccountsView::default()
            };
            let lists = [AccountsView::from_query(query), all];
            let open = |at: usize| client.account_pages(&lists[at].query(1, PAGE), None);
            let id = |row: &Account| row.id.as_ref().map(|id| id.as_str().into());
            FromPages {
                app,
                export: &export,
                progress,
                open,
                id,
                of: |row| row,
            }
            .write(&choice)
            .await
        }
    }
}

/// Has the service write the file, and waits while it is busy. `None` if it does not.
async fn from_service(app: AppState, export: &Export, choice: &ColumnChoice) -> Option<CsvFile> {
    let client = app.session.client_now()?;
    let selected = export.selected.as_deref();
    if selected.is_some_and(|ids| ids.len() > IDS as usize) {
        return None;
    }
    let more = ExportQuery {
        columns: choice.list.clone(),
        only: choice.only,
        ids: selected.map(|ids| ids.iter().map(|id| id.to_string()).collect()),
    };
    let query = &export.list.query;
    let (path, mut body) = match kind(&export.list) {
        RecordKind::Leads => {
            let list = LeadsView::from_query(query).query(1, PAGE);
            ("/export/leads", serde_json::to_value(list).ok()?)
        }
        RecordKind::Accounts => {
            let mut list = AccountsView::from_query(query);
            list.unpromoted |= selected.is_some();
            let list = list.query(1, PAGE);
            ("/export/accounts", serde_json::to_value(list).ok()?)
        }
    };
    let body = body.as_object_mut()?;
    if selected.is_some() {
        // Selected rows need not be in the list; they only have its order.
        body.remove("filters");
        body.remove("search");
        body.remove("list_id");
    }
    if let Value::Object(more) = serde_json::to_value(more).ok()? {
        body.extend(more);
    }
    let (url, headers) = client.url_and_headers(path);
    let request = UploadRequest {
        method: "POST",
        url: &url,
        headers: &headers,
    };
    let body = json::text(&Value::Object(body.clone()));
    let (blob, rows) = loop {
        match receive(&request, &body).await {
            // Other exports are running.
            (429 | 503, _) => TimeoutFuture::new(BUSY_MS).await,
            (_, file) => break file?,
        }
    };
    let text = File::default();
    text.add_blob(&blob);
    Some(CsvFile {
        text,
        rows,
        missing: selected.map_or(0, |ids| (ids.len() as u64).saturating_sub(rows)),
        incomplete: false,
        says_who_decided: true,
    })
}

/// An export from the pages of a server. It reads them twice: the header names the columns of all rows.
struct FromPages<'a, T, O, F> {
    app: AppState,
    export: &'a Export,
    progress: RwSignal<TaskProgress>,
    /// Opens the list, or the list of all rows.
    open: O,
    id: fn(&T) -> Option<Arc<str>>,
    of: F,
}

impl<T, U, O, F> FromPages<'_, T, O, F>
where
    T: Row + 'static,
    U: Exported,
    O: Fn(usize) -> Pages<T>,
    F: Fn(T) -> U,
{
    async fn write(&self, choice: &ColumnChoice) -> Option<CsvFile> {
        let mut custom = BTreeSet::new();
        if choice.has_custom::<U>() {
            let take = |row: U| custom.extend(row.custom().into_iter().map(|(name, _)| name));
            self.read(take, || ()).await?;
        }
        let mut choice = choice.clone();
        let columns = loop {
            match Columns::<U>::new(&choice, custom.clone()) {
                Ok(columns) => break columns,
                // A column of the user's own data that no row has.
                Err(UnknownColumn(name)) => choice.list.retain(|other| *other != name),
            }
        };
        let file = File::default();
        let text = RefCell::new(String::new());
        columns.csv_head(&mut text.borrow_mut());
        let take = |row: U| columns.csv_line(&mut text.borrow_mut(), &row);
        let (rows, missing, incomplete) = self.read(take, || file.add(&text.take())).await?;
        file.add(&text.take());
        Some(CsvFile {
            text: file,
            rows,
            missing,
            incomplete,
            says_who_decided: false,
        })
    }

    /// Passes each row on, and then the end of its page. Returns how many rows there are, how many selected ones are missing,
    /// and whether the list kept changing.
    async fn read(&self, mut take: impl FnMut(U), end_page: impl Fn()) -> Option<(u64, u64, bool)> {
        let Self { app, progress, .. } = *self;
        let selected = self.export.selected.as_ref();
        let mut wanted: Option<BTreeSet<Arc<str>>> =
            selected.map(|ids| ids.iter().cloned().collect());
        let (mut rows, mut incomplete) = (0, false);
        for list in 0..2 {
            if match &wanted {
                Some(wanted) => wanted.is_empty(),
                None => list > 0,
            } {
                break;
            }
            let sent = app.decisions.start_read();
            incomplete |= read_pages((self.open)(list), progress, |page, total| {
                for row in page {
                    let id = (self.id)(&row).unwrap_or_default();
                    let is_wanted = wanted.as_mut().is_none_or(|wanted| wanted.remove(&id));
                    if is_wanted && !app.decisions.is_deleted(&id, sent) {
                        take((self.of)(row));
                        rows += 1;
                    }
                }
                end_page();
                let of = selected.map_or(total, |ids| Some(ids.len() as u64));
                progress.try_update(|progress| (progress.done, progress.of) = (rows, of));
                wanted.as_ref().is_none_or(|wanted| !wanted.is_empty())
            })
            .await?;
        }
        let missing = wanted.map_or(0, |wanted| wanted.len() as u64);
        Some((rows, missing, incomplete))
    }
}
