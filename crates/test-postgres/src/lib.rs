//! For tests: a PostgreSQL server of their own.
//!
//! [`Server::shared`] starts one for the test program, in a folder of its own and on a socket there. It ends with
//! the program, also when that is killed, and the folder goes with it. [`Server::database`] makes a
//! database for one test from a template, which takes a few dozen milliseconds. [`Pooler`] is PgBouncer in front of it.
//! [`Cluster`] is several servers with the extension Citus.

#![cfg(unix)]

mod cluster;
mod database;
mod pooler;
mod programs;
mod server;

pub use cluster::{CITUS_MISSING, Cluster, citus};
pub use database::Database;
pub use pooler::{NO_PGBOUNCER, Pooler, pgbouncer};
pub use programs::{MISSING, programs};
pub use server::{DURABLE, Server};
