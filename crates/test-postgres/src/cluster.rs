//! Servers with the extension Citus: a coordinator, which is asked, and workers, which have the rows.
//!
//! They find each other by the folders of their sockets. A database has the same name on each. A copy of one is a copy
//! on each server, because what Citus knows of its tables is in the database itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::programs::{MISSING, programs};
use crate::server::PORT;
use crate::{Database, Server};

/// What to tell if [`citus`] finds nothing.
pub const CITUS_MISSING: &str =
    "The extension Citus is missing. `cargo xtask test --only citus` says how to install it";

/// Workers that a cluster starts with.
const WORKERS: usize = 2;

/// A database with the extension, which knows the workers. It has no tables.
const CONNECTED: &str = "connected";

/// The one that [`Cluster::database`] copies.
const PREPARED: &str = "prepared";

const OPTIONS: [&str; 7] = [
    "shared_preload_libraries=citus",
    "max_prepared_transactions=200",
    // Each database has processes of Citus.
    "max_worker_processes=64",
    "citus.shard_count=8",
    // Shards are moved while they are written.
    "wal_level=logical",
    "citus.enable_statistics_collection=off",
    // Tests look into changes by them.
    "citus.enable_unsafe_triggers=on",
];

/// Returns the file of the extension, if it is installed for the newest PostgreSQL.
pub fn citus() -> Option<PathBuf> {
    let output = Command::new(programs()?.join("pg_config"))
        .arg("--sharedir")
        .output();
    let dir = String::from_utf8(output.ok()?.stdout).ok()?;
    let file = Path::new(dir.trim()).join("extension/citus.control");
    file.is_file().then_some(file)
}

pub struct Cluster {
    coordinator: Server,
    workers: Vec<Server>,
    /// See [`add_worker`](Self::add_worker).
    added: OnceLock<Server>,
    /// Options of the servers.
    options: Vec<String>,
    connected: OnceLock<()>,
    prepared: OnceLock<()>,
    databases: AtomicU32,
}

impl Cluster {
    /// Returns the cluster of this program, and starts it first if that has not been done.
    ///
    /// # Panics
    /// When PostgreSQL or Citus is not installed, or a server does not start.
    pub fn shared() -> &'static Self {
        static CLUSTER: OnceLock<Cluster> = OnceLock::new();
        CLUSTER.get_or_init(|| Self::start_with(&[]).unwrap_or_else(|error| panic!("{error}")))
    }

    /// Starts another cluster, for tests that stop its servers. `options` are those of the program `postgres`, and
    /// override those of tests.
    ///
    /// # Errors
    /// Same as [`shared`](Self::shared).
    pub fn start_with(options: &[&str]) -> Result<Self, String> {
        Self::start_of(WORKERS, options)
    }

    /// Like [`start_with`](Self::start_with), with another number of workers.
    ///
    /// # Errors
    /// Same as [`shared`](Self::shared).
    pub fn start_of(workers: usize, options: &[&str]) -> Result<Self, String> {
        programs().ok_or(MISSING)?;
        citus().ok_or(CITUS_MISSING)?;
        let coordinator = start_server(options)?;
        let workers = (0..workers).map(|_| start_server(options));
        Ok(Self {
            coordinator,
            workers: workers.collect::<Result<_, _>>()?,
            added: OnceLock::new(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            connected: OnceLock::new(),
            prepared: OnceLock::new(),
            databases: AtomicU32::new(0),
        })
    }

    pub fn coordinator(&self) -> &Server {
        &self.coordinator
    }

    pub fn workers(&self) -> Vec<&Server> {
        self.workers.iter().chain(self.added.get()).collect()
    }

    /// Adds a worker to a database, once. Returns it with the name by which Citus knows it.
    ///
    /// # Panics
    /// When that fails.
    pub fn add_worker(&self, database: &Database) -> (&Server, String) {
        let server = self.added.get_or_init(|| {
            let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
            start_server(&options).unwrap_or_else(|error| panic!("{error}"))
        });
        let name = server.dir().display().to_string();
        // Citus sets up the others there, too.
        let all = "SELECT datname FROM pg_database WHERE datname NOT LIKE 'template%' AND datname <> 'postgres'";
        for name in self.coordinator.sql("postgres", all).lines() {
            server.run("createdb", &["--template", "template0", name]);
        }
        server.sql(&database.name, "CREATE EXTENSION citus");
        database.sql(&format!("SELECT citus_add_node('{name}', {PORT})"));
        (server, name)
    }

    /// Makes a database for one test; see [`Server::database`].
    ///
    /// # Panics
    /// When that fails.
    pub fn database(&'static self, prepare: fn(&str)) -> Database {
        self.prepared.get_or_init(|| {
            self.copy(self.connected(), PREPARED);
            prepare(&self.coordinator.url(PREPARED));
            self.close(PREPARED);
        });
        self.copy_of(PREPARED)
    }

    /// Makes a database without tables.
    ///
    /// # Panics
    /// When that fails.
    pub fn empty_database(&'static self) -> Database {
        self.copy_of(self.connected())
    }

    fn connected(&self) -> &'static str {
        self.connected.get_or_init(|| {
            self.copy("template0", CONNECTED);
            for server in self.servers() {
                server.sql(CONNECTED, "CREATE EXTENSION citus");
            }
            let dir = |server: &Server| server.dir().display().to_string();
            let host = dir(&self.coordinator);
            let add = format!("SELECT citus_set_coordinator_host('{host}', {PORT})");
            self.coordinator.sql(CONNECTED, &add);
            for worker in &self.workers {
                let add = format!("SELECT citus_add_node('{}', {PORT})", dir(worker));
                self.coordinator.sql(CONNECTED, &add);
            }
            self.close(CONNECTED);
        });
        CONNECTED
    }

    fn servers(&self) -> impl Iterator<Item = &Server> {
        std::iter::once(&self.coordinator).chain(&self.workers)
    }

    fn copy(&self, template: &str, name: &str) {
        for server in self.servers() {
            server.run("createdb", &["--template", template, name]);
        }
    }

    /// Ends what is connected to a database, such as processes of Citus, and lets nothing else connect: otherwise it cannot
    /// be copied.
    fn close(&self, database: &str) {
        let close = format!("ALTER DATABASE {database} ALLOW_CONNECTIONS false");
        let end = format!(
            "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE datname = '{database}'"
        );
        for server in self.servers() {
            server.sql("postgres", &close);
            server.sql("postgres", &end);
        }
    }

    fn copy_of(&'static self, template: &str) -> Database {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        self.copy(template, &name);
        Database {
            server: &self.coordinator,
            workers: &self.workers,
            name,
        }
    }
}

fn start_server(options: &[&str]) -> Result<Server, String> {
    let of_citus = OPTIONS.iter().flat_map(|option| ["-c", option]);
    let all: Vec<&str> = of_citus.chain(options.iter().copied()).collect();
    let server = Server::start_with(&all)?;
    // By default, a server looks for itself at "localhost".
    let dir = server.dir().display();
    let itself = format!("ALTER SYSTEM SET citus.local_hostname = '{dir}'");
    server.sql("postgres", &itself);
    server.sql("postgres", "SELECT pg_reload_conf()");
    Ok(server)
}
