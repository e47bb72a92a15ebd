//! Import over HTTP, our extension of the contract.
//!
//! `GET /import/fields` lists the fields that a column can hold. It also shows whether a service
//! offers import: one without it responds with 404. `POST /import/preview` receives the beginning
//! of a file and returns how an import would interpret it; it changes nothing. `POST /import`
//! imports.
//!
//! The body is the file, streamed. `format`, `file_name`, `list`, `score` and any number of `map`
//! are query parameters. The response is NDJSON: one [`Event`] per line while the import runs, and
//! `done` or `error` at the end. Only one process can write the folder, so a second `lead-workspace
//! import` sends its file here.

use std::io::{self, Cursor};

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::body::BodySource;
use super::preview::first_look;
use super::{Event, Field, Format, Options, limits, run};
use crate::http::{ApiError, App, Caller, json_response, on_blocking_thread, read_body};

/// Limit on the failed lines that are sent one by one; the report counts all of them.
const ERRORS_TOLD: u64 = 10_000;

/// Handles `GET /import/fields`.
pub(crate) async fn fields(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Caller::of(&app, &headers)?;
    let names: Vec<_> = Field::ALL.iter().map(|field| field.name()).collect();
    let told = json!({"fields": names});
    Ok(json_response(StatusCode::OK, &told))
}

/// Handles `POST /import/preview`.
pub(crate) async fn preview(
    State(app): State<App>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let caller = Caller::of(&app, request.headers())?;
    let options = options(request.uri().query().unwrap_or_default())?;
    // A preview computes as much as an import does, so it takes a slot and a blocking thread.
    let place = app.imports().enter(caller.tenant)?;
    let most = app.limits().preview_bytes;
    let start = read_body(request, most, app.limits()).await?;
    let preview = on_blocking_thread(move || {
        let _place = place;
        first_look(Cursor::new(start), &options)
    });
    let preview = preview.await?.map_err(|error| {
        ApiError::invalid(&["body"], "value_error", error.to_string(), Value::Null)
    })?;
    let told = json!({
        "format": preview.format.as_str(),
        "columns": preview.columns,
        "leads": preview.samples,
        "errors": preview.errors,
    });
    Ok(json_response(StatusCode::OK, &told))
}

/// Handles `POST /import`.
pub(crate) async fn import(
    State(app): State<App>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let caller = Caller::of(&app, request.headers())?;
    let options = options(request.uri().query().unwrap_or_default())?;
    let place = app.imports().enter(caller.tenant)?;
    let source = BodySource::of(request.into_body(), app.limits().idle_time, place);
    let (told, events) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut errors = 0;
        let tell = |event: Event| {
            if matches!(event, Event::Failed(_)) {
                errors += 1;
                if errors > ERRORS_TOLD {
                    return;
                }
            }
            // The import continues after the client has disconnected: it ends with the body.
            let _ = told.send(event);
        };
        let end = match run(caller.store(), caller.tenant, source, options, tell).await {
            Ok(report) => Event::Done(report),
            Err(error) => Event::Error {
                message: error.to_string(),
            },
        };
        let _ = told.send(end);
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

fn line(event: &Event) -> io::Result<Bytes> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    Ok(line.into())
}

fn options(query: &str) -> Result<Options, ApiError> {
    let mut options = Options {
        file_name: "upload".into(),
        score: true,
        ..Options::default()
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
                let format = format.ok_or_else(|| refused("format must be csv or jsonl".into()))?;
                options.format = Some(format);
            }
            // Only shown, never opened.
            "file_name" => options.file_name = value.chars().take(limits::NAME).collect(),
            "list" => {
                options.list = Some(value.into_owned()).filter(|list| !list.trim().is_empty())
            }
            "map" => options.overrides.push(value.parse().map_err(refused)?),
            "score" => options.score = value != "false",
            _ => return Err(refused("there is no such parameter".into())),
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
