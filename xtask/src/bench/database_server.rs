//! A PostgreSQL server that is measured together with the service.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Error, Result};
use lead_workspace_test_postgres::{Cluster, DURABLE, Database, Server};

use crate::bench::service::process::{Service, fill_at};
use crate::progress;
use crate::setup::citus;

/// A quarter of the memory is what PostgreSQL advises; this holds the leads of the benchmark.
const MEMORY: [&str; 2] = ["-c", "shared_buffers=1GB"];

fn options() -> Vec<&'static str> {
    [&DURABLE[..], &MEMORY].concat()
}

pub struct DatabaseServer {
    dir: PathBuf,
    url_file: PathBuf,
    database: Database,
}

impl DatabaseServer {
    /// Starts a server with an empty database, whose changes reach the disk. It ends with this program.
    pub fn start(dir: &Path) -> Result<Self> {
        let server = Server::start_with(&options()).map_err(Error::msg)?;
        let server: &'static Server = Box::leak(Box::new(server));
        Self::with(server.empty_database(), dir)
    }

    /// Starts three servers with Citus, and distributes the tables.
    pub fn start_with_citus(dir: &Path, program: &Path) -> Result<Self> {
        citus::ensure()?;
        let cluster = Cluster::start_with(&options()).map_err(Error::msg)?;
        Self::distributed(Box::leak(Box::new(cluster)), dir, program)
    }

    /// Distributes the tables over servers that have started.
    pub fn distributed(cluster: &'static Cluster, dir: &Path, program: &Path) -> Result<Self> {
        let server = Self::with(cluster.empty_database(), dir)?;
        let mut distribute = Command::new(program);
        distribute
            .args(["distribute", "--database-file"])
            .arg(&server.url_file);
        progress::run("distribute", &mut distribute)?.or_fail("It was not distributed.")?;
        Ok(server)
    }

    fn with(database: Database, dir: &Path) -> Result<Self> {
        let _ = fs::remove_dir_all(dir);
        fs::create_dir_all(dir)?;
        let url_file = dir.join("database-url");
        fs::write(&url_file, database.url())?;
        Ok(Self {
            dir: dir.to_owned(),
            url_file,
            database,
        })
    }

    /// Fills the database with demo leads, and returns a key.
    pub fn fill(&self, program: &Path, leads: u64) -> Result<String> {
        let place = ["--database-file".as_ref(), self.url_file.as_os_str()];
        fill_at(program, place, &self.dir, leads)
    }

    pub fn database_name(&self) -> &str {
        self.database.name()
    }

    /// Makes empty workspaces besides the default one, up to a number, and returns a key for all.
    pub fn workspaces(&self, program: &Path, count: usize) -> Result<String> {
        let mut create = Command::new(program);
        create
            .args(["keys", "create", "--make-tenant", "--tenant", "default"])
            .args((1..count).flat_map(|at| ["--tenant".to_owned(), format!("team-{at}")]))
            .arg("--database-file")
            .arg(&self.url_file);
        let created =
            progress::run("workspaces", &mut create)?.or_fail("They were not created.")?;
        let key = created.output.lines().find(|line| line.starts_with("lwk_"));
        Ok(key.context("`keys create` printed no key")?.to_owned())
    }

    /// Starts a process of the service.
    pub fn serve(&self, program: &Path, key: &str, number: usize) -> Result<Service> {
        let index = self.dir.join(format!("process-{number}"));
        let place = ["--database-file".as_ref(), self.url_file.as_os_str()];
        let options = [&place[..], &["--index-dir".as_ref(), index.as_os_str()]].concat();
        Service::start_with(program, key, &options)
    }
}
