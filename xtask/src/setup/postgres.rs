//! PostgreSQL, for the tests of the service on it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use lead_workspace_test_postgres::{MISSING, programs};

use super::system;
use crate::progress;

/// Works for root, and for users who may use sudo without a password.
const INSTALL: &str = "[ $(id -u) = 0 ] || sudo='sudo -n'; \
    $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends postgresql";

/// Returns the folder with PostgreSQL's programs. On Debian, installs them if they are missing.
pub fn ensure() -> Result<PathBuf> {
    if let Some(programs) = programs() {
        return Ok(programs);
    }
    if system::find("apt-get").is_some() {
        let mut apt = Command::new("sh");
        apt.args(["-c", INSTALL]);
        progress::run("PostgreSQL", &mut apt)?;
    }
    programs().map_or_else(|| bail!("{MISSING}"), Ok)
}
