//! The same tables in a PostgreSQL database, for several processes of the service at the same time.

mod announcements;
mod distribute;
pub(super) mod distribution;
mod error;
mod exclusive;
mod in_use;
mod key_cache;
mod node_lost;
mod pool;
mod rate_limit;
pub(super) mod schema;
mod target;
mod workers;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task;

use crate::metrics::{Counted, StoreMetrics};
use crate::store::change_signals::ChangeSignals;
use crate::store::connection_limit::ConnectionLimit;
use crate::store::db::{CancelOnDrop, Db};
use crate::store::error::StoreError;
use crate::store::health::{Check, CheckCache, check, in_time};
use crate::store::keys::{self, Access};
use crate::store::tenant::Tenant;

pub use announcements::Listener;
pub use distribute::{Distributed, distribute};
pub(super) use exclusive::Exclusive;
pub(super) use pool::Pool;
pub use target::Target;

use announcements::Announcements;
use key_cache::KeyCache;
use workers::Workers;

/// Connections for reads, and for changes. Changes of one workspace wait for each other on the server, so a
/// workspace has only a share of them.
const READS: usize = 10;
const CHANGES: usize = 8;

/// Connections for what must not wait for reads and changes: lookups of keys, and checks.
const LOOKUPS: usize = 2;

/// A database that is open for reading and writing.
pub struct Postgres {
    pool: Arc<Pool>,
    /// Only if the rows of workspaces may be on several servers.
    workers: Option<Arc<Workers>>,
    reads: ConnectionLimit,
    changes: ConnectionLimit,
    lookups: ConnectionLimit,
    keys: KeyCache,
    announcements: Announcements,
    /// Counts changes.
    version: AtomicU64,
    health: CheckCache,
    metrics: StoreMetrics,
}

impl Postgres {
    /// Connects, and migrates the schema. Blocks.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses the user, when the database is missing, too old, or of another
    /// program, or when a newer version of the program wrote it.
    pub fn open(target: Target, metrics: StoreMetrics) -> Result<Self, StoreError> {
        let pool = Pool::open(target.clone())?;
        let workers = pool.has_citus()?.then(|| Arc::new(Workers::new(target)));
        let limit =
            |connections| ConnectionLimit::new(connections, metrics.readers_waiting.clone());
        Ok(Self {
            pool: Arc::new(pool),
            workers,
            reads: limit(READS),
            changes: limit(CHANGES),
            lookups: limit(LOOKUPS),
            keys: KeyCache::default(),
            announcements: Announcements::default(),
            version: AtomicU64::new(1),
            health: CheckCache::default(),
            metrics,
        })
    }

    /// Returns the connections.
    pub(super) fn pool(&self) -> Arc<Pool> {
        Arc::clone(&self.pool)
    }

    /// Runs a read on one consistent state of the database. Dropping the future cancels it.
    pub async fn read<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_with(&self.reads, tenant, read).await
    }

    /// Like [`read`](Self::read), but first tries `cached`, outside a transaction.
    pub async fn read_unless_cached<T: Send + 'static>(
        &self,
        tenant: Tenant,
        cached: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError> + Send + 'static,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_cached_with(&self.reads, Some(tenant), cached, read)
            .await
    }

    async fn read_with<T: Send + 'static>(
        &self,
        limit: &ConnectionLimit,
        tenant: Option<Tenant>,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_cached_with(limit, tenant, |_| Ok(None), read)
            .await
    }

    async fn read_cached_with<T: Send + 'static>(
        &self,
        limit: &ConnectionLimit,
        tenant: Option<Tenant>,
        cached: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError> + Send + 'static,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = limit.acquire(tenant).await?;
        let busy = Counted::new(&self.metrics.readers_busy);
        let pool = Arc::clone(&self.pool);
        let cancel = CancelOnDrop::default();
        let cancelled = Arc::clone(&cancel.0);
        let workers = self.workers.clone();
        run(move || {
            let _in_use = (permit, busy);
            let worker = workers
                .zip(tenant)
                .and_then(|(workers, tenant)| workers.of(&pool, tenant));
            let Some(worker) = worker else {
                return pool.begin_read(&cancelled, cached)?.finish(read);
            };
            match worker.begin_read(&cancelled, cached) {
                Some(begun) => begun.finish(read).map_err(|error| match error {
                    StoreError::ConnectionLost { reason } => node_lost::of(reason),
                    error => error,
                }),
                None => pool.read(&cancelled, read),
            }
        })
        .await
    }

    /// Runs a change in a transaction. It is committed when the future resolves. A change that conflicts with another
    /// is run again. If the future is dropped before the change has begun, it is not made; later, it is.
    ///
    /// # Errors
    /// The error of the change itself, which then leaves no trace. [`StoreError::CommitUnknown`] if it is not known
    /// whether the change was committed.
    pub async fn write<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let changed = self.write_with(&self.changes, tenant, change).await;
        self.version.fetch_add(1, Ordering::Release);
        changed
    }

    async fn write_with<T: Send + 'static>(
        &self,
        limit: &ConnectionLimit,
        tenant: Option<Tenant>,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = limit.acquire(tenant).await?;
        let pool = Arc::clone(&self.pool);
        let metrics = self.metrics.clone();
        run(move || {
            let _in_use = permit;
            pool.write(&metrics, change)
        })
        .await
    }

    /// Checks a key and its access to the requested workspace. A key that was found to be valid is looked up again
    /// after a second.
    pub(super) async fn check_key(
        &self,
        key: &str,
        tenant_id: Option<&str>,
    ) -> Result<Access, StoreError> {
        if let Some(known) = self.keys.get(key, tenant_id) {
            return Ok(known);
        }
        let asked = Instant::now();
        let (key, tenant_id) = (key.to_owned(), tenant_id.map(str::to_owned));
        let looked_up = (key.clone(), tenant_id.clone());
        let lookup = move |db: Db<'_>| keys::check(db, &looked_up.0, looked_up.1.as_deref());
        let access = self.read_with(&self.lookups, None, lookup).await?;
        self.keys.put(key, tenant_id, asked, &access);
        Ok(access)
    }

    /// Checks that the database can be read and changed.
    pub(super) async fn health(&self) -> Vec<Check> {
        let checks = async {
            let read = self.read_with(&self.lookups, None, |db| Tenant::default_of(db).map(drop));
            let commit = self.write_with(&self.lookups, None, schema::touch);
            let mut checks = vec![
                check("database", "the database cannot be read", read).await,
                check("commit", "the last change could not be written", commit).await,
            ];
            let nodes = self.read_with(&self.lookups, None, distribution::nodes);
            for node in in_time(nodes).await.unwrap_or_default() {
                checks.push(node.check());
            }
            checks
        };
        self.health.get(checks).await
    }

    /// Takes requests of the rate limit of all processes; see [`Store::take_requests`](crate::store::handle::Store::take_requests).
    pub(super) async fn take_requests(
        &self,
        tenant: Tenant,
        requests: u32,
        per_second: u32,
    ) -> Result<Option<Duration>, StoreError> {
        let take = move |db: Db<'_>| rate_limit::take(db, tenant, requests, per_second);
        self.write_with(&self.lookups, None, take).await
    }

    /// Announces a change of a workspace, or of all, to other processes.
    pub(super) fn announce(&self, tenant: Option<Tenant>) {
        self.announcements.announce(&self.pool, tenant);
    }

    /// Listens to the announcements of other processes.
    pub(super) fn listen(&self, signals: ChangeSignals) -> Listener {
        Listener::start(self.pool(), signals)
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }
}

/// Runs something that blocks. It goes on if the future is dropped.
async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = task::spawn_blocking(work).await;
    done.unwrap_or(Err(StoreError::Panicked))
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
