//! `cargo xtask bench`: measurements to read. No test depends on them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Subcommand;

use crate::build::{self, Flavour};
use crate::setup::{chromium, npm};
use crate::{package, progress, repo};

mod database_server;
mod first_start;
mod growth;
mod load;
mod service;
mod suggest;

/// The options that compare with a build of ours instead of the peer.
/// What the page is compared with instead of the peer: the option, and the name of the results.
const OTHERS: [(&str, &str); 3] = [
    ("--same", "ui-same"),
    ("--before", "ui-before"),
    ("--own-columns", "ui-own-columns"),
];

/// What to measure.
#[derive(Subcommand)]
pub enum Bench {
    /// Compare the leads page with the same page in React, in headless Chromium. CONTRIBUTING.md has the options.
    #[command(disable_help_flag = true)]
    Ui {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Decide on 200 leads by keyboard in every way, and count keys and seconds.
    Session {
        /// Uses the UI of an earlier commit instead: the folder of its release build.
        #[arg(long)]
        before: Option<PathBuf>,
    },
    /// Compare decisions in simulated schedules with a hand-written optimistic update. docs/decisions.md explains the table.
    #[command(disable_help_flag = true)]
    Decisions {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Time the first start in an empty clone, against a small program of each kind that it builds.
    Setup,
    /// Time the reads of the review screen at a million leads, and measure memory and file size. docs/performance.md explains the table.
    Service(service::Options),
    /// Count the statements and the processor time of each server of Citus for a list, with more servers and more workspaces.
    Growth(growth::Options),
    /// Send many requests at the same time at 100,000 leads. docs/performance.md explains the table.
    Load(load::Options),
    /// Measure how many decisions the approval model saves simulated reviewers. docs/suggestions.md explains the table.
    #[command(disable_help_flag = true)]
    Suggest {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
}

pub fn run(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Ui { options } => ui(options),
        Bench::Session { before } => session(before.as_deref()),
        Bench::Decisions { options } => decisions(options),
        Bench::Setup => first_start::run(),
        Bench::Service(options) => service::run(options),
        Bench::Growth(options) => growth::run(options),
        Bench::Load(options) => load::run(options),
        Bench::Suggest { options } => suggest::run(options),
    }
}

/// Prints a table of the ways to decide on 200 leads by keyboard.
fn session(before: Option<&Path>) -> Result<()> {
    let (ui, program) = build::ui_and_service(Flavour::Release)?;
    npm::ensure("npm libraries", "tests/e2e")?;
    let mut node = npm::node_command()?;
    node.args(["--test", "--test-reporter=spec", "tests/e2e/session.mjs"])
        .env("LEAD_WORKSPACE_PROGRAM", program)
        .env("LEAD_WORKSPACE_UI", ui)
        .env("CHROME", chromium::ensure_headless()?)
        .current_dir(repo::root());
    if let Some(before) = before {
        node.env("LEAD_WORKSPACE_UI", before)
            .env("LEAD_WORKSPACE_SESSIONS", "list, with the details");
    }
    println!("| way | leads | keys for 200 | seconds for 200 |\n|---|---:|---:|---:|");
    let status = node.status().context("Node cannot be started")?;
    ensure!(
        status.success(),
        "A session could not be finished; see the message above."
    );
    Ok(())
}

/// Prints a table of what schedules end with, on each side.
fn decisions(options: &[String]) -> Result<()> {
    let folder = npm::ensure("npm packages of the optimistic update", "bench/decisions")?;
    let totals = repo::target().join("xtask/bench/decisions.json");
    let mut node = npm::node_command()?;
    node.arg(folder.join("run.mjs"))
        .arg("--package")
        .arg(package::build()?)
        .arg("--out")
        .arg(&totals)
        .args(options);
    let measured = progress::run("decisions, side by side", &mut node)?
        .or_fail("There are no results. Fix the error above, then try again.")?;
    print!("{}", measured.output);
    Ok(())
}

fn ui(options: &[String]) -> Result<()> {
    let results = repo::target().join("xtask/bench");
    let mut node = npm::node_command()?;
    node.arg(repo::root().join("bench/ui/run.mjs"))
        .arg("--ours")
        .arg(build::ui(Flavour::Release)?)
        .arg("--libraries")
        .arg(npm::ensure("npm libraries", "tests/e2e")?)
        .arg("--out")
        .arg(&results)
        .args(options)
        .env("CHROME", chromium::ensure()?);
    let has = |name: &str| options.iter().any(|option| option == name);
    let other = OTHERS.iter().find(|(option, _)| has(option));
    let name = other.map_or("ui", |(_, name)| name);
    if other.is_none() {
        node.arg("--peer").arg(peer()?);
    }
    progress::run("leads page, side by side", &mut node)?
        .or_fail("No results were saved. Fix the error above, then try again.")?;
    let table = results.join(format!("{name}.txt"));
    let text = fs::read_to_string(&table)
        .with_context(|| format!("{} cannot be read", repo::relative(&table)))?;
    let runs = repo::relative(&results.join(format!("{name}.json")));
    println!("{text}\nall runs: {runs}");
    Ok(())
}

/// Builds the React page and returns its folder.
fn peer() -> Result<PathBuf> {
    let folder = npm::ensure("npm packages of the peer", "bench/peer")?;
    let built = repo::target().join("xtask/bench/peer");
    let mut vite = npm::node_command()?;
    vite.arg(folder.join("node_modules/vite/bin/vite.js"))
        .args(["build", "--emptyOutDir", "--outDir"])
        .arg(&built)
        // A shell may export `development`, which would build React with its development checks.
        .env("NODE_ENV", "production")
        .current_dir(&folder);
    progress::run("peer, Vite build", &mut vite)?
        .or_fail("The React page does not build; see the message above.")?;
    Ok(built)
}
