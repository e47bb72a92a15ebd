//! `cargo xtask bench load`: many requests at the same time, at 100,000 leads.
//!
//! `bench/load` sends the requests. It runs on the same machine, so all figures are those of a processor that
//! both share; the seconds of processor time of each tell them apart.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::service::process::{Service, fill};
use super::service::save;
use crate::{build, progress, repo, setup};

const PACKAGE: &str = "bench-load";

/// Seed of the imported leads, which are not those of the folder.
const IMPORT_SEED: &str = "7";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Lists of 50 leads with the total.
    List,
    /// New statuses of single leads.
    Patch,
    /// Lists, details, new statuses and counts; then with slow clients, too.
    Mixed,
    /// The mixed load during an import.
    Import,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Patch => "patch",
            Self::Mixed => "mixed",
            Self::Import => "import",
        }
    }

    /// The service serves at most 64 requests of a workspace at the same time.
    fn connections(self) -> usize {
        match self {
            Self::Patch => 64,
            _ => 16,
        }
    }

    fn seconds(self) -> u64 {
        match self {
            Self::List | Self::Patch => 30,
            Self::Mixed | Self::Import => 600,
        }
    }
}

#[derive(Args)]
pub struct Options {
    /// The number of demo leads, at most 1,000,000.
    #[arg(long, default_value_t = 100_000)]
    leads: u64,
    /// Measure only this load [default: list, patch and mixed].
    #[arg(long)]
    only: Option<Kind>,
    /// How long each load lasts; an import at most [default: 30, mixed and import 600].
    #[arg(long)]
    seconds: Option<u64>,
    /// Connections that send one request after the other [default: 16, patch 64].
    #[arg(long)]
    connections: Option<usize>,
    /// Clients that send or read slowly, in the second part of the mixed load.
    #[arg(long, default_value_t = 500)]
    slow_clients: usize,
    /// The number of lines to import.
    #[arg(long, default_value_t = 1_000_000)]
    lines: u64,
    /// The folder of the leads; filled if it is missing [default: in target, kept between runs].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Measure these programs in turn instead of building the service. Can be repeated.
    #[arg(long, value_name = "FILE")]
    program: Vec<PathBuf>,
    /// How often to measure each program.
    #[arg(long, default_value_t = 1)]
    runs: usize,
}

pub fn run(options: &Options) -> Result<()> {
    let driver = driver()?;
    let programs = match options.program.as_slice() {
        [] => vec![build::service()?],
        programs => programs.to_vec(),
    };
    let results = repo::target().join("xtask/bench");
    fs::create_dir_all(&results)?;
    let data = options.data.clone();
    let data = data.unwrap_or_else(|| results.join(format!("load-{}", options.leads)));
    let key = fill(&programs[0], &data, options.leads)?;
    let kinds = match options.only {
        Some(kind) => vec![kind],
        None => vec![Kind::List, Kind::Patch, Kind::Mixed],
    };
    print_head();
    let mut figures = Vec::new();
    for kind in kinds {
        for run in 0..options.runs {
            for program in &programs {
                let load = Load {
                    driver: &driver,
                    program,
                    data: &data,
                    key: &key,
                };
                let phases = match kind {
                    Kind::Import => load.with_import(options)?,
                    kind => load.measure(kind, options, &data, None)?,
                };
                for phase in phases.as_array().into_iter().flatten() {
                    print_phase(phase);
                }
                let program = program.to_string_lossy();
                figures.push(
                    json!({"program": program, "run": run, "kind": kind.name(), "phases": phases}),
                );
            }
        }
    }
    println!();
    save(
        &results.join("load.json"),
        &json!({"leads": options.leads, "loads": figures}),
    )
}

/// Builds the program that sends the requests.
fn driver() -> Result<PathBuf> {
    let mut build = setup::cargo();
    build.args(["build", "--release", "--locked", "--package", PACKAGE]);
    progress::run("load, build", &mut build)?
        .or_fail("The benchmark does not build; see the message above.")?;
    let program = format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX);
    Ok(repo::target().join("release").join(program))
}

struct Load<'a> {
    driver: &'a Path,
    program: &'a Path,
    data: &'a Path,
    key: &'a str,
}

impl Load<'_> {
    fn measure(
        &self,
        kind: Kind,
        options: &Options,
        data: &Path,
        file: Option<&Path>,
    ) -> Result<Value> {
        let service = Service::start(self.program, data, self.key)?;
        let out = repo::target().join("xtask/bench/load-phases.json");
        let mut driver = Command::new(self.driver);
        let seconds = options.seconds.unwrap_or(kind.seconds());
        let connections = options.connections.unwrap_or(kind.connections());
        driver
            .args([
                kind.name(),
                "--address",
                service.address(),
                "--key",
                self.key,
            ])
            .args(["--pid", &service.id().to_string()])
            .args(["--seconds", &seconds.to_string()])
            .args(["--connections", &connections.to_string()])
            .args(["--slow-clients", &options.slow_clients.to_string()])
            .arg("--out")
            .arg(&out);
        if let Some(file) = file {
            driver.arg("--file").arg(file);
        }
        progress::run(&format!("load: {}", kind.name()), &mut driver)?
            .or_fail("The load could not be measured.")?;
        service.stop()?;
        let phases = fs::read(&out).context("the driver wrote no figures")?;
        Ok(serde_json::from_slice(&phases)?)
    }

    /// Imports into a copy of the folder, so that later runs find it as it was.
    fn with_import(&self, options: &Options) -> Result<Value> {
        let results = repo::target().join("xtask/bench");
        let file = results.join(format!("import-{}.csv", options.lines));
        if !file.exists() {
            let mut export = Command::new(self.program);
            let lines = options.lines.to_string();
            export
                .args(["demo", "--seed", IMPORT_SEED, "--leads", &lines, "--to"])
                .arg(&file);
            progress::run("lines to import", &mut export)?
                .or_fail("The lines to import cannot be written.")?;
        }
        let copy = results.join("load-import");
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir_all(&copy)?;
        let database = "workspace.db";
        fs::copy(self.data.join(database), copy.join(database))?;
        let measured = self.measure(Kind::Import, options, &copy, Some(&file));
        fs::remove_dir_all(&copy)?;
        measured
    }
}

fn print_head() {
    println!(
        "| load | connections | requests/s | per CPU second of the service | p50 ms | p99 ms | most ms | errors | memory MB | CPU s of service / driver |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
}

fn print_phase(phase: &Value) {
    let name = phase["phase"].as_str().unwrap_or_default();
    if name == "stored" {
        println!(
            "\n{} changes were acknowledged, {} are not stored.",
            phase["acknowledged"], phase["lost"]
        );
        return;
    }
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let errors: u64 = phase["errors"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, count)| count.as_u64())
        .sum();
    let row = |name: &str, times: &Value| {
        let share = number(&times["requests"]) / number(&phase["requests"]);
        println!(
            "| {name} | {} | {:.0} | {:.0} | {:.1} | {:.1} | {:.0} | {errors} | {:.0} to {:.0} | {:.1} / {:.1} |",
            phase["connections"],
            share * number(&phase["per_second"]),
            share * number(&phase["requests"]) / number(&phase["service_seconds"]),
            number(&times["p50"]),
            number(&times["p99"]),
            number(&times["most"]),
            number(&phase["memory_settled"]) / f64::from(1 << 20),
            number(&phase["memory_end"]) / f64::from(1 << 20),
            number(&phase["service_seconds"]),
            number(&phase["driver_seconds"]),
        );
    };
    row(name, &phase["all"]);
    let kinds = phase["kinds"].as_object();
    for (kind, times) in kinds
        .into_iter()
        .flatten()
        .filter(|_| kinds.is_some_and(|kinds| kinds.len() > 1))
    {
        row(&format!("{name}: {kind}"), times);
    }
    if errors > 0 {
        println!("\nErrors of {name}: {}", phase["errors"]);
    }
    if phase["slow_answered"] != 0 || phase["slow_closed"] != 0 {
        println!(
            "\nSlow clients: {} responses arrived, {} connections were closed by the service.",
            phase["slow_answered"], phase["slow_closed"]
        );
    }
    if phase["import"].is_object() {
        println!("\nImport: {}", phase["import"]);
    }
}
