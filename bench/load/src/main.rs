//! Sends requests to a running service over connections that stay open, and measures the answers. It
//! runs on one thread and does little for each request, because it shares the processor with the service.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime;

use crate::clients::run_clients;
use crate::import::Import;
use crate::phase::Load;
use crate::process::Processes;
use crate::requests::{Mix, Requests};
use crate::workspace::Workspace;

mod clients;
mod connection;
mod import;
mod outcome;
mod phase;
mod process;
mod requests;
mod slow;
mod streams;
mod workspace;

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    List,
    Patch,
    Mixed,
    ImportAlone,
    Import,
    Streams,
}

#[derive(Parser)]
struct Arguments {
    kind: Kind,
    /// Can be repeated: clients use the processes of a service in turn.
    #[arg(long, required = true)]
    address: Vec<SocketAddr>,
    #[arg(long)]
    key: String,
    /// The process id of the service, whose processor time and memory are read. Can be repeated.
    #[arg(long)]
    pid: Vec<u32>,
    #[arg(long)]
    connections: usize,
    #[arg(long)]
    seconds: u64,
    /// Clients that send and read slowly, during the second part of the mixed load.
    #[arg(long, default_value_t = 500)]
    slow_clients: usize,
    /// Idle streams of changes, during the second part of that load.
    #[arg(long, default_value_t = 1000)]
    streams: usize,
    /// The file that is imported.
    #[arg(long)]
    file: Option<PathBuf>,
    /// The workspace that it is imported into. The other requests are about the default one.
    #[arg(long, default_value = "other")]
    workspace: String,
    /// The file for the figures.
    #[arg(long)]
    out: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    // For many streams.
    #[cfg(unix)]
    rlimit::increase_nofile_limit(u64::MAX)?;
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let phases = runtime.block_on(measure(&arguments))?;
    fs::write(&arguments.out, serde_json::to_vec(&phases)?)?;
    Ok(())
}

async fn measure(arguments: &Arguments) -> Result<Vec<Value>> {
    // Before other requests, whose memory the streams could use again.
    let idle = match arguments.kind {
        Kind::Streams => Some(IdleStreams::open(arguments).await?),
        _ => None,
    };
    let workspace = Workspace::read(arguments.address[0], &arguments.key, usize::MAX).await?;
    let requests = Requests::new(&workspace, &arguments.key);
    let driver = Driver {
        arguments,
        requests,
    };
    let time = Duration::from_secs(arguments.seconds);
    let mut phases = Vec::new();
    match arguments.kind {
        Kind::List => {
            phases.push(
                driver
                    .phase("list, all pages", Mix::AnyPage, 0, time)
                    .await?,
            );
            phases.push(
                driver
                    .phase("list, first pages", Mix::FirstPages, 0, time)
                    .await?,
            );
        }
        Kind::Patch => phases.push(driver.phase("patch", Mix::Patch, 0, time).await?),
        Kind::Mixed => {
            let base = (time / 5).max(Duration::from_secs(10)).min(time);
            phases.push(driver.phase("mixed", Mix::Review, 0, base).await?);
            let slow = arguments.slow_clients;
            let name = format!("mixed, {slow} slow clients");
            phases.push(driver.phase(&name, Mix::Review, slow, time).await?);
        }
        Kind::Import => {
            let base = Duration::from_secs(10).min(time);
            phases.push(driver.phase("mixed", Mix::Review, 0, base).await?);
            phases.push(driver.with_import("mixed, during an import", time).await?);
        }
        Kind::Streams => {
            let name = format!("mixed, {} idle streams", arguments.streams);
            phases.push(driver.with_stream(&name, time).await?);
            let memory = idle.map(|idle| idle.bytes);
            phases.push(
                json!({"phase": "idle streams", "streams": arguments.streams, "bytes": memory}),
            );
            phases.push(driver.with_stream("mixed, one stream", time).await?);
        }
        Kind::ImportAlone => {
            phases.push(driver.with_import("import alone", time).await?);
            return Ok(phases);
        }
    }
    let leads = workspace.leads.len();
    let stored = Workspace::read(arguments.address[0], &arguments.key, leads).await?;
    let (acknowledged, lost) = driver.requests.compare(&stored);
    phases.push(json!({"phase": "stored", "acknowledged": acknowledged, "lost": lost}));
    Ok(phases)
}

struct Driver<'a> {
    arguments: &'a Arguments,
    requests: Requests,
}

impl Driver<'_> {
    async fn phase(&self, name: &str, mix: Mix, slow: usize, time: Duration) -> Result<Value> {
        let started = Instant::now();
        self.run(name, mix, slow, &|| started.elapsed() >= time)
            .await
    }

    /// Runs the mixed load, and measures when a stream of the last process reports its decisions.
    async fn with_stream(&self, name: &str, time: Duration) -> Result<Value> {
        let arguments = self.arguments;
        let address = arguments.address[arguments.address.len() - 1];
        let started = Instant::now();
        let ended = || started.elapsed() >= time;
        let told = &self.requests.told;
        told.take();
        // First, because it reports only what happens from now on.
        let stream = streams::open(address, &arguments.key, "default").await?;
        let (phase, followed) = tokio::join!(
            self.run(name, Mix::Review, 0, &ended),
            streams::follow(stream, told, &ended),
        );
        followed?;
        let mut phase = phase?;
        let (mut micros, missing) = told.take().figures();
        phase["told"] = outcome::milliseconds(&mut micros);
        phase["told"]["missing"] = json!(missing);
        Ok(phase)
    }

    /// Imports a file next to the mixed load, if there are connections for it. Ends with the import, or after the time if it takes longer.
    async fn with_import(&self, name: &str, time: Duration) -> Result<Value> {
        let arguments = self.arguments;
        let file = arguments
            .file
            .clone()
            .context("there is no file to import")?;
        let workspace = &arguments.workspace;
        let import = Import::start(arguments.address[0], &arguments.key, workspace, file);
        let started = Instant::now();
        let ended = || import.has_ended() || started.elapsed() >= time;
        let mut phase = self.run(name, Mix::Review, 0, &ended).await?;
        phase["import"] = import.result()?;
        Ok(phase)
    }

    async fn run(
        &self,
        name: &str,
        mix: Mix,
        slow: usize,
        ended: &dyn Fn() -> bool,
    ) -> Result<Value> {
        let service = Processes::of(&self.arguments.pid);
        let database = || Processes::named("postgres").seconds();
        let before = (service.seconds(), Processes::own().seconds(), database());
        let load = Load {
            addresses: self.arguments.address.clone(),
            connections: self.arguments.connections,
            slow,
            mix,
        };
        eprintln!("{name}");
        let started = Instant::now();
        let outcome = run_clients(&self.requests, &load, &service, ended).await;
        let seconds = started.elapsed().as_secs_f64();
        let mut phase = outcome.figures(seconds);
        phase["phase"] = json!(name);
        phase["connections"] = json!(load.connections);
        phase["service_seconds"] = json!(service.seconds() - before.0);
        phase["driver_seconds"] = json!(Processes::own().seconds() - before.1);
        phase["database_seconds"] = json!(database() - before.2);
        Ok(phase)
    }
}

/// The memory of a service that does not grow for this long is that of an idle one.
const QUIET: Duration = Duration::from_secs(3);

/// Idle streams of another workspace than that of the load, and the memory that they take in the service.
struct IdleStreams {
    _open: Vec<TcpStream>,
    bytes: u64,
}

impl IdleStreams {
    async fn open(arguments: &Arguments) -> Result<Self> {
        let (addresses, key) = (&arguments.address, &arguments.key);
        let service = Processes::of(&arguments.pid);
        // The first one starts what all of them share.
        let first = streams::open_idle(addresses, key, &arguments.workspace, 1).await?;
        // After its start, a service reads the columns of large workspaces.
        let mut before = service.memory();
        loop {
            tokio::time::sleep(QUIET).await;
            let after = service.memory();
            if after <= before {
                break;
            }
            before = after;
        }
        let count = arguments.streams;
        let open = streams::open_idle(addresses, key, &arguments.workspace, count).await?;
        drop(first);
        Ok(Self {
            _open: open,
            bytes: service.memory().saturating_sub(before),
        })
    }
}
