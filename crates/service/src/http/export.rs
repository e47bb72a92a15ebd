//! Exports for the browser: an extension of the contract, outside `/api`. The body is that of a query, with the members of
//! [`ExportQuery`].

use std::io;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::Request;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use lead_workspace_api::export::ColumnChoice;
use lead_workspace_api::{AccountQuery, ExportQuery, LeadQuery, Request as _};
use lead_workspace_logic::params::from_body;
use tokio::sync::mpsc;

use super::auth::Caller;
use super::body::read as read_body;
use super::permits::Permits;
use super::request_context::set_operation;
use super::{ApiError, App};
use crate::export::{ExportOptions, export_accounts, export_leads};
use crate::scope::Scope;
use crate::store::{Db, Filters, StoreError};

/// The number of rows in the export.
pub(super) const ROWS: HeaderName = HeaderName::from_static("x-exported-rows");

/// Parts that wait for a slow client.
const PARTS: usize = 4;

/// Exports at the same time, in one workspace and in all: each keeps a connection while a slow client receives it.
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
    let (caller, query, more) = read::<LeadQuery>(&app, request).await?;
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
    let (caller, query, more) = read::<AccountQuery>(&app, request).await?;
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

async fn read<Q: lead_workspace_api::Request>(
    app: &App,
    request: Request<Body>,
) -> Result<(Caller, Q, ExportQuery), ApiError> {
    let (caller, request) = Caller::of_request(app, request, Scope::Read).await?;
    let limits = app.limits();
    let body = from_body(&read_body(request, limits.body_bytes, limits).await?)?;
    let query = Q::from_wire(&body, "body")?;
    Ok((caller, query, ExportQuery::from_wire(&body, "body")?))
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

/// Answers with the parts of an export while it is read. An error before the first part has a status of its own; a later one
/// breaks the connection, so that no incomplete file looks whole.
async fn stream_parts(
    caller: Caller,
    export: impl FnOnce(Db<'_>, &mut Write<'_>) -> Result<usize, StoreError> + Send + 'static,
) -> Result<Response, ApiError> {
    let permit = caller.app.0.exports.acquire(caller.tenant)?;
    let (sender, mut parts) = mpsc::channel(PARTS);
    tokio::spawn(async move {
        let _permit = permit;
        let part = sender.clone();
        let read = move |db: Db<'_>| {
            export(db, &mut |rows, text| {
                let text = Bytes::copy_from_slice(text.as_bytes());
                // The client has gone.
                part.blocking_send(Ok((rows, text)))
                    .map_err(|_| StoreError::Interrupted)
            })
        };
        if let Err(error) = caller.store().read_in(caller.tenant, read).await {
            // Fails if the client has disconnected.
            let _ = sender.send(Err(error)).await;
        }
    });
    let (rows, first) = parts.recv().await.unwrap_or(Err(StoreError::Panicked))?;
    let rest = stream::unfold(parts, async |mut parts| Some((parts.recv().await?, parts)));
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
