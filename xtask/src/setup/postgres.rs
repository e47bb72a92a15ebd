//! PostgreSQL and PgBouncer, for the tests of the service on them; and jq, for a script of the documentation.

use std::path::PathBuf;

use anyhow::{Result, bail};
use lead_workspace_test_postgres::{MISSING, NO_PGBOUNCER, pgbouncer, programs};

use super::{debian, system};

/// Returns the folder with PostgreSQL's programs. On Debian, installs them, PgBouncer and jq if they are missing.
pub fn ensure() -> Result<PathBuf> {
    let missing = "jq is missing. Install it, then try again";
    installed("jq", || system::find("jq"), missing)?;
    installed("pgbouncer", pgbouncer, NO_PGBOUNCER)?;
    installed("postgresql", programs, MISSING)
}

fn installed(package: &str, find: fn() -> Option<PathBuf>, missing: &str) -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    debian::install(package, &[package])?;
    find().map_or_else(|| bail!("{missing}"), Ok)
}
