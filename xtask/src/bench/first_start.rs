//! `cargo xtask bench setup`: the first start in an empty clone, against a small program of each kind that it builds.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::repo;
use crate::setup::{self, TARGET};

/// The fields of the processor time of ended children, in user and system mode, after the name of the process.
const CHILDREN: [usize; 2] = [13, 14];

/// The unit of these fields, on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

struct Seconds {
    clock: f64,
    processor: f64,
}

pub fn run() -> Result<()> {
    setup::target()?;
    let folder = repo::target().join("xtask/bench/setup");
    repo::clear(&folder)?;
    let project = repo::root().join("bench/setup");
    let yardstick = measure(|| {
        let target = folder.join("yardstick");
        let page = ["--package", "yardstick-page", "--target", TARGET];
        let programs = ["--workspace", "--exclude", "yardstick-page"];
        for packages in [&page[..], &programs] {
            let mut cargo = Command::new("cargo");
            cargo
                .args(["build", "--locked"])
                .args(packages)
                .current_dir(&project)
                .env("CARGO_TARGET_DIR", &target);
            ensure!(cargo.status()?.success(), "the yardstick cannot be built");
        }
        Ok(())
    })?;
    let clone = folder.join("clone");
    let mut git = Command::new("git");
    git.args(["clone", "--quiet"]).arg(repo::root()).arg(&clone);
    ensure!(git.status()?.success(), "the project cannot be cloned");
    let start = measure(|| start(&clone))?;
    println!("| build | seconds | seconds of processor time |\n|---|---:|---:|");
    for (name, seconds) in [("yardstick", &yardstick), ("first start", &start)] {
        let Seconds { clock, processor } = seconds;
        println!("| {name} | {clock:.0} | {processor:.0} |");
    }
    let clock = start.clock / yardstick.clock;
    let processor = start.processor / yardstick.processor;
    println!("| ratio | {clock:.2} | {processor:.2} |");
    Ok(())
}

/// Starts the project in a folder, until it serves.
fn start(clone: &Path) -> Result<()> {
    let mut cargo = Command::new("cargo");
    let mut child = cargo
        .args(["xtask", "start", "--no-open", "--port", "0"])
        .current_dir(clone)
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_MANIFEST_DIR")
        .stdout(Stdio::piped())
        .spawn()?;
    let output = BufReader::new(child.stdout.take().context("there is no output")?);
    let mut lines = output.lines().map_while(Result::ok);
    let serves = lines.any(|line| line.starts_with("ready "));
    child.kill()?;
    child.wait()?;
    ensure!(serves, "the project did not start");
    Ok(())
}

/// Measures a command and the processes that it started and waited for.
fn measure(work: impl FnOnce() -> Result<()>) -> Result<Seconds> {
    let before = processor_time()?;
    let start = Instant::now();
    work()?;
    Ok(Seconds {
        clock: start.elapsed().as_secs_f64(),
        processor: processor_time()? - before,
    })
}

/// Returns the processor time in seconds of all ended children of this process.
fn processor_time() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("this measurement needs Linux")?;
    let (_, fields) = stat
        .rsplit_once(") ")
        .context("/proc/self/stat has no name")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let mut ticks = 0.0;
    for field in CHILDREN {
        ticks += fields[field].parse::<f64>()?;
    }
    Ok(ticks / TICKS_PER_SECOND)
}
