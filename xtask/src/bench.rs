//! `cargo xtask bench`: measurements to read. No test depends on them.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

mod handoff;
mod ui;

/// What to measure.
#[derive(Subcommand)]
pub enum Bench {
    /// Compare ways to pass a page of leads from the Wasm module to JavaScript, in headless Chromium.
    Handoff,
    /// Compare the leads page with the same page in React, in headless Chromium.
    Ui(ui::Options),
}

pub fn run(bench: &Bench) -> Result<ExitCode> {
    match bench {
        Bench::Handoff => handoff::run(),
        Bench::Ui(options) => ui::run(options),
    }
}
