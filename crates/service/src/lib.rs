//! The workspace service: the lead and account API, over embedded SQLite or a PostgreSQL database.
//!
//! All data is accessed through [`Store`], with a [`Tenant`] in every statement. In a data folder, one thread writes, with
//! group commit, and reads have their own connections; several services can share a PostgreSQL database
//! (`store/engine.rs`). The HTTP server builds its routes from the contract's table, so an operation without a handler does
//! not compile.

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
