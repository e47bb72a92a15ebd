//! The thread that loads columns.

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::spec::{ACCOUNTS, ColumnId, LEADS};
use super::{BUDGET, Columns, load};
use crate::store::{StoreError, Tenant, open};

/// SQLite virtual machine steps between two checks of whether to end.
const STEPS: i32 = 10_000;

pub(in crate::store) struct Loader {
    columns: Columns,
    thread: Option<JoinHandle<()>>,
}

impl Loader {
    pub(in crate::store) fn start(path: &Path, columns: &Columns) -> Result<Self, StoreError> {
        let mut connection = open::read_only(path)?;
        let ends = columns.clone();
        connection.progress_handler(STEPS, Some(move || ends.lock().ended))?;
        let shared = columns.clone();
        let thread = thread::Builder::new()
            .name("store-columns".into())
            .spawn(move || {
                if let Err(error) = load_all(&connection, &shared) {
                    tracing::warn!(%error, "could not load columns; reads use SQL");
                }
                work(&connection, &shared);
            })
            .map_err(|source| StoreError::io("starting the thread for columns", source))?;
        Ok(Self {
            columns: columns.clone(),
            thread: Some(thread),
        })
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.columns.lock().ended = true;
        self.columns.0.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic has already been printed.
            let _ = thread.join();
        }
    }
}

fn work(connection: &Connection, columns: &Columns) {
    while let Some((tenant, id)) = next(columns) {
        let started = Instant::now();
        if let Err(error) = load(connection, columns, tenant, id) {
            tracing::warn!(%error, column = id.0, "could not load a column; reads use SQL");
        }
        // The same time off: while an import changes everything, columns are loaded again and again.
        rest(columns, started.elapsed());
    }
}

fn next(columns: &Columns) -> Option<(Tenant, ColumnId)> {
    let mut state = columns.lock();
    loop {
        if state.ended {
            return None;
        }
        if let Some(wanted) = state.wanted.pop_front() {
            return Some(wanted);
        }
        let waited = columns.0.changed.wait(state);
        state = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
    }
}

fn rest(columns: &Columns, time: Duration) {
    let state = columns.lock();
    let rested = columns
        .0
        .changed
        .wait_timeout_while(state, time, |state| !state.ended);
    drop(rested);
}

/// Loads the columns of all large workspaces, as many as fit.
pub(in crate::store) fn load_all(
    connection: &Connection,
    columns: &Columns,
) -> Result<(), StoreError> {
    let tenants: Vec<i64> = connection
        .prepare("SELECT tenant FROM tenants ORDER BY tenant")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for tenant in tenants {
        for id in LEADS.iter().chain(&ACCOUNTS) {
            let (bytes, ended) = {
                let state = columns.lock();
                (state.bytes, state.ended)
            };
            if ended {
                return Ok(());
            }
            // The columns that come next are used least.
            if bytes < BUDGET / 8 * 7 {
                load(connection, columns, Tenant(tenant), *id)?;
            }
        }
    }
    Ok(())
}

fn load(
    connection: &Connection,
    columns: &Columns,
    tenant: Tenant,
    id: ColumnId,
) -> Result<(), StoreError> {
    // The version and the column must be of one state of the database.
    let own = connection.is_autocommit();
    let transaction = own
        .then(|| connection.unchecked_transaction())
        .transpose()?;
    if let Some(snapshot) = columns.snapshot(connection, tenant)? {
        let column = load::column(connection, tenant, id)?;
        columns.keep(tenant, id, snapshot.version, &Arc::new(column));
    }
    Ok(transaction.map_or(Ok(()), rusqlite::Transaction::commit)?)
}
