//! The server of a test program.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::programs::{MISSING, programs};

/// PostgreSQL refuses to run as root. Debian's package makes this user.
const USER: &str = "postgres";

/// The user of the server that owns its databases.
const OWNER: &str = "test";

/// The port that names the socket of a server that listens on no port.
pub(crate) const PORT: u16 = 5432;

/// Options with which a change has reached the disk when it is acknowledged, as on a server with its default settings.
pub const DURABLE: [&str; 4] = ["-c", "fsync=on", "-c", "full_page_writes=on"];

pub struct Server {
    programs: PathBuf,
    /// The folder of the socket.
    dir: PathBuf,
    port: u16,
    pub(crate) prepared: OnceLock<()>,
    pub(crate) databases: AtomicU32,
    script: Mutex<Script>,
}

/// The script that runs the server. It ends when its input does.
struct Script {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    /// Returns the server of this program, and starts it first if that has not been done.
    ///
    /// # Panics
    /// When PostgreSQL is not installed, or does not start.
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| Self::start().unwrap_or_else(|error| panic!("{error}")))
    }

    /// Starts another server, for tests that stop it. It ends when it is dropped.
    ///
    /// # Errors
    /// When PostgreSQL is not installed, or does not start.
    pub fn start() -> Result<Self, String> {
        Self::start_with(&[])
    }

    /// Like [`start`](Self::start), with options of the program `postgres`, which override those of tests.
    ///
    /// # Errors
    /// Same as [`start`](Self::start).
    pub fn start_with(options: &[&str]) -> Result<Self, String> {
        Self::launch(PORT, |script| script.args(options))
    }

    /// Like [`start`](Self::start), and also listens on a port of 127.0.0.1, with a certificate and its key as PEM
    /// texts. Connections there must be encrypted. [`encrypted_url`](Self::encrypted_url) is its address.
    ///
    /// # Errors
    /// Same as [`start`](Self::start).
    pub fn start_encrypted(certificate: &str, key: &str) -> Result<Self, String> {
        Self::launch(free_port()?, |script| {
            script
                .env("TEST_CERTIFICATE", certificate)
                .env("TEST_KEY", key)
        })
    }

    fn launch(
        port: u16,
        options: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Result<Self, String> {
        let programs = programs().ok_or(MISSING)?;
        let mut script = Script::start(&programs, port, options)
            .map_err(|error| format!("PostgreSQL cannot be started: {error}"))?;
        let dir = script.wait_for_server()?;
        Ok(Self {
            programs,
            dir,
            port,
            prepared: OnceLock::new(),
            databases: AtomicU32::new(0),
            script: Mutex::new(script),
        })
    }

    /// Returns the URL of a database.
    pub fn url(&self, database: &str) -> String {
        let dir = self.dir.display().to_string().replace('/', "%2F");
        format!("postgres://{OWNER}@{dir}:{}/{database}", self.port)
    }

    /// Returns the URL of the database `postgres` over TCP. `host` is a name of 127.0.0.1.
    pub fn encrypted_url(&self, host: &str) -> String {
        format!("postgres://{OWNER}@{host}:{}/postgres", self.port)
    }

    pub(crate) fn programs(&self) -> &Path {
        &self.programs
    }

    /// Returns the folder of the socket.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Restarts the server. All connections end at once, as in a crash.
    ///
    /// # Panics
    /// When it does not start again.
    pub fn restart(&self) {
        self.ask("restart");
    }

    /// Stops the server, as in a crash, until [`restart`](Self::restart).
    ///
    /// # Panics
    /// When it has ended.
    pub fn stop(&self) {
        self.ask("stop");
    }

    fn ask(&self, what: &str) {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        let done = script.ask(what);
        done.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Runs statements in a database, and returns the rows of the last one: a line each, values divided by `|`.
    ///
    /// # Panics
    /// When one fails.
    pub fn sql(&self, database: &str, statements: &str) -> String {
        let arguments = ["--quiet", "--no-psqlrc", "--tuples-only", "--no-align"];
        let more = ["--set", "ON_ERROR_STOP=1", "--dbname", database];
        let command = ["--command", statements];
        let arguments = [&arguments[..], &more, &command].concat();
        self.run("psql", &arguments).trim_end().to_owned()
    }

    /// Sets the variables by which a program uses this server: `PGHOST`, `PGPORT` and `PGUSER`.
    pub fn set_env<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("PGHOST", &self.dir)
            .env("PGPORT", self.port.to_string())
            .env("PGUSER", OWNER)
    }

    /// Runs one of PostgreSQL's programs on the server.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(self.programs.join(program));
        command.args(arguments).stdin(Stdio::null());
        let output = self.set_env(&mut command).output();
        let output = output.unwrap_or_else(|error| panic!("{program} cannot be run: {error}"));
        let reason = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} failed: {reason}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Script {
    fn start(
        programs: &Path,
        port: u16,
        options: impl FnOnce(&mut Command) -> &mut Command,
    ) -> io::Result<Self> {
        let mut command = as_user();
        command
            .args(["sh", "-c", include_str!("server.sh"), "sh"])
            .arg(programs)
            .env("PGPORT", port.to_string())
            .env("PGUSER", OWNER);
        let mut process = options(&mut command)
            // A Ctrl-C for the tests ends them, and that ends the server.
            .process_group(0)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self {
            input: process.stdin.take(),
            output: BufReader::new(output),
            process,
        })
    }

    /// Waits until the server has started, and returns the folder of its socket.
    fn wait_for_server(&mut self) -> Result<PathBuf, String> {
        let mut dir = String::new();
        // If it cannot be read, the errors below say why.
        let _ = self.output.read_line(&mut dir);
        if !dir.is_empty() {
            return Ok(dir.trim_end().into());
        }
        let mut reason = String::new();
        if let Some(errors) = &mut self.process.stderr {
            let _ = errors.read_to_string(&mut reason);
        }
        Err(format!("PostgreSQL did not start: {}", reason.trim()))
    }

    fn ask(&mut self, what: &str) -> Result<(), String> {
        if let Some(input) = &mut self.input {
            let asked = writeln!(input, "{what}");
            asked.map_err(|error| format!("PostgreSQL has ended: {error}"))?;
        }
        self.wait_for_server().map(drop)
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.input = None;
        // Its folder is gone then. There is nothing else to learn from it.
        let _ = self.process.wait();
    }
}

/// Returns a port of 127.0.0.1 that nothing listens on.
pub(crate) fn free_port() -> Result<u16, String> {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    free.map(|address| address.port())
        .map_err(|error| format!("no port is free: {error}"))
}

/// A command that runs as a user that PostgreSQL and PgBouncer allow: not as root.
pub(crate) fn as_user() -> Command {
    let id = Command::new("id").arg("-u").output();
    if id.is_ok_and(|id| id.stdout.trim_ascii() == b"0") {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", USER, "--regid", USER, "--init-groups", "--"]);
        command
    } else {
        Command::new("env")
    }
}
