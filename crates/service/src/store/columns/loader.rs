//! The thread that loads columns.

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::spec::{ACCOUNTS, ColumnId, LEADS};
use super::{BUDGET, Columns, State, Why, load};
use crate::store::{Db, StoreError, Tenant, open};

/// SQLite virtual machine steps between two checks of whether to end.
const STEPS: i32 = 10_000;

/// Columns that one scan of a table reads at most: their values are in memory twice until it ends.
const AT_ONCE: usize = 8;

/// The same for columns that no read waits for. A read that needs others waits for their scan, too.
const AT_ONCE_AHEAD: usize = 4;

/// Memory up to which columns are loaded before a read needs them. What comes last is used least.
const ENOUGH: usize = BUDGET / 8 * 7;

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
            .spawn(move || work(&connection, &shared))
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
    while let Some((tenant, ids, why)) = next(columns) {
        let started = Instant::now();
        if let Err(error) = load(connection, columns, tenant, &ids) {
            let ids = ids.iter().map(|id| id.0).collect::<Vec<_>>().join(", ");
            tracing::warn!(%error, columns = ids, "could not load columns; reads use SQL");
        }
        if why == Why::Changes {
            // While an import changes everything, columns are loaded again and again.
            rest(columns, started.elapsed());
        }
    }
}

/// Waits for a column that is wanted, and returns it with others that the same scan can read.
fn next(columns: &Columns) -> Option<(Tenant, Vec<ColumnId>, Why)> {
    let mut state = columns.lock();
    loop {
        if state.ended {
            return None;
        }
        let Some((tenant, id, why)) = state.wanted.pop_front() else {
            let waited = columns.0.changed.wait(state);
            state = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
            continue;
        };
        let is_full = state.bytes > ENOUGH;
        let State { loaded, wanted, .. } = &mut *state;
        let is_done =
            |id, why| loaded.contains_key(&(tenant, id)) || (why == Why::Start && is_full);
        if is_done(id, why) {
            continue;
        }
        let at_once = if why == Why::Start {
            AT_ONCE_AHEAD
        } else {
            AT_ONCE
        };
        let mut ids = vec![id];
        wanted.retain(|(of, other, also)| {
            let is_taken = ids.len() < at_once
                && (*of, *also) == (tenant, why)
                && load::are_in_one_scan(id, *other)
                && !is_done(*other, *also)
                && !ids.contains(other);
            if is_taken {
                ids.push(*other);
            }
            !is_taken
        });
        return Some((tenant, ids, why));
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

/// Wants the columns of all large workspaces, after those that a read waits for.
pub(in crate::store) fn want_all(db: Db<'_>, columns: &Columns) -> Result<(), StoreError> {
    for tenant in Tenant::all::<Vec<_>>(db)? {
        if columns.snapshot(db, tenant)?.is_some() {
            let all = LEADS.iter().chain(&ACCOUNTS);
            let all = all.map(|id| (tenant, *id, Why::Start));
            columns.lock().wanted.extend(all);
            columns.0.changed.notify_all();
        }
    }
    Ok(())
}

/// Loads all columns of all large workspaces.
pub(in crate::store) fn load_all(db: Db<'_>, columns: &Columns) -> Result<(), StoreError> {
    let Db::Sqlite(connection) = db else {
        return Ok(());
    };
    for tenant in Tenant::all::<Vec<_>>(db)? {
        for all in [&LEADS[..], &ACCOUNTS] {
            for ids in all.chunk_by(|one, other| load::are_in_one_scan(*one, *other)) {
                load(connection, columns, tenant, ids)?;
            }
        }
    }
    Ok(())
}

fn load(
    connection: &Connection,
    columns: &Columns,
    tenant: Tenant,
    ids: &[ColumnId],
) -> Result<(), StoreError> {
    // The version and the columns must be of one state of the database.
    let own = connection.is_autocommit();
    let transaction = own
        .then(|| connection.unchecked_transaction())
        .transpose()?;
    if let Some(snapshot) = columns.snapshot(connection.into(), tenant)? {
        let read = load::columns(connection, tenant, ids)?;
        for (id, column) in ids.iter().zip(read) {
            columns.keep(tenant, *id, snapshot.version, &Arc::new(column));
        }
    }
    Ok(transaction.map_or(Ok(()), rusqlite::Transaction::commit)?)
}
