//! What runs reads and changes: the embedded database of a data folder, or a PostgreSQL server.

use crate::erased::{Erased, restore};
use crate::store::change_signals::ChangeSignals;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::health::Check;
use crate::store::keys::Access;
use crate::store::postgres::{Listener, Postgres};
use crate::store::sqlite::Sqlite;
use crate::store::sqlite::writer::WriteQueue;
use crate::store::tenant::Tenant;
use crate::store::usage::{Jobs, Usage};

type Read = Box<dyn FnOnce(Db<'_>) -> Result<Erased, StoreError> + Send>;
type Cached = Box<dyn FnOnce(Db<'_>) -> Result<Option<Erased>, StoreError> + Send>;
type Change = Box<dyn Fn(Db<'_>) -> Result<Erased, StoreError> + Send>;

fn erased<T: Send + 'static>(
    read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
) -> Read {
    Box::new(move |db| Ok(Box::new(read(db)?)))
}

pub(super) enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Engine {
    /// Runs a read on one consistent state of the database, within the share of the workspace if there is one.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_erased(tenant, erased(read))
            .await
            .and_then(restore)
    }

    async fn read_erased(&self, tenant: Option<Tenant>, read: Read) -> Result<Erased, StoreError> {
        match self {
            Self::Sqlite(sqlite) => {
                let read = move |connection: &_| read(Db::from(connection));
                sqlite.readers.run(tenant, read).await
            }
            Self::Postgres(postgres) => postgres.read(tenant, read).await,
        }
    }

    /// Like [`read`](Self::read), but first tries `cached`. It runs outside a transaction, so each of its statements sees
    /// what was committed when that statement begins.
    pub(super) async fn read_unless_cached<T: Send + 'static>(
        &self,
        tenant: Tenant,
        cached: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError> + Send + 'static,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        match self {
            // Its transactions cost nothing.
            Self::Sqlite(_) => {
                let read = move |db: Db<'_>| cached(db)?.map_or_else(|| read(db), Ok);
                self.read(Some(tenant), read).await
            }
            Self::Postgres(postgres) => {
                let cached: Cached = Box::new(move |db| {
                    let found = cached(db)?;
                    Ok(found.map(|value| Box::new(value) as Erased))
                });
                let found = postgres.read_unless_cached(tenant, cached, erased(read));
                found.await.and_then(restore)
            }
        }
    }

    /// Runs a change. It is durable when the future resolves.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let change: Change = Box::new(move |db| Ok(Box::new(change(db)?)));
        self.write_erased(tenant, change).await.and_then(restore)
    }

    async fn write_erased(
        &self,
        tenant: Option<Tenant>,
        change: Change,
    ) -> Result<Erased, StoreError> {
        match self {
            Self::Sqlite(sqlite) => {
                let change = move |connection: &_| change(Db::from(connection));
                sqlite.writer.run(change).await
            }
            Self::Postgres(postgres) => postgres.write(tenant, change).await,
        }
    }

    /// Announces a change of a workspace, or of all, to other processes. Commands beside a data folder have no streams.
    pub(super) fn announce(&self, tenant: Option<Tenant>) {
        if let Self::Postgres(postgres) = self {
            postgres.announce(tenant);
        }
    }

    /// Listens to the announcements of other processes, if there may be any.
    pub(super) fn listen(&self, signals: ChangeSignals) -> Option<Listener> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(postgres) => Some(postgres.listen(signals)),
        }
    }

    pub(super) async fn check_key(
        &self,
        key: &str,
        tenant_id: Option<&str>,
    ) -> Result<Access, StoreError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.check_key(key, tenant_id),
            Self::Postgres(postgres) => postgres.check_key(key, tenant_id).await,
        }
    }

    pub(super) async fn health(&self) -> Vec<Check> {
        match self {
            Self::Sqlite(sqlite) => sqlite.health().await,
            Self::Postgres(postgres) => postgres.health().await,
        }
    }

    /// Blocks.
    pub(super) fn usage(&self, jobs: Option<Jobs>) -> Usage {
        match self {
            Self::Sqlite(sqlite) => sqlite.usage(jobs),
            Self::Postgres(_) => Usage {
                jobs,
                ..Usage::default()
            },
        }
    }

    pub(super) fn write_queue(&self) -> WriteQueue {
        match self {
            Self::Sqlite(sqlite) => sqlite.writer.queue(),
            Self::Postgres(_) => WriteQueue::none(),
        }
    }

    /// Number of changes, or groups of them, that this process has tried.
    pub(super) fn version(&self) -> u64 {
        match self {
            Self::Sqlite(sqlite) => sqlite.writer.version(),
            Self::Postgres(postgres) => postgres.version(),
        }
    }
}
