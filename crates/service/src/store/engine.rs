//! What runs reads and changes: the embedded database of a data folder, or a PostgreSQL server.

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
        match self {
            Self::Sqlite(sqlite) => {
                let read = move |connection: &_| read(Db::from(connection));
                sqlite.readers.run(tenant, read).await
            }
            Self::Postgres(postgres) => postgres.read(tenant, read).await,
        }
    }

    /// Runs a change. It is durable when the future resolves.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
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
