//! Compares the leads page with the same page in React, in headless Chromium. The scripts are in `bench/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::build::{self, Flavour};
use crate::setup::{self, npm};
use crate::{progress, repo};

const PEER: &str = "bench/peer";
const SCRIPT: &str = "bench/ui/run.mjs";

/// What to measure, and under which conditions.
#[derive(Args)]
pub struct Options {
    /// Number of measured pairs of runs.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Number of warm-up pairs of runs.
    #[arg(long, value_name = "N", default_value_t = 1)]
    warmups: u32,
    /// CPU slowdown factor.
    #[arg(long, value_name = "TIMES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    throttle: u32,
    /// Network limit while the page loads.
    #[arg(long, value_enum, default_value_t = Network::None)]
    net: Network,
    /// Number of leads that the stub serves.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    leads: u32,
    /// Run only these phases, separated by commas.
    #[arg(long, value_name = "PHASES", value_enum, value_delimiter = ',')]
    only: Vec<Phase>,
    /// Compare our page with itself, to see which differences the benchmark can detect.
    #[arg(long)]
    same: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Network {
    /// No limit.
    None,
    /// 150 ms and 1.4 Mbit/s.
    #[value(name = "slow4g")]
    Slow4g,
}

#[derive(Clone, Copy, ValueEnum)]
enum Phase {
    /// Bytes, and times until the first rows.
    Load,
    /// Memory after the load.
    Memory,
    /// Decisions, sorting, search, facets, details.
    Interact,
    /// Frames and jumps while scrolling.
    Scroll,
    /// Memory growth over many sorts.
    Growth,
}

/// Builds both pages, measures them, and prints the table.
pub fn run(options: &Options) -> Result<ExitCode> {
    let tools = setup::wasm()?;
    let chromium = setup::chromium()?;
    let libraries = setup::test_libraries("tests/e2e")?;
    let ours = build::ui(&tools, Flavour::Release)?;
    let peer = if options.same { None } else { Some(peer()?) };
    let results = repo::target().join("xtask/bench");
    let mut node = Command::new(npm::node()?);
    node.arg(repo::root().join(SCRIPT))
        .arg("--ours")
        .arg(ours)
        .arg("--libraries")
        .arg(libraries)
        .arg("--out")
        .arg(&results)
        .args(arguments(options))
        .env("CHROME", chromium.browser);
    if let Some(peer) = peer {
        node.arg("--peer").arg(peer);
    }
    progress::run("leads page, side by side", &mut node)?
        .or_fail("No results were saved. Fix the error above, then try again.")?;
    let name = if options.same { "ui-same" } else { "ui" };
    show(&results, name)?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the React page and returns its folder.
fn peer() -> Result<PathBuf> {
    let folder = npm::ensure("npm packages of the peer", PEER)?;
    let built = repo::target().join("xtask/bench/peer");
    let mut vite = Command::new(npm::node()?);
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

fn arguments(options: &Options) -> Vec<String> {
    let named = |value: &dyn ToString, name: &str| [format!("--{name}"), value.to_string()];
    let mut arguments = [
        named(&options.runs, "runs"),
        named(&options.warmups, "warmups"),
        named(&options.throttle, "throttle"),
        named(&word(options.net), "net"),
        named(&options.leads, "leads"),
    ]
    .concat();
    if !options.only.is_empty() {
        let phases: Vec<String> = options.only.iter().copied().map(word).collect();
        arguments.extend(named(&phases.join(","), "only"));
    }
    arguments
}

/// Returns the command-line name of a value.
fn word(value: impl ValueEnum) -> String {
    let possible = value.to_possible_value();
    possible.map_or_else(String::new, |value| value.get_name().to_owned())
}

fn show(results: &Path, name: &str) -> Result<()> {
    let table = results.join(format!("{name}.txt"));
    let text = fs::read_to_string(&table)
        .with_context(|| format!("{} cannot be read", repo::relative(&table)))?;
    let whole = results.join(format!("{name}.json"));
    println!("{text}\nall runs: {}", repo::relative(&whole));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Network, Options, Phase, arguments};

    fn options(net: Network, only: &[Phase]) -> Options {
        Options {
            runs: 15,
            warmups: 1,
            throttle: 4,
            net,
            leads: 100_000,
            only: only.to_vec(),
            same: false,
        }
    }

    #[test]
    fn the_script_gets_all_settings() {
        assert_eq!(
            arguments(&options(Network::Slow4g, &[Phase::Load, Phase::Memory])).join(" "),
            "--runs 15 --warmups 1 --throttle 4 --net slow4g --leads 100000 --only load,memory"
        );
    }

    #[test]
    fn all_phases_run_by_default() {
        let arguments = arguments(&options(Network::None, &[]));
        assert!(arguments.iter().all(|argument| argument != "--only"));
    }
}
