//! The same tables in a PostgreSQL database, for several processes of the service at the same time.
//!
//! Only tests use it yet, so it is in no other build: [`Store`](super::Store) opens data folders only, until
//! `serve --database` comes.

mod cancel;
mod error;
mod pool;
mod schema;
mod session;
mod target;
mod value;

pub use pool::Postgres;
pub use session::Session;
pub use target::Target;
pub(super) use value::get;

#[cfg(unix)]
mod tests;
