//! Import over HTTP, our extension of the contract.
//!
//! `GET /import/fields` lists the fields that a column can hold. It also shows whether a service
//! offers import: one without it responds with 404. `POST /import/preview` receives the beginning
//! of a file and returns how an import would interpret it; it changes nothing. `POST /import`
//! imports.
//!
//! The body is the file, streamed. `format`, `sheet`, `file_name`, `list`, `score` and any number of `map`
//! are query parameters. The response is NDJSON: one [`ImportEvent`] per line while the import runs, and
//! `done` or `error` at the end. Only one process can write the folder, so a second `lead-workspace
//! import` sends its file here.

mod body_reader;

use std::io::{self, Cursor};

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri};
use lead_workspace_api::import::{FieldHeaders, ImportEvent, ImportFields};
use serde_json::Value;
use tokio::sync::mpsc;

use self::body_reader::BodyReader;
use super::auth::Caller;
use super::body::{on_blocking_thread, read as read_body, refuse_encoded};
use super::json::json_response;
use super::permits::{Permit, Permits};
use super::request_context::set_operation;
use super::{ApiError, App, NoPermit};
use crate::import::{Field, Format, ImportOptions, preview_unmapped, run};
use crate::metrics::ResultLabels;
use crate::scope;

/// Imports running at the same time, per workspace: one key must not use up all permits. Each
/// import takes a thread, memory for a part of the file, and the only writer.
const PER_WORKSPACE: usize = 4;

/// Imports running at the same time, in total.
const TOTAL: usize = 16;

/// Seconds for `Retry-After` if too many imports are running.
const RETRY_AFTER: u64 = 10;

/// Limit on the failed lines that are sent one by one; the report counts all of them.
const ERRORS_SENT: u64 = 10_000;

pub(super) fn permits() -> Permits {
    Permits::new(PER_WORKSPACE, TOTAL)
}

/// Handles `GET /import/fields`.
pub(super) async fn fields(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    set_operation("import_fields");
    Caller::of(&app, &headers, scope::IMPORT_FIELDS).await?;
    let names = Field::ALL.iter().map(|field| field.name().to_owned());
    let headers = Field::ALL.iter().map(|field| FieldHeaders {
        field: field.name().to_owned(),
        headers: field
            .headers()
            .iter()
            .map(|&header| header.to_owned())
            .collect(),
    });
    let fields = ImportFields {
        fields: names.collect(),
        headers: headers.collect(),
    };
    Ok(json_response(StatusCode::OK, &fields))
}

/// Handles `POST /import/preview`.
pub(super) async fn preview(
    State(app): State<App>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    set_operation("import_preview");
    // A preview computes as much as an import does, so it needs a permit and a blocking thread.
    let (_caller, options, permit) = accept(&app, request.headers(), request.uri()).await?;
    let limits = app.limits();
    // The list of the parts of a workbook is at its end.
    let most = match options.format {
        Some(Format::Xlsx) => lead_workspace_import::file_limits::WORKBOOK,
        _ => limits.preview_bytes,
    };
    let start = read_body(request, most, limits).await?;
    let preview = on_blocking_thread(move || {
        let _permit = permit;
        preview_unmapped(Cursor::new(start), &options)
    });
    let preview = preview.await?.map_err(|error| {
        ApiError::invalid(&["body"], "value_error", error.to_string(), Value::Null)
    })?;
    Ok(json_response(StatusCode::OK, &preview))
}

/// Handles `POST /import`.
pub(super) async fn import(
    State(app): State<App>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    set_operation("import");
    let (caller, mut options, permit) = accept(&app, request.headers(), request.uri()).await?;
    options.actor = caller.actor();
    let source = BodyReader::new(request.into_body(), app.limits().idle_time, permit);
    let (sender, events) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut errors = 0;
        let on_event = |event: ImportEvent| {
            if matches!(event, ImportEvent::Failed(_)) {
                errors += 1;
                if errors > ERRORS_SENT {
                    return;
                }
            }
            // The import continues after the client has disconnected: it ends with the body.
            let _ = sender.send(event);
        };
        let (result, end) =
            match run(caller.store(), caller.tenant, source, options, on_event).await {
                Ok(report) => ("done", ImportEvent::Done(report)),
                Err(error) => {
                    let message = error.to_string();
                    ("failed", ImportEvent::Error { message })
                }
            };
        let ended = &app.0.metrics.imports;
        ended.get_or_create(&ResultLabels { result }).inc();
        let _ = sender.send(end);
    });
    let lines = stream::unfold(events, async |mut events| {
        let event = events.recv().await?;
        Some((line(&event), events))
    });
    let mut response = Response::new(Body::from_stream(lines));
    let ndjson = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(CONTENT_TYPE, ndjson);
    Ok(response)
}

/// Checks the key and the parameters of an import or a preview, and acquires its permit.
async fn accept(
    app: &App,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<(Caller, ImportOptions, Permit), ApiError> {
    let caller = Caller::of(app, headers, scope::IMPORT).await?;
    refuse_encoded(headers)?;
    let options = options(uri.query().unwrap_or_default())?;
    let permit = app.0.imports.acquire(caller.tenant);
    let permit = permit.map_err(|limit| match limit {
        NoPermit::Workspace(count) => ApiError::ImportsInWorkspace(count, RETRY_AFTER),
        NoPermit::Total(count) => ApiError::ImportsInTotal(count, RETRY_AFTER),
    })?;
    Ok((caller, options, permit))
}

fn line(event: &ImportEvent) -> io::Result<Bytes> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    Ok(line.into())
}

fn options(query: &str) -> Result<ImportOptions, ApiError> {
    let mut options = ImportOptions {
        file_name: "upload".into(),
        score: true,
        ..ImportOptions::default()
    };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let refused = |problem: String| {
            ApiError::invalid(
                &["query", &name],
                "value_error",
                problem,
                Value::from(&*value),
            )
        };
        match &*name {
            "format" => {
                let format = Format::find(&value);
                let format =
                    format.ok_or_else(|| refused("format must be csv, jsonl or xlsx".into()))?;
                options.format = Some(format);
            }
            "sheet" => options.sheet = Some(value.into_owned()).filter(|sheet| !sheet.is_empty()),
            // Only shown, never opened.
            "file_name" => {
                options.file_name = value
                    .chars()
                    .take(lead_workspace_import::file_limits::NAME)
                    .collect()
            }
            "list" => {
                options.list = Some(value.into_owned()).filter(|list| !list.trim().is_empty())
            }
            "map" => options.overrides.push(value.parse().map_err(refused)?),
            "score" => options.score = value != "false",
            _ => return Err(refused("unknown parameter".into())),
        }
    }
    options.check().map_err(|(name, error)| {
        ApiError::invalid(
            &["query", name],
            "value_error",
            error.to_string(),
            Value::Null,
        )
    })?;
    Ok(options)
}
