//! nginx, for the test of the example of a balancer.

use anyhow::{Result, bail};

use super::{debian, system};

/// Installs nginx on Debian if it is missing.
pub fn ensure() -> Result<()> {
    if system::find("nginx").is_none() {
        debian::install("nginx", &["nginx-light"])?;
    }
    if system::find("nginx").is_none() {
        bail!("nginx is missing. Install it, then try again");
    }
    Ok(())
}
