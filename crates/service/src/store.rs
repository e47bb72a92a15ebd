//! The leads and accounts, in a data folder or a PostgreSQL database.
//!
//! Each part imports only from those before it: what statements run on (`db`), the two databases (`sqlite`,
//! `postgres`), the index of this process (`index_host`), the handle of an open database (`handle`), then the records,
//! the jobs and the maintenance.

pub(crate) mod db;
pub(crate) mod sqlite;

mod caches;
mod change_signals;
mod connection_limit;
mod custom_keys;
mod engine;
mod error;
mod handle;
mod health;
mod index_host;
mod jobs;
pub mod keys;
mod lost_servers;
mod maintenance;
mod opening;
mod permissions;
mod postgres;
mod records;
mod shared_database;
mod tables;
mod tenant;
mod tenants;
mod usage;

pub use db::{AcrossWorkspaces, Db, Row};
pub use error::StoreError;
pub use handle::Store;
pub use health::Check;
pub use index_host::{BYTES as INDEX_BYTES, IndexHost};
pub use jobs::job_queue;
pub use lead_workspace_index::{FacetsOfAccounts, Filters, Query};
pub use maintenance::{backup, doctor, transfer, workspaces};
pub use permissions::START_KEY_FILE;
pub use postgres::{Distributed, Listener, Target, distribute};
pub use records::audit;
pub use records::changes;
pub use records::encoded::Encoded;
pub use records::lead_query::list_of_leads;
pub use shared_database::SharedDatabase;
pub use sqlite::disk::DATABASE_FILE;
pub(crate) use sqlite::disk::has_database;
pub use sqlite::open::{open_shared, open_shared_or_new};
pub use sqlite::schema::{create_indexes, drop_indexes};
pub use tenant::Tenant;
pub use tenants::DEFAULT_TENANT_ID;

pub(crate) use handle::AnyLead;
pub(crate) use jobs::{import_jobs, lease};
pub(crate) use records::{export, insert};
pub(crate) use sqlite::schema::index_statements;
pub(crate) use sqlite::{disk, lock};
pub(crate) use usage::Usage;
