//! Commands that are checks.

use std::process::Command;

use anyhow::Result;

use super::count::Count;
use crate::progress;

/// Runs a command that counts as a single check.
pub fn check(label: &str, command: &mut Command) -> Result<Count> {
    let outcome = progress::run(label, command)?;
    if !outcome.ok {
        eprintln!("\n{}", outcome.failure());
    }
    Ok(Count::of_check(outcome.ok))
}
