//! Exports for the browser: an extension of the contract, outside `/api`. The body is that of a query, with the members of
//! [`ExportQuery`].

use std::fs::File;
use std::io::{self, Read, Seek, Write as _};
use std::path::PathBuf;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::Request;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use lead_workspace_api::export::ColumnChoice;
use lead_workspace_api::{AccountQuery, ExportQuery, LeadQuery, Request as _};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::auth::Caller;
use super::params::read_body;
use super::permits::{Permit, Permits};
use super::request_context::set_operation;
use super::{ApiError, App};
use crate::erased::run_blocking;
use crate::export::{ExportOptions, export_accounts, export_leads};
use crate::scope::Scope;
use crate::store::{Db, Filters, StoreError};

/// The number of rows in the export.
pub(super) const ROWS: HeaderName = HeaderName::from_static("x-exported-rows");

/// Parts that wait for a slow client.
const PARTS: usize = 4;

/// Exports at the same time, in one workspace and in all: each may keep a file while a slow client receives it.
const PER_WORKSPACE: usize = 1;
const TOTAL: usize = 2;

pub(super) fn permits() -> Permits {
    Permits::new(PER_WORKSPACE, TOTAL)
}

/// Passes a part on, with the number of all rows.
type Write<'a> = dyn FnMut(usize, &str) -> Result<(), StoreError> + 'a;

/// Handles `POST /export/leads`.
pub(super) async fn leads(
    State(app): State<App>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    set_operation("export_leads");
    let (caller, query, more, _permit) = read::<LeadQuery>(&app, request).await?;
    let list = caller.store().list_of_leads(caller.tenant, &query).await?;
    let (options, ids, tenant) = (options(&more), more.ids, caller.tenant);
    let index = caller.store().index();
    stream_parts(caller, move |db, write| {
        export_leads(db, &index, tenant, &list, ids.as_deref(), &options, write)
    })
    .await
}

/// Handles `POST /export/accounts`.
pub(super) async fn accounts(
    State(app): State<App>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    set_operation("export_accounts");
    let (caller, query, more, _permit) = read::<AccountQuery>(&app, request).await?;
    let filters = Filters::of_accounts(&query.filters)?;
    let (options, ids, tenant) = (options(&more), more.ids, caller.tenant);
    let index = caller.store().index();
    stream_parts(caller, move |db, write| {
        export_accounts(
            db,
            &index,
            tenant,
            (filters, &query),
            ids.as_deref(),
            &options,
            write,
        )
    })
    .await
}

async fn read<Q: lead_workspace_api::Request + Send + 'static>(
    app: &App,
    request: Request<Body>,
) -> Result<(Caller, Q, ExportQuery, Option<Permit>), ApiError> {
    let (caller, request) = Caller::of_request(app, request, Scope::Read).await?;
    let parse = |body: &Value| {
        let query = Q::from_wire(body, "body")?;
        Ok((query, ExportQuery::from_wire(body, "body")?))
    };
    let ((query, more), permit) = read_body(request, &caller, parse).await?;
    Ok((caller, query, more, permit))
}

fn options(query: &ExportQuery) -> ExportOptions {
    ExportOptions {
        columns: ColumnChoice {
            list: query.columns.clone(),
            only: query.only,
        },
        ..ExportOptions::default()
    }
}

/// A part, with the number of all rows.
type Part = Result<(usize, Bytes), StoreError>;

/// Passes the parts of an export on to a client. Once it is too slow for them, they wait in a file: while
/// an export reads the database, the log of a folder cannot be truncated, and PostgreSQL keeps all replaced rows.
struct Parts {
    client: mpsc::Sender<Part>,
    /// The data folder; on PostgreSQL none, and the file is one of the operating system's temporary files.
    dir: Option<PathBuf>,
    /// It has no name, and is gone with the process.
    waiting: Option<File>,
    rows: usize,
}

impl Parts {
    fn send(&mut self, rows: usize, text: &str) -> Result<(), StoreError> {
        self.rows = rows;
        let part = || Ok((rows, Bytes::copy_from_slice(text.as_bytes())));
        if self.waiting.is_none() {
            match self.client.try_send(part()) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Closed(_)) => return Err(StoreError::Interrupted),
                Err(TrySendError::Full(_)) => {
                    self.waiting = match &self.dir {
                        Some(dir) => Some(tempfile::tempfile_in(dir).map_err(not_written)?),
                        None => match tempfile::tempfile() {
                            Ok(file) => Some(file),
                            // Such as in a container that can write nowhere.
                            Err(_) => return self.wait_and_send(part()),
                        },
                    };
                }
            }
        }
        match &mut self.waiting {
            Some(file) if !self.client.is_closed() => {
                file.write_all(text.as_bytes()).map_err(not_written)
            }
            _ => Err(StoreError::Interrupted),
        }
    }

    /// Sends what waits.
    fn end(mut self) -> Result<(), StoreError> {
        let Some(mut file) = self.waiting.take() else {
            return Ok(());
        };
        file.rewind().map_err(not_written)?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            match file.read(&mut buffer).map_err(not_written)? {
                0 => return Ok(()),
                read => {
                    self.wait_and_send(Ok((self.rows, Bytes::copy_from_slice(&buffer[..read]))))?
                }
            }
        }
    }

    fn wait_and_send(&self, part: Part) -> Result<(), StoreError> {
        // The client has gone.
        let sent = self.client.blocking_send(part);
        sent.map_err(|_| StoreError::Interrupted)
    }
}

fn not_written(error: io::Error) -> StoreError {
    StoreError::io("writing an export for a slow client", error)
}

/// Answers with the parts of an export while it is read. An error before the first part has a status of its own; a later one
/// breaks the connection, so that no incomplete file looks whole.
async fn stream_parts(
    caller: Caller,
    export: impl FnOnce(Db<'_>, &mut Write<'_>) -> Result<usize, StoreError> + Send + 'static,
) -> Result<Response, ApiError> {
    let permit = caller.app.0.exports.acquire(caller.tenant)?;
    let (sender, mut received) = mpsc::channel(PARTS);
    let mut parts = Parts {
        client: sender.clone(),
        dir: caller.store().dir().map(PathBuf::from),
        waiting: None,
        rows: 0,
    };
    tokio::spawn(async move {
        let _permit = permit;
        let read = move |db: Db<'_>| {
            export(db, &mut |rows, text| parts.send(rows, text))?;
            Ok(parts)
        };
        let ended = match caller.store().read_in(caller.tenant, read).await {
            Ok(parts) => run_blocking(&Handle::current(), || parts.end()).await,
            Err(error) => Ok(Err(error)),
        };
        if let Err(error) = ended.flatten() {
            // Fails if the client has disconnected.
            let _ = sender.send(Err(error)).await;
        }
    });
    let (rows, first) = received.recv().await.unwrap_or(Err(StoreError::Panicked))?;
    let rest = stream::unfold(received, async |mut parts| {
        Some((parts.recv().await?, parts))
    });
    let rest = rest.map(|part| part.map(|(_, text)| text).map_err(io::Error::other));
    let body = stream::once(async { Ok(first) }).chain(rest);
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/csv; charset=utf-8"),
    );
    headers.insert(ROWS, rows.into());
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(dir: &tempfile::TempDir) -> (Parts, mpsc::Receiver<Part>) {
        let (client, received) = mpsc::channel(2);
        let dir = Some(dir.path().to_owned());
        let (waiting, rows) = (None, 0);
        (
            Parts {
                client,
                dir,
                waiting,
                rows,
            },
            received,
        )
    }

    #[test]
    fn the_read_does_not_wait_for_a_slow_client() {
        let dir = tempfile::tempdir().unwrap();
        let (mut parts, mut received) = parts(&dir);
        let texts: Vec<String> = (0..1_000)
            .map(|at| format!("{at},{}\n", "x".repeat(200)))
            .collect();
        for text in &texts {
            parts.send(1_000, text).unwrap();
        }
        // All is written, and nothing was received.
        let end = std::thread::spawn(move || parts.end());
        let mut all = String::new();
        while let Some(part) = received.blocking_recv() {
            let (rows, text) = part.unwrap();
            assert_eq!(rows, 1_000);
            all += std::str::from_utf8(&text).unwrap();
        }
        end.join().unwrap().unwrap();
        assert!(all == texts.concat());
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn the_read_ends_when_the_client_has_gone() {
        let dir = tempfile::tempdir().unwrap();
        for taken in [1, 5] {
            let (mut parts, received) = parts(&dir);
            for _ in 0..taken {
                parts.send(9, "text").unwrap();
            }
            drop(received);
            assert!(matches!(
                parts.send(9, "text"),
                Err(StoreError::Interrupted)
            ));
        }
    }
}
