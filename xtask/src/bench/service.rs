//! `cargo xtask bench service`: the reads of the review screen at a million leads.
//!
//! Each read is timed when it is the first after a start of the service, then repeatedly, and right after a decision in
//! the same workspace and in another one. Other programs on the machine only make times longer, so the minimum says most.

pub(super) mod process;
mod read;
mod reads;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};

use self::process::{Service, fill};
use self::read::Read;
use self::reads::reads;
use super::database_server::DatabaseServer;
use crate::build::{self, Flavour};
use crate::repo;

/// Goals in milliseconds.
const WARM: f64 = 50.0;
const COLD: f64 = 150.0;
const WARM_FACETS: f64 = 20.0;

/// Goals in bytes.
const MEMORY: u64 = 512 << 20;
const FILE_PER_LEAD: u64 = 2500;

#[derive(Args)]
pub struct Options {
    /// The number of demo leads, at most 1,000,000.
    #[arg(long, default_value_t = 1_000_000)]
    leads: u64,
    /// How often to repeat each warm read.
    #[arg(long, default_value_t = 7)]
    runs: usize,
    /// Measure only the reads whose name contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Time each read also as the first after a start, which starts the service once for each read.
    #[arg(long)]
    cold: bool,
    /// With --cold: each start follows a kill of the service right after a decision.
    #[arg(long, requires = "cold")]
    killed: bool,
    /// The folder of the leads; filled if it is missing [default: in target, kept between runs].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Measure the service on a PostgreSQL server of its own, which is filled each time.
    #[arg(long, conflicts_with = "data")]
    postgres: bool,
    /// Measure this program instead of building the service.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Times of one read in milliseconds.
struct Times {
    cold: Option<f64>,
    warm: Vec<f64>,
    after_decision: Vec<f64>,
    after_other: Vec<f64>,
}

pub fn run(options: &Options) -> Result<()> {
    let program = options
        .program
        .clone()
        .map_or_else(|| build::service(Flavour::Release), Ok)?;
    let results = repo::target().join("xtask/bench");
    let data = options
        .data
        .clone()
        .unwrap_or_else(|| results.join(format!("service-{}", options.leads)));
    let database = options
        .postgres
        .then(|| DatabaseServer::start(&results.join("postgres")));
    let database = database.transpose()?;
    let key = match &database {
        Some(database) => database.fill(&program, options.leads)?,
        None => fill(&program, &data, options.leads)?,
    };
    let start = || match &database {
        Some(database) => database.serve(&program, &key, 0),
        None => Service::start(&program, &data, &key),
    };
    let mut service = start()?;
    let found = reads(&mut service)?;
    let found: Vec<Read> = found
        .into_iter()
        .filter(|read| read.name.contains(&options.only))
        .collect();
    ensure!(!found.is_empty(), "no read has that name");
    let mut measured = Vec::new();
    for read in &found {
        measured.push(warm(&mut service, read, options.runs)?);
    }
    let memory = service.memory();
    service.stop()?;
    if options.cold {
        for (read, times) in found.iter().zip(&mut measured) {
            if options.killed {
                // A service that is dropped is killed.
                start()?.decide("default")?;
            }
            let mut service = start()?;
            times.cold = Some(service.time(read)?);
            service.stop()?;
        }
    }
    let rows: Vec<Value> = found.iter().zip(&measured).map(row).collect();
    print_table(&rows);
    let (resident, peak) = memory;
    println!(
        "\nresident at the end {} MB, at most {} MB (goal {})",
        resident >> 20,
        peak >> 20,
        MEMORY >> 20,
    );
    let mut all = json!({
        "leads": options.leads, "runs": options.runs, "reads": rows,
        "resident": resident, "resident_peak": peak, "memory_goal": MEMORY,
    });
    if database.is_none() {
        let file = fs::metadata(data.join("workspace.db"))?.len();
        let per_lead = file / options.leads.max(1);
        println!("file {per_lead} B per lead (goal {FILE_PER_LEAD})");
        all["file_bytes_per_lead"] = per_lead.into();
        all["file_goal"] = FILE_PER_LEAD.into();
    }
    save(&results.join("service.json"), &all)
}

/// Times a read repeatedly: as it is, after a decision in its workspace, and after one in another.
fn warm(service: &mut Service, read: &Read, runs: usize) -> Result<Times> {
    service.time(read)?;
    let mut times = Times {
        cold: None,
        warm: Vec::new(),
        after_decision: Vec::new(),
        after_other: Vec::new(),
    };
    for _ in 0..runs {
        times.warm.push(service.time(read)?);
        service.decide("default")?;
        times.after_decision.push(service.time(read)?);
        service.decide("other")?;
        times.after_other.push(service.time(read)?);
    }
    Ok(times)
}

fn row((read, times): (&Read, &Times)) -> Value {
    let goal = if read.is_facets() { WARM_FACETS } else { WARM };
    let (warm, decision, other) = (
        summary(&times.warm),
        summary(&times.after_decision),
        summary(&times.after_other),
    );
    let met = [&warm, &decision, &other]
        .iter()
        .all(|(least, _)| *least <= goal);
    json!({
        "read": read.name, "cold": times.cold, "goal": goal, "cold_goal": COLD,
        "warm": [warm.0, warm.1],
        "after_decision": [decision.0, decision.1],
        "after_other": [other.0, other.1],
        "met": met && times.cold.is_none_or(|cold| cold <= COLD),
    })
}

/// Returns the minimum and the median.
fn summary(times: &[f64]) -> (f64, f64) {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let at = |index: usize| times.get(index).copied().unwrap_or(f64::NAN);
    (at(0), at(times.len() / 2))
}

fn print_table(rows: &[Value]) {
    println!("Milliseconds: minimum / median.\n");
    println!(
        "| read | first | warm | after a decision | after one in another workspace | goal | met |"
    );
    println!("|---|---:|---:|---:|---:|---:|---|");
    for row in rows {
        let pair = |name: &str| {
            let at = |index: usize| row[name][index].as_f64().unwrap_or(f64::NAN);
            format!("{:.1} / {:.1}", at(0), at(1))
        };
        let cold = row["cold"]
            .as_f64()
            .map_or_else(String::new, |cold| format!("{cold:.0}"));
        println!(
            "| {} | {cold} | {} | {} | {} | {} | {} |",
            row["read"].as_str().unwrap_or_default(),
            pair("warm"),
            pair("after_decision"),
            pair("after_other"),
            row["goal"],
            if row["met"] == true { "yes" } else { "no" },
        );
    }
}

pub(super) fn save(path: &Path, results: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(results)?;
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text).with_context(|| format!("{} cannot be written", repo::relative(path)))?;
    println!("all figures: {}", repo::relative(path));
    Ok(())
}
