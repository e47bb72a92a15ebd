//! PostgreSQL and PgBouncer, for the tests of the service on them; and jq, for a script of the documentation.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use lead_workspace_test_postgres::{MISSING, NO_PGBOUNCER, pgbouncer, programs};

use super::system;
use crate::progress;

/// Works for root, and for users who may use sudo without a password.
const INSTALL: &str = "[ $(id -u) = 0 ] || sudo='sudo -n'; \
    $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends";

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
    if system::find("apt-get").is_some() {
        let mut apt = Command::new("sh");
        apt.args(["-c", &format!("{INSTALL} {package}")]);
        progress::run(package, &mut apt)?;
    }
    find().map_or_else(|| bail!("{missing}"), Ok)
}
