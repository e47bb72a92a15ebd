//! Announcements of changes to the other processes on a database, by NOTIFY and LISTEN.
//!
//! A change is announced after its commit, by a transaction of its own, at most once in [`GAP`] for all changes of the
//! process. In the transaction of the change, NOTIFY would take a lock of the whole server until the commit is on disk:
//! all decisions would wait for each other. An announcement that is lost with its process delays nothing by more than a
//! second, because those who follow a workspace also ask for its version twice a second.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::pool::Pool;
use super::run;
use crate::lock::lock;
use crate::metrics::StoreMetrics;
use crate::store::change_signals::ChangeSignals;
use crate::store::db::params;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

const CHANNEL: &str = "lead_workspace_changes";

/// The shortest time between two announcements of a process.
const GAP: Duration = Duration::from_millis(100);

/// Workspaces that one announcement names at most. The server limits its length.
const NAMED: usize = 500;

/// Stands for all workspaces.
const ALL: &str = "*";

/// How often a listener looks whether it should end, and how long it waits after a failure.
const INTERVAL: Duration = Duration::from_secs(1);

#[derive(Clone, Default)]
pub(super) struct Announcements(Arc<Mutex<Waiting>>);

/// What is announced next.
#[derive(Default)]
struct Waiting {
    tenants: HashSet<Tenant>,
    all: bool,
    is_sending: bool,
}

impl Waiting {
    /// Takes the text of the next announcement, if there is something to announce.
    fn take(&mut self) -> Option<String> {
        let tenants = std::mem::take(&mut self.tenants);
        if std::mem::take(&mut self.all) || tenants.len() > NAMED {
            return Some(ALL.into());
        }
        let names: Vec<String> = tenants.iter().map(|tenant| tenant.0.to_string()).collect();
        (!names.is_empty()).then(|| names.join(","))
    }
}

impl Announcements {
    /// Announces a change of a workspace, or of all if it is none. Does not wait for it.
    pub(super) fn announce(&self, pool: &Arc<Pool>, tenant: Option<Tenant>) {
        let mut waiting = lock(&self.0);
        match tenant {
            Some(tenant) => _ = waiting.tenants.insert(tenant),
            None => waiting.all = true,
        }
        if !std::mem::replace(&mut waiting.is_sending, true) {
            tokio::spawn(self.clone().send(Arc::downgrade(pool)));
        }
    }

    async fn send(self, pool: std::sync::Weak<Pool>) {
        loop {
            let next = {
                let mut waiting = lock(&self.0);
                let next = waiting.take().zip(pool.upgrade());
                waiting.is_sending = next.is_some();
                next
            };
            let Some((text, pool)) = next else { return };
            let sent = run(move || notify(&pool, &text)).await;
            if let Err(error) = sent {
                // Other processes see the change within a second anyway.
                tracing::debug!(%error, "could not announce a change");
            }
            tokio::time::sleep(GAP).await;
        }
    }
}

fn notify(pool: &Pool, text: &str) -> Result<(), StoreError> {
    pool.write(&StoreMetrics::new(), |db| {
        // Nothing is lost with it, so its commit need not be on disk.
        let sql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?1, ?2)";
        db.row(sql, params![CHANNEL, text], |_| Ok(())).map(drop)
    })
}

/// A thread that passes on what other processes announce, until this is dropped.
pub struct Listener(Arc<AtomicBool>);

impl Listener {
    /// Starts to listen. Behind a pooler nothing is heard, so the thread ends at once.
    pub(super) fn start(pool: Arc<Pool>, signals: ChangeSignals) -> Self {
        let has_ended = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&has_ended);
        let listen = move || {
            while !ended.load(Ordering::Relaxed) {
                match listen(&pool, &signals, &ended) {
                    Ok(()) => return,
                    Err(error) => {
                        tracing::debug!(%error, "cannot listen to the changes of other processes");
                        thread::sleep(INTERVAL);
                    }
                }
            }
        };
        let started = thread::Builder::new().name("change-listener".into());
        if let Err(error) = started.spawn(listen) {
            tracing::warn!(%error, "cannot listen to the changes of other processes");
        }
        Self(has_ended)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn listen(pool: &Pool, signals: &ChangeSignals, ended: &AtomicBool) -> Result<(), StoreError> {
    let session = pool.connect_alone()?;
    if session.is_pooled() {
        return Ok(());
    }
    session.batch(&format!("LISTEN {CHANNEL}"))?;
    // Something may have changed before.
    signals.notify(None);
    while !ended.load(Ordering::Relaxed) {
        let Some(text) = session.notification(INTERVAL)? else {
            continue;
        };
        for name in text.split(',') {
            match name.parse() {
                Ok(tenant) => signals.notify(Some(Tenant(tenant))),
                Err(_) => signals.notify(None),
            }
        }
    }
    Ok(())
}
