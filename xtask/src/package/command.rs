//! `cargo xtask package`: builds the npm package, or the Debian package of the service.

use anyhow::Result;
use clap::Args;

use super::{build, deb};
use crate::{repo, size};

#[derive(Args)]
pub struct Options {
    /// Build the Debian package of the service, into target/debian.
    #[arg(long)]
    deb: bool,
}

/// `cargo xtask package`, including the setup it needs.
pub fn run(options: &Options) -> Result<()> {
    if options.deb {
        println!("package  {}", repo::relative(&deb::build()?));
        return Ok(());
    }
    let folder = build()?;
    for report in size::measure_package(&folder)? {
        println!("{}", report.text);
    }
    println!("package  {}", repo::relative(&folder));
    Ok(())
}
