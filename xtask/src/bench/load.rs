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

use super::database_server::DatabaseServer;
use super::service::process::{Service, fill};
use super::service::save;
use crate::build::{self, Flavour};
use crate::{progress, repo, setup};

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
    /// An import alone, and the mixed load during an import.
    Import,
    /// The mixed load with idle streams of changes and without; and when a stream tells of its decisions.
    Streams,
}

/// What is sent, and what is imported meanwhile.
#[derive(Clone, Copy)]
struct Phases<'a> {
    kind: &'a str,
    connections: usize,
    seconds: u64,
    file: Option<&'a Path>,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Patch => "patch",
            Self::Mixed => "mixed",
            Self::Import => "import",
            Self::Streams => "streams",
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
            Self::List | Self::Patch | Self::Streams => 30,
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
    /// Idle streams of changes, in the first part of that load.
    #[arg(long, default_value_t = 1000)]
    streams: usize,
    /// The number of lines to import.
    #[arg(long, default_value_t = 1_000_000)]
    lines: u64,
    /// Import into the workspace of the other requests, not into another one.
    #[arg(long)]
    same_workspace: bool,
    /// The folder of the leads; filled if it is missing [default: in target, kept between runs].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Measure so many processes of the service on a PostgreSQL database, instead of one on a folder.
    #[arg(long, value_name = "N", conflicts_with = "data")]
    processes: Option<usize>,
    /// Then measure the same with Citus: a coordinator and two workers.
    #[arg(long, requires = "processes")]
    citus: bool,
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
        [] => vec![build::service(Flavour::Release)?],
        programs => programs.to_vec(),
    };
    let results = repo::target().join("xtask/bench");
    fs::create_dir_all(&results)?;
    let data = options.data.clone();
    let data = data.unwrap_or_else(|| results.join(format!("load-{}", options.leads)));
    let dir = results.join("load-server");
    let mut places = Vec::new();
    if options.processes.is_none() {
        places.push(("folder", None, fill(&programs[0], &data, options.leads)?));
    } else {
        let server = DatabaseServer::start(&dir)?;
        let key = server.fill(&programs[0], options.leads)?;
        places.push(("PostgreSQL", Some(server), key));
    }
    if options.citus {
        let server = DatabaseServer::start_with_citus(&dir.with_extension("citus"), &programs[0])?;
        let key = server.fill(&programs[0], options.leads)?;
        places.push(("Citus", Some(server), key));
    }
    let kinds = match options.only {
        Some(kind) => vec![kind],
        None => vec![Kind::List, Kind::Patch, Kind::Mixed],
    };
    print_head();
    let mut figures = Vec::new();
    for kind in kinds {
        for run in 0..options.runs {
            for (program, (place, server, key)) in each_on_each(&programs, &places) {
                if options.citus {
                    println!("\n{place}:");
                }
                let load = Load {
                    driver: &driver,
                    program,
                    data: &data,
                    server: server.as_ref(),
                    key,
                };
                let phases = match kind {
                    Kind::Import => load.imports(options)?,
                    kind => load.measure(&data, options, Phases::of(kind, options))?,
                };
                for phase in phases.as_array().into_iter().flatten() {
                    print_phase(phase);
                }
                let program = program.to_string_lossy();
                figures.push(
                    json!({"program": program, "place": place, "run": run, "kind": kind.name(), "phases": phases}),
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

fn each_on_each<'a, T, U>(some: &'a [T], others: &'a [U]) -> impl Iterator<Item = (&'a T, &'a U)> {
    let with_each = |one| others.iter().map(move |other| (one, other));
    some.iter().flat_map(with_each)
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
    server: Option<&'a DatabaseServer>,
    key: &'a str,
}

impl<'a> Phases<'a> {
    fn of(kind: Kind, options: &Options) -> Self {
        Self {
            kind: kind.name(),
            connections: options.connections.unwrap_or(kind.connections()),
            seconds: options.seconds.unwrap_or(kind.seconds()),
            file: None,
        }
    }
}

impl Load<'_> {
    fn measure(&self, data: &Path, options: &Options, phases: Phases<'_>) -> Result<Value> {
        let services = match self.server {
            Some(server) => (1..=options.processes.unwrap_or(1))
                .map(|number| server.serve(self.program, self.key, number))
                .collect::<Result<Vec<_>>>()?,
            None => vec![Service::start(self.program, data, self.key)?],
        };
        let out = repo::target().join("xtask/bench/load-phases.json");
        let mut driver = Command::new(self.driver);
        driver
            .args([phases.kind, "--key", self.key])
            .args(["--seconds", &phases.seconds.to_string()])
            .args(["--connections", &phases.connections.to_string()])
            .args(["--slow-clients", &options.slow_clients.to_string()])
            .args(["--streams", &options.streams.to_string()])
            .arg("--out")
            .arg(&out);
        for service in &services {
            driver.args(["--address", service.address()]);
            driver.args(["--pid", &service.id().to_string()]);
        }
        if let Some(file) = phases.file {
            driver.arg("--file").arg(file);
        }
        if options.same_workspace {
            driver.args(["--workspace", "default"]);
        }
        progress::run(&format!("load: {}", phases.kind), &mut driver)?
            .or_fail("The load could not be measured.")?;
        services.into_iter().try_for_each(Service::stop)?;
        let phases = fs::read(&out).context("the driver wrote no figures")?;
        Ok(serde_json::from_slice(&phases)?)
    }

    /// Imports twice, each time into a copy of the folder, so that all imports find it as it was.
    fn imports(&self, options: &Options) -> Result<Value> {
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
        let during = Phases {
            file: Some(&file),
            ..Phases::of(Kind::Import, options)
        };
        let alone = Phases {
            kind: "import-alone",
            connections: 0,
            ..during
        };
        let mut measured = Vec::new();
        for phases in [alone, during] {
            let copy = results.join("load-import");
            let _ = fs::remove_dir_all(&copy);
            fs::create_dir_all(&copy)?;
            let database = "workspace.db";
            fs::copy(self.data.join(database), copy.join(database))?;
            let phases = self.measure(&copy, options, phases);
            fs::remove_dir_all(&copy)?;
            measured.extend(phases?.as_array().cloned().unwrap_or_default());
        }
        Ok(Value::Array(measured))
    }
}

fn print_head() {
    println!(
        "| load | connections | requests/s | per CPU second of the service | p50 ms | p99 ms | most ms | errors | memory MB | CPU s of service / driver / PostgreSQL |"
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
    if let Some(streams) = phase["streams"].as_u64() {
        let megabytes = number(&phase["bytes"]) / 1e6;
        println!("\n{streams} idle streams take {megabytes:.1} MB.");
        return;
    }
    let errors: u64 = phase["errors"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, count)| count.as_u64())
        .sum();
    let row = |name: &str, times: &Value| {
        let share = number(&times["requests"]) / number(&phase["requests"]);
        println!(
            "| {name} | {} | {:.0} | {:.0} | {:.1} | {:.1} | {:.0} | {errors} | {:.0} to {:.0} | {:.1} / {:.1} / {:.1} |",
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
            number(&phase["database_seconds"]),
        );
    };
    if phase["requests"] != 0 {
        row(name, &phase["all"]);
    }
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
    let told = &phase["told"];
    if told.is_object() {
        println!(
            "\n{name}: a stream reported {} decisions, in ms after the request was sent: p50 {:.1}, p99 {:.1}, most {:.0}; {} were not reported.",
            told["requests"],
            number(&told["p50"]),
            number(&told["p99"]),
            number(&told["most"]),
            told["missing"],
        );
    }
    print_import(name, &phase["import"]);
}

fn print_import(phase: &str, import: &Value) {
    if import["is_complete"] == false {
        println!("\nThe import of the phase \"{phase}\" had not ended.");
    }
    let Some(seconds) = import["seconds"].as_f64() else {
        return;
    };
    let counts = &import["report"]["counts"];
    let lines: u64 = counts
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, count)| count.as_u64())
        .sum();
    println!(
        "\n{phase}: {lines} lines in {seconds:.1} s, {:.0} lines/s: {counts}",
        lines as f64 / seconds
    );
}
