//! Packages of Debian and its descendants.

use std::process::Command;

use anyhow::Result;

use super::system;
use crate::progress;

/// Works for root, and for users who may use sudo without a password.
const INSTALL: &str = "[ $(id -u) = 0 ] || sudo='sudo -n'; \
    $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends";

/// Installs packages where there is apt-get. The caller looks for what is still missing.
pub fn install(label: &str, packages: &[&str]) -> Result<()> {
    if system::find("apt-get").is_some() {
        let mut apt = Command::new("sh");
        apt.args(["-c", &format!("{INSTALL} {}", packages.join(" "))]);
        progress::run(label, &mut apt)?;
    }
    Ok(())
}
