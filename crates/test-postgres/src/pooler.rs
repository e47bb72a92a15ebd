//! PgBouncer in front of a server.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use crate::Database;
use crate::server::{as_user, free_port};

/// Where Debian installs it, which is not on the PATH of every user.
const DEBIAN: &str = "/usr/sbin";

/// What to tell if [`pgbouncer`] finds nothing.
pub const NO_PGBOUNCER: &str = "PgBouncer is missing. Install it, then try again:\n    \
    sudo apt-get install pgbouncer\n    \
    or have the program on the PATH";

/// Returns the program, if it is installed.
pub fn pgbouncer() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).chain([DEBIAN.into()]);
    folders.find_map(|dir| Some(dir.join("pgbouncer")).filter(|program| program.is_file()))
}

/// PgBouncer in transaction mode, with three connections to each database. It ends when this is dropped, or with the
/// program.
pub struct Pooler {
    process: Child,
    port: u16,
}

impl Pooler {
    /// Starts it in front of the server of a database.
    ///
    /// # Panics
    /// When PgBouncer is not installed, or does not start.
    pub fn start(database: &Database) -> Self {
        let pgbouncer = pgbouncer().unwrap_or_else(|| panic!("{NO_PGBOUNCER}"));
        let server = database.server;
        let port = free_port().unwrap_or_else(|error| panic!("{error}"));
        let mut command = as_user();
        command
            .args(["sh", "-c", include_str!("pooler.sh"), "sh"])
            .args([&pgbouncer, server.programs(), server.dir()])
            .arg(port.to_string())
            .current_dir(Path::new("/"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let spawned = server.set_env(&mut command).spawn();
        let mut process =
            spawned.unwrap_or_else(|error| panic!("PgBouncer cannot be started: {error}"));
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            // If it cannot be read, the errors below say why.
            let _ = BufReader::new(output).read_line(&mut line);
        }
        if line.is_empty()
            && let Some(errors) = &mut process.stderr
        {
            let _ = errors.read_to_string(&mut line);
            panic!("PgBouncer did not start: {}", line.trim());
        }
        Self { process, port }
    }

    /// Returns the URL of a database behind it.
    pub fn url(&self, database: &Database) -> String {
        format!("postgres://test@127.0.0.1:{}/{}", self.port, database.name)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.process.stdin = None;
        // It is gone then. There is nothing else to learn from it.
        let _ = self.process.wait();
    }
}
