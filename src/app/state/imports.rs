//! The import of a file of leads. It continues while other pages are open.

use std::sync::Arc;

use lead_workspace_api::import::{ImportFields, ImportLineError};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use super::abort_on_drop::AbortOnDrop;
use super::notice::Notice;
use super::session::Session;
use super::upload::{UploadRequest, UploadResponse, send};
use crate::app::model::import_report::{
    ColumnMapping, Report, fields, is_workbook, list_name, refusal,
};
use crate::app::model::route::IMPORT_PATH;
use crate::app::reactive::{RwSignal, StoredValue};

/// How much of a file the preview covers, in bytes, except for workbooks.
const PREVIEW_BYTES: f64 = 256.0 * 1024.0;

/// Whether the service imports files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportSupport {
    /// Not known yet.
    Loading,
    /// It does, with these fields.
    Fields(Arc<ImportFields>),
    None,
    /// The request failed, for this reason.
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum ImportStage {
    /// Waiting for a file. With the reason why the last one was rejected, if any.
    Choose(Option<String>),
    /// The preview is loading.
    Previewing,
    /// The columns can be corrected.
    Ready,
    /// The file is being uploaded.
    Running,
    /// Finished, completely or in part.
    Done(Arc<Report>),
    /// Interrupted or cancelled, with the reason.
    Failed(Arc<str>),
}

#[derive(Clone, Copy)]
pub struct Imports {
    pub support: RwSignal<ImportSupport>,
    pub stage: RwSignal<ImportStage>,
    /// The name and the size in bytes.
    pub file: RwSignal<(String, u64)>,
    /// The columns and their mapping.
    pub mapping: RwSignal<ColumnMapping>,
    /// The lines of the preview that cannot be used with the current mapping.
    pub errors: RwSignal<Vec<ImportLineError>>,
    /// The list that the leads are added to.
    pub list: RwSignal<String>,
    /// Upload progress, in percent.
    pub sent: RwSignal<u64>,
    blob: StoredValue<Option<File>>,
    request: StoredValue<Option<AbortOnDrop>>,
    task: StoredValue<Option<AbortOnDrop>>,
    session: Session,
    notice: Notice,
}

impl Imports {
    pub fn start(session: Session, notice: Notice) -> Self {
        Self {
            support: RwSignal::new(ImportSupport::Loading),
            stage: RwSignal::new(ImportStage::Choose(None)),
            file: RwSignal::new((String::new(), 0)),
            mapping: RwSignal::new(ColumnMapping::default()),
            errors: RwSignal::new(Vec::new()),
            list: RwSignal::new(String::new()),
            sent: RwSignal::new(0),
            blob: StoredValue::new(None),
            request: StoredValue::new(None),
            task: StoredValue::new(None),
            session,
            notice,
        }
    }

    /// Requests whether the service imports files.
    pub fn load_fields(self) {
        let task = AbortOnDrop::start(async move {
            let reply = self.send("GET", "/import/fields", None, false).await;
            let support = match reply.status {
                200 => fields(&reply.text)
                    .map_or(ImportSupport::None, |all| ImportSupport::Fields(all.into())),
                401 => {
                    self.session.ask_for_another_key();
                    ImportSupport::Unknown(failure_text(&reply))
                }
                // No import route. A 200 without fields, as from a server that responds to everything with a page,
                // is `None`, too.
                404 | 405 => ImportSupport::None,
                _ => ImportSupport::Unknown(failure_text(&reply)),
            };
            // Set only if changed, so that the page does not render again.
            if self
                .support
                .try_get_untracked()
                .is_some_and(|known| known != support)
            {
                self.support.set(support);
            }
        });
        self.task.set_value(Some(task));
    }

    /// Loads the preview of a file.
    pub fn choose_file(self, file: File) {
        let (name, size) = (file.name(), file.size());
        self.file.set((name.clone(), size as u64));
        self.list.set(list_name(&name));
        if size == 0.0 {
            let empty = "The file is empty. Nothing was imported. Export it again with a header and data lines.";
            self.stage.set(ImportStage::Choose(Some(empty.to_owned())));
            return;
        }
        self.blob.set_value(Some(file));
        self.preview(String::new());
    }

    /// Loads the preview of a sheet of the file, the first one with a header if it has no name.
    pub fn preview(self, sheet: String) {
        self.stage.set(ImportStage::Previewing);
        self.mapping.set(ColumnMapping::of_sheet(sheet));
        self.upload(async move {
            let stage = match self.load_mapping().await {
                Ok(mapping) => {
                    self.errors.set(mapping.errors.clone());
                    self.mapping.set(mapping);
                    ImportStage::Ready
                }
                Err(problem) => ImportStage::Choose(Some(problem)),
            };
            self.stage.set(stage);
        });
    }

    /// Maps a column, and updates which lines cannot be used and the notes.
    pub fn map_column(self, at: usize, to: &str) {
        self.mapping.update(|mapping| mapping.set(at, to));
        self.upload(async move {
            // If this fails, the last errors stay: the import itself reports all of them.
            if let Ok(mapping) = self.load_mapping().await {
                self.errors.set(mapping.errors);
                self.mapping.try_update(|shown| shown.notes = mapping.notes);
            }
        });
    }

    async fn load_mapping(self) -> Result<ColumnMapping, String> {
        let name = self.file.with_untracked(|(name, _)| name.clone());
        let query = self
            .mapping
            .with_untracked(|mapping| mapping.query(&name, ""));
        let file = self.blob.try_get_value().flatten().ok_or_else(unreadable)?;
        let bytes = match is_workbook(&name) {
            true => file.size(),
            false => PREVIEW_BYTES,
        };
        let start = file.slice_with_f64_and_f64(0.0, bytes);
        let start = start.map_err(|_| unreadable())?;
        let path = ["/import/preview?", &query].concat();
        let reply = self.send("POST", &path, Some(&start), false).await;
        if reply.status != 200 {
            return Err(failure_text(&reply));
        }
        ColumnMapping::read(&reply.text).ok_or_else(|| failure_text(&reply))
    }

    pub fn run(self) {
        let Some(file) = self.blob.try_get_value().flatten() else {
            self.start_over();
            return;
        };
        let name = self.file.with_untracked(|(name, _)| name.clone());
        let list = self.list.get_untracked();
        let query = self
            .mapping
            .with_untracked(|mapping| mapping.query(&name, &list));
        self.sent.set(0);
        self.stage.set(ImportStage::Running);
        self.upload(async move {
            let path = ["/import?", &query].concat();
            let reply = self
                .send("POST", &path, Some(file.unchecked_ref()), true)
                .await;
            let report = match reply.status {
                200 => Report::read(&reply.text),
                _ => None,
            };
            let stage = match report {
                Some(report) => ImportStage::Done(Arc::new(report)),
                None if reply.status == 0 || reply.status == 200 => {
                    ImportStage::Failed(CONNECTION_LOST.into())
                }
                None => ImportStage::Failed(failure_text(&reply).into()),
            };
            let outcome = match &stage {
                ImportStage::Done(report) if report.stopped.is_none() => " is imported",
                _ => " could not be imported completely",
            };
            // The import page shows the result itself.
            if window()
                .location()
                .pathname()
                .is_ok_and(|path| path != IMPORT_PATH)
            {
                self.notice.show_text([&*name, outcome].concat());
            }
            self.stage.set(stage);
        });
    }

    /// Cancels the import. What was imported stays.
    pub fn cancel(self) {
        self.request.set_value(None);
        self.stage.set(ImportStage::Failed(CANCELLED.into()));
    }

    /// Starts over, to choose another file.
    pub fn start_over(self) {
        self.request.set_value(None);
        self.blob.set_value(None);
        self.stage.set(ImportStage::Choose(None));
    }

    fn upload(self, work: impl Future<Output = ()> + 'static) {
        self.request.set_value(Some(AbortOnDrop::start(work)));
    }

    async fn send(
        self,
        method: &str,
        path: &str,
        body: Option<&Blob>,
        reports_progress: bool,
    ) -> UploadResponse {
        let Some(client) = self.session.client_now() else {
            return UploadResponse {
                status: 401,
                text: String::new(),
            };
        };
        let (url, headers) = client.url_and_headers(path);
        let request = UploadRequest {
            method,
            url: &url,
            headers: &headers,
        };
        let on_sent = move |share| {
            if reports_progress {
                self.sent.set(share);
            }
        };
        send(request, body, on_sent).await
    }
}

const CONNECTION_LOST: &str = "The connection to the service was lost. Leads imported so far are kept. \
    Import the same file again: existing leads are recognized, and the rest is added.";

const CANCELLED: &str = "The import was cancelled. Leads imported so far are kept. Import the same \
    file again to continue: existing leads are recognized.";

fn unreadable() -> String {
    "The browser cannot read the file. Nothing was imported. Check that it was not moved, then choose it again.".to_owned()
}

fn failure_text(reply: &UploadResponse) -> String {
    let plain = match reply.status {
        0 => {
            "The service cannot be reached. Nothing was imported. Check that it is running, then try again."
        }
        401 => {
            "The service does not accept the key. Nothing was imported. Enter another key, then try again."
        }
        _ => "",
    };
    if plain.is_empty() {
        refusal(&reply.text).unwrap_or_else(|| {
            let status = reply.status.to_string();
            [
                "The service responded with ",
                &status,
                " and no details. Nothing was imported. Try again.",
            ]
            .concat()
        })
    } else {
        plain.to_owned()
    }
}
