//! `lead-workspace serve`: runs the service.

use std::io::{ErrorKind, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::database::DatabaseArgs;
use super::service_files::{self, ServiceFiles};
use super::stop_signal::stop_signal;
use super::{
    demo, gateway, import, logging, maintenance, message, network, notify, resources, tls,
};
use crate::http::{self, App, Limits, ServiceOptions};
use crate::scoring;
use crate::store::audit::Actor;
use crate::store::{INDEX_BYTES, Store};

/// How long threads may keep computing after the last request has ended.
const LAST_THREADS: Duration = Duration::from_secs(2);

/// Open connections to the address of the metrics.
const METRICS_CONNECTIONS: usize = 16;

#[derive(Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The port to listen on; 0 lets the system choose.
    #[arg(long, default_value_t = 8787)]
    port: u16,
    /// The address to listen on. Any address but a loopback one exposes the service to the network
    /// and requires TLS or --insecure-network.
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// Allow listening on the network without TLS, where others can read keys and leads. Not needed
    /// behind a reverse proxy with TLS on this machine.
    #[arg(long)]
    insecure_network: bool,
    /// Additional host name to accept in requests, besides localhost. Can be repeated.
    #[arg(long, value_name = "NAME", value_parser = network::host_name, value_delimiter = ',')]
    allow_host: Vec<String>,
    /// An origin whose pages may call the API, e.g. https://app.example. Can be repeated.
    #[arg(long, value_name = "URL", value_parser = network::origin, value_delimiter = ',')]
    allow_origin: Vec<String>,
    /// Address of another workspace that the UI may connect to, e.g. https://leads.example, or
    /// "any". Can be repeated [default: this service only].
    #[arg(long, value_name = "URL", value_parser = network::connection, value_delimiter = ',')]
    allow_connect: Vec<String>,
    /// The folder with the built UI.
    #[arg(long, value_name = "DIR")]
    ui: Option<PathBuf>,
    /// Maximum number of requests per second for each workspace [default: no limit].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rate_limit: Option<u32>,
    /// Memory for the index that answers lists and facets, in MiB. Columns that no read has used for longest are dropped,
    /// and read again when they are needed.
    #[arg(long, value_name = "MIB", default_value_t = (INDEX_BYTES >> 20) as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(32..=1_048_576))]
    index_memory: u32,
    /// With --database: a folder of this process alone where it saves its index, so that the next start need not load it
    /// from the database [default: not saved]. A data folder always has it.
    #[arg(long, value_name = "DIR")]
    index_dir: Option<PathBuf>,
    /// Fill an empty data folder with this many demo leads, and name its workspace.
    #[arg(long, value_name = "N", value_parser = demo::number_of_leads())]
    demo: Option<u64>,
    /// Import leads from a CSV, JSON, JSONL or Excel (.xlsx) file before serving.
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Open the UI in the browser.
    #[arg(long)]
    open: bool,
    /// Print the start key with the address even if the output is not a terminal, e.g. a log.
    #[arg(long)]
    print_key: bool,
    /// Do not create a start key, and revoke those of earlier starts; with --database, also those of other processes.
    #[arg(long)]
    no_start_key: bool,
    /// Serve metrics and probes at this address, e.g. 127.0.0.1:9464. They need no key.
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Seconds between a stop signal and the refusal of new connections. Meanwhile /readyz answers
    /// 503, so that a load balancer can react.
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=300))]
    stop_delay: u64,
    #[command(flatten)]
    tls: tls::TlsArgs,
    #[command(flatten)]
    log: logging::LogArgs,
    #[command(flatten)]
    maintenance: maintenance::MaintenanceArgs,
    #[command(flatten)]
    gateway: gateway::GatewayArgs,
}

impl ServeArgs {
    pub(super) fn run(self) -> Result<(), String> {
        self.log.start()?;
        let runtime = Runtime::new();
        let runtime = runtime.map_err(|error| format!("could not start the runtime: {error}"))?;
        let served = runtime.block_on(self.serve());
        // A thread that still computes for an abandoned request must not delay the exit.
        runtime.shutdown_timeout(LAST_THREADS);
        served
    }

    async fn serve(self) -> Result<(), String> {
        let tls = self.tls.load()?;
        network::may_listen(self.host, self.insecure_network || tls.is_some())?;
        let gateway = self.gateway.gateway()?;
        let is_shared = self.database.target().map_err(message)?.is_some();
        if self.index_dir.is_some() && !is_shared {
            return Err(
                "--index-dir is for --database; a data folder has its index already".into(),
            );
        }
        if let Some(ui) = &self.ui {
            check_ui(ui)?;
        }
        // Before --demo fills the folder.
        if let Some(file) = self.import.as_ref().filter(|file| !is_pipe(file)) {
            import::open(file)?;
        }
        let backup_lock = self.maintenance.check(is_shared)?;
        // Bind the port first: if it is taken, nothing has been changed yet.
        let address = SocketAddr::new(self.host, self.port);
        let (listener, address) = bind(address, "--port").await?;
        let metrics = match self.metrics {
            Some(address) => Some(bind(address, "--metrics").await?),
            None => None,
        };
        let mut limits = Limits::default();
        limits.connections = resources::connections(limits.connections);
        let store = self.database.open_with(self.index_dir.clone()).await;
        let store = store.map_err(message)?;
        store.limit_index((self.index_memory as usize) << 20);
        let memory = store.limit_memory(resources::SQLITE_MEMORY);
        memory.await.map_err(message)?;
        self.fill(&store).await?;
        let options = ServiceOptions {
            ui: self.ui.clone(),
            allow_hosts: self.allow_host.clone(),
            open_to_network: [Some(self.host), self.metrics.map(|address| address.ip())]
                .into_iter()
                .flatten()
                .any(|host| !host.is_loopback()),
            allow_origins: self.allow_origin.clone(),
            allow_connections: self.allow_connect.clone(),
            rate_limit: self.rate_limit,
            no_audit: !self.audit(),
            gateway: gateway.clone(),
            limits,
        };
        let key = self.start_key(&store).await?;
        let app = App::new(store.clone(), &options);
        let router = http::router(app.clone(), &options);
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{address}");
        let metrics_url = metrics
            .as_ref()
            .map(|(_, address)| format!("http://{address}/metrics"));
        let service_files =
            ServiceFiles::make(store.dir(), &url, metrics_url.as_deref()).map_err(message)?;
        let metrics = metrics.map(|(listener, _)| {
            let router = http::metrics_router(app.clone(), &options);
            let limits = Limits {
                connections: METRICS_CONNECTIONS,
                ..options.limits
            };
            // It answers until the process ends, so that a probe sees the stop.
            let forever = std::future::pending();
            tokio::spawn(http::accept_loop::serve(listener, router, limits, forever))
        });
        let stop_signal = stop_signal();
        notify::ready();
        self.print_ready(&service_files, &url, key.as_deref())?;
        let (stop, stopping) = watch::channel(false);
        tokio::spawn(warm_up(store.clone(), stop_requested(stopping.clone())));
        let maintenance =
            self.maintenance
                .spawn(store.clone(), backup_lock, stop_requested(stopping.clone()));
        // A gateway does not score.
        let worker = gateway
            .is_none()
            .then(|| scoring::spawn_worker(store.clone(), stop_requested(stopping.clone())));
        let delay = Duration::from_secs(self.stop_delay);
        tokio::spawn(async move {
            stop_signal.await;
            app.begin_stop();
            notify::stopping();
            tokio::time::sleep(delay).await;
            let _ = stop.send(true);
        });
        let serving = http::accept_loop::serve_tls(
            listener,
            router,
            options.limits,
            tls.clone(),
            stop_requested(stopping),
        );
        tokio::select! {
            () = serving => {}
            // These two never return.
            () = self.gateway.follow_key(gateway.as_ref()) => {}
            () = tls::follow_files(tls.as_ref()) => {}
        }
        let _ = maintenance.await;
        // A panic of the worker was printed when it happened; its job resumes at the next start.
        if let Some(worker) = worker {
            let _ = worker.await;
        }
        if let Some(metrics) = metrics {
            metrics.abort();
            let _ = metrics.await;
        }
        // That of a data folder is kept for the next start.
        if let Some(key) = key.filter(|_| store.dir().is_none())
            && let Err(error) = service_files::revoke_start_key(&store, &key).await
        {
            tracing::warn!("could not revoke the start key of this process: {error}");
        }
        Ok(())
    }

    /// Whether changes are recorded in the audit log.
    fn audit(&self) -> bool {
        self.maintenance.audit_days > 0
    }

    /// Returns the start key. A process on a shared database has one only if it shows it.
    async fn start_key(&self, store: &Store) -> Result<Option<String>, String> {
        let made = match store.dir() {
            _ if self.no_start_key => service_files::remove_start_key(store).await.map(|()| None),
            Some(dir) => service_files::start_key(store, dir).await.map(Some),
            None if self.prints_key() || self.open => {
                service_files::new_start_key(store).await.map(Some)
            }
            None => Ok(None),
        };
        made.map_err(message)
    }

    /// Output that is not a terminal may be a log, which others can read.
    fn prints_key(&self) -> bool {
        self.print_key || std::io::stdout().is_terminal()
    }

    /// Prints the address, and opens the UI in the browser with `--open`.
    fn print_ready(
        &self,
        service_files: &ServiceFiles,
        url: &str,
        key: Option<&str>,
    ) -> Result<(), String> {
        let with_key = match key {
            Some(key) => format!("{url}/#key={key}"),
            None => format!("{url}/"),
        };
        let shown = match self.prints_key() {
            true => with_key.clone(),
            false => format!("{url}/"),
        };
        // The reader of this line may be at the other end of a pipe. Without a reader the service works, too.
        let mut output = std::io::stdout();
        if let Err(error) = writeln!(output, "ready {shown}").and_then(|()| output.flush()) {
            tracing::warn!("ready, but the address cannot be printed ({error}): {url}/");
        }
        if self.open {
            super::browser::open(&service_files.start_page(&with_key).map_err(message)?);
        }
        Ok(())
    }

    async fn fill(&self, store: &Store) -> Result<(), String> {
        if let Some(leads) = self.demo {
            demo::fill_empty(store, leads, self.audit())
                .await
                .map_err(message)?;
        }
        if let Some(file) = &self.import {
            import::into_store(store, file, self.audit().then(Actor::command)).await?;
        }
        Ok(())
    }
}

/// Whether a file is a pipe or a device: what is read from it cannot be read again.
fn is_pipe(file: &Path) -> bool {
    file.exists() && !file.is_file() && !file.is_dir()
}

/// Refuses a folder that is not that of the UI: all files of another one would be read, and no page be served.
fn check_ui(dir: &Path) -> Result<(), String> {
    let page = dir.join("index.html");
    if page.is_file() {
        return Ok(());
    }
    Err(format!(
        "--ui {} is not the folder of the UI: there is no {}. Nothing was started. Correct the path, build the UI \
         (cargo xtask build), or omit --ui to serve the API alone",
        dir.display(),
        page.display()
    ))
}

/// Loads the index ahead. Meanwhile, reads load what they need.
async fn warm_up(store: Store, stop: impl Future<Output = ()>) {
    tokio::select! {
        () = stop => {}
        warmed = store.warm_up() => {
            if let Err(error) = warmed {
                tracing::warn!(%error, "could not load the index ahead; reads load what they need");
            }
        }
    }
}

/// Listens on an address, which `option` set. Also returns the address with the port that the system
/// chose.
async fn bind(address: SocketAddr, option: &str) -> Result<(TcpListener, SocketAddr), String> {
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| bind_error(address, option, &error))?;
    let address = listener.local_addr().map_err(message)?;
    Ok((listener, address))
}

fn bind_error(address: SocketAddr, option: &str, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => format!(
            "{address} is in use by another program. Nothing was changed. \
             Stop that program, or choose another port with {option} (0 lets the system choose)"
        ),
        ErrorKind::PermissionDenied => format!(
            "no permission to listen on {address}. Nothing was changed. \
             Choose a port above 1023 with {option}"
        ),
        _ => format!(
            "cannot listen on {address}: {error}. Nothing was changed. Check --host and {option}"
        ),
    }
}

async fn stop_requested(mut stopping: watch::Receiver<bool>) {
    // A dropped sender means stop, too.
    let _ = stopping.wait_for(|stop| *stop).await;
}
