//! The real program: started, called over a connection, killed, restarted.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::common::{Service, body_of, done, failed};

/// A running program; killed when dropped.
pub struct Running {
    pub child: Child,
    pub address: String,
    pub key: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command of the program, not started yet.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lead-workspace"));
    command.args(arguments);
    command
}

/// Runs a command on a data folder.
pub fn run(arguments: &[&str], dir: &Path) -> Output {
    program(arguments).arg("--data").arg(dir).output().unwrap()
}

impl Service {
    /// Runs a command on the database.
    pub fn program(&self, arguments: &[&str]) -> Output {
        let mut command = program(arguments);
        command.args(self.database_options()).output().unwrap()
    }
}

/// The service on a data folder, not started yet.
pub fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = program(&["serve", "--port", "0", "--print-key", "--data"]);
    command.arg(dir).args(arguments);
    command
}

/// The service on a PostgreSQL database, with a few leads, not started yet.
#[cfg(unix)]
pub fn on_database(url: &str) -> Command {
    let mut command = program(&["serve", "--port", "0", "--print-key", "--demo", "5"]);
    command.args(["--database", url]);
    command
}

pub fn start(dir: &Path, arguments: &[&str]) -> Running {
    start_by(command(dir, arguments))
}

/// Like [`start`], with an environment variable.
pub fn start_in(dir: &Path, arguments: &[&str], (name, value): (&str, &Path)) -> Running {
    let mut command = command(dir, arguments);
    command.env(name, value);
    start_by(command)
}

/// Like [`start`], under a limit of the shell, e.g. `-d 1000000` (kB of writable memory).
pub fn start_limited(dir: &Path, arguments: &[&str], limit: &str) -> Running {
    start_by(limited(dir, arguments, limit))
}

/// The program under a limit of the shell, not started yet.
pub fn limited(dir: &Path, arguments: &[&str], limit: &str) -> Command {
    let program = command(dir, arguments);
    let mut limited = Command::new("sh");
    limited
        .arg("-c")
        .arg(format!("ulimit {limit} && exec \"$@\""))
        .arg("sh");
    limited.arg(program.get_program()).args(program.get_args());
    limited
}

/// Starts a service that prints its key, and waits until it is ready.
pub fn start_by(mut command: Command) -> Running {
    command.stderr(Stdio::piped());
    try_start(command).unwrap_or_else(|message| panic!("{message}"))
}

/// Like [`start_by`]. If the program ends before it is ready, returns what it printed.
pub fn try_start(mut command: Command) -> Result<Running, String> {
    command.stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let ready = line
        .trim()
        .strip_prefix("ready http")
        .and_then(|rest| rest.trim_start_matches('s').strip_prefix("://"))
        .and_then(|rest| rest.split_once("/#key="));
    if let Some((address, key)) = ready {
        return Ok(Running {
            address: address.to_owned(),
            key: key.to_owned(),
            child,
        });
    }
    let _ = child.kill();
    if let Some(mut errors) = child.stderr.take() {
        errors.read_to_string(&mut line).unwrap();
    }
    child.wait().unwrap();
    Err(line)
}

/// Asks a program to stop.
#[cfg(unix)]
pub fn terminate(child: &Child) {
    signal(child, "-TERM");
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([name, &pid]).status().unwrap();
    assert!(sent.success());
}

/// Runs the program where it must fail, and returns its output.
pub fn refused(dir: &Path, arguments: &[&str]) -> String {
    let output = command(dir, arguments).output().unwrap();
    assert!(output.stdout.is_empty());
    failed(&output)
}

impl Running {
    pub fn call(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        self.try_call(method, path, body).unwrap()
    }

    /// Like [`call`](Self::call), for a program that may end meanwhile.
    pub fn try_call(&self, method: &str, path: &str, body: &Value) -> io::Result<(u16, Value)> {
        let (status, text) = self.try_send(method, path, &body_of(body))?;
        Ok((status, serde_json::from_str(&text).unwrap_or_default()))
    }

    /// The ids of leads, 100 at most.
    pub fn leads(&self) -> Vec<String> {
        let (status, page) = self.call("POST", "/api/leads/query", &json!({"page_size": 100}));
        assert_eq!(status, 200, "{page}");
        let leads = page["data"].as_array().unwrap().iter();
        let ids = leads.map(|lead| lead["lead_id"].as_str().unwrap().to_owned());
        ids.collect()
    }

    pub fn decide(&self, lead: &str, status: &str) {
        let body = json!({"approval_status": status});
        let (code, answer) = self.call("PATCH", &format!("/api/leads/{lead}"), &body);
        assert_eq!(code, 200, "{answer}");
    }

    /// Sends a request as text, and returns the response as text.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends a request, and returns the status and the body as received.
    pub fn try_send(&self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        let mut stream = TcpStream::connect(&self.address)?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.address,
            self.key,
            body.len()
        )?;
        let mut answer = Vec::new();
        let ended = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        let head = answer.split_once("\r\n\r\n");
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        match (head, status) {
            (Some((_, body)), Some(status)) => Ok((status, body.to_owned())),
            _ => Err(ended.err().unwrap_or(io::ErrorKind::UnexpectedEof.into())),
        }
    }
}

#[test]
fn a_folder_in_use_is_rejected_and_the_first_service_keeps_running() {
    let dir = tempfile::tempdir().unwrap();
    let running = start(dir.path(), &[]);
    let message = refused(dir.path(), &[]);
    let pid = running.child.id().to_string();
    assert!(
        message.contains("in use") && message.contains(&pid) && message.contains("--data"),
        "{message}"
    );
    assert_eq!(running.call("GET", "/health", &Value::Null).0, 200);
}

#[test]
fn a_port_in_use_is_rejected_before_any_change() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let message = failed(&run(&["serve", "--port", &port], &data));
    assert!(
        message.contains(&port) && message.contains("--port"),
        "{message}"
    );
    assert!(!data.exists());
}

#[cfg(unix)]
#[test]
fn a_graceful_stop_cleans_up_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let mut running = start(dir.path(), &["--demo", "20"]);
    assert!(dir.path().join("service.json").exists());
    terminate(&running.child);
    assert!(running.child.wait().unwrap().success());
    let mut left: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["lock", "start-key", "workspace.db"]);
    for private in ["start-key", "workspace.db"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(dir.path().join(private))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{private} can be read by others");
    }
}

/// The end of a terminal stops the service as other signals do, but after `nohup` it goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_is_a_graceful_stop_unless_it_is_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let mut running = start(dir.path(), &[]);
    signal(&running.child, "-HUP");
    assert!(running.child.wait().unwrap().success());
    assert!(!dir.path().join("service.json").exists());

    let program = command(dir.path(), &[]);
    let mut ignoring = Command::new("sh");
    ignoring.args(["-c", "trap '' HUP && exec \"$@\"", "sh"]);
    ignoring.arg(program.get_program()).args(program.get_args());
    let mut running = start_by(ignoring);
    signal(&running.child, "-HUP");
    assert_eq!(running.call("GET", "/health", &Value::Null).0, 200);
    assert!(running.child.try_wait().unwrap().is_none());
}

#[test]
fn a_revoked_start_key_is_replaced_at_the_next_start() {
    let dir = tempfile::tempdir().unwrap();
    let running = start(dir.path(), &[]);
    let key = running.key.clone();
    done(&run(&["keys", "revoke", &key], dir.path()));
    assert_eq!(running.call("POST", "/api/leads/query", &json!({})).0, 401);
    drop(running);
    let running = start(dir.path(), &[]);
    assert_ne!(running.key, key);
    assert_eq!(running.call("POST", "/api/leads/query", &json!({})).0, 200);
}

#[cfg(unix)]
#[test]
fn a_start_key_file_is_made_private() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("start-key");
    let open = std::fs::Permissions::from_mode(0o644);
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    // An existing file without a valid key.
    std::fs::write(&path, "old\n").unwrap();
    std::fs::set_permissions(&path, open.clone()).unwrap();
    let key = start(dir.path(), &[]).key.clone();
    assert_eq!(mode(), 0o600);
    // A file with a valid key.
    std::fs::set_permissions(&path, open).unwrap();
    assert_eq!(start(dir.path(), &[]).key, key);
    assert_eq!(mode(), 0o600);
}

#[cfg(target_os = "linux")]
#[test]
fn a_low_open_file_limit_is_reported_as_the_cause() {
    let dir = tempfile::tempdir().unwrap();
    let message = failed(&limited(dir.path(), &[], "-n 20").output().unwrap());
    assert!(message.contains("ulimit -n"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_open_file_limit_is_raised_to_the_maximum() {
    let dir = tempfile::tempdir().unwrap();
    let running = start_limited(dir.path(), &[], "-S -n 200");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", running.child.id())).unwrap();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let numbers: Vec<&str> = line.unwrap().split_whitespace().skip(3).collect();
    assert_eq!(numbers[0], numbers[1], "{numbers:?}");
    assert_ne!(numbers[0], "200");
}
