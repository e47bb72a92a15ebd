//! The workspace service: the lead and account API over embedded SQLite.
//!
//! All data is in one folder, which is accessed through [`Store`]: one writer thread with group
//! commit, read-only connections, and a [`Tenant`] in every statement. The HTTP server
//! builds its routes from the contract's table, so an operation without a handler does not compile.

mod changes;
pub mod cli;
pub mod demo;
mod erased;
pub mod export;
pub mod failpoint;
pub mod gateway;
pub mod http;
pub mod import;
mod lock;
mod metrics;
pub mod scope;
pub mod scoring;
pub mod store;
pub mod time;

pub use lead_workspace_logic::{fold, size_rank, staff_count_range};
pub use store::{Store, StoreError, Tenant};
