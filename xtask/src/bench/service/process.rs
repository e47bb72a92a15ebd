//! The service that is measured: its folder, its process, and requests to it.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::read::Read;
use crate::progress;

/// The key of the benchmark, beside the folder's database.
const KEY_FILE: &str = "bench-key";

/// The only lead of the other workspace.
const OTHER_LEAD: &str = "name,company\nAnna Other,Other\n";

/// Fills a folder with demo leads and a second workspace, unless that was done, and returns a key for both.
pub fn fill(program: &Path, data: &Path, leads: u64) -> Result<String> {
    let key_file = data.join(KEY_FILE);
    if let Ok(key) = fs::read_to_string(&key_file) {
        return Ok(key);
    }
    let place = ["--data".as_ref(), data.as_os_str()];
    let key = fill_at(program, place, data, leads)?;
    fs::write(&key_file, &key)?;
    Ok(key)
}

/// Fills the place that an option names, with temporary files in a folder, and returns a key.
pub fn fill_at(program: &Path, place: [&OsStr; 2], dir: &Path, leads: u64) -> Result<String> {
    let run = |label: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).args(place);
        progress::run(label, &mut command)?.or_fail("The folder of the benchmark cannot be filled.")
    };
    run("demo leads", &["demo", "--leads", &leads.to_string()])?;
    let tenants = ["--tenant", "default", "--tenant", "other", "--make-tenant"];
    let created = run("key", &[&["keys", "create"], &tenants[..]].concat())?;
    let other = dir.join("other.csv");
    fs::write(&other, OTHER_LEAD)?;
    let other = other.to_string_lossy();
    run("other workspace", &["import", &other, "--tenant", "other"])?;
    let key = created.output.lines().find(|line| line.starts_with("lwk_"));
    let key = key.context("`keys create` printed no key")?;
    Ok(key.to_owned())
}

/// A running service with one open connection to it.
pub struct Service {
    process: Child,
    address: String,
    stream: BufReader<TcpStream>,
    key: String,
    decisions: u64,
}

impl Service {
    pub fn start(program: &Path, data: &Path, key: &str) -> Result<Self> {
        Self::start_with(program, key, &["--data".as_ref(), data.as_os_str()])
    }

    /// Starts a service with options that say where the leads are.
    pub fn start_with(program: &Path, key: &str, options: &[&OsStr]) -> Result<Self> {
        let mut process = Command::new(program)
            .args(["serve", "--port", "0"])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the service cannot be started")?;
        let output = process.stdout.take().context("no output")?;
        let mut ready = String::new();
        BufReader::new(output).read_line(&mut ready)?;
        let address = ready
            .trim()
            .strip_prefix("ready http://")
            .and_then(|rest| rest.strip_suffix('/'));
        let Some(address) = address else {
            bail!("the service did not start; it printed {ready:?}");
        };
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self {
            process,
            address: address.to_owned(),
            stream: BufReader::new(stream),
            key: key.to_owned(),
            decisions: 0,
        })
    }

    /// Returns the host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a request, and returns the time until its whole response has arrived, in milliseconds.
    pub fn time(&mut self, read: &Read) -> Result<f64> {
        self.timed(read.method, &read.path, &read.body, "default")
            .with_context(|| read.name.clone())
    }

    /// Like [`time`](Self::time), for any request.
    pub fn timed(&mut self, method: &str, path: &str, body: &str, tenant: &str) -> Result<f64> {
        let started = Instant::now();
        self.send(method, path, body, tenant)?;
        Ok(started.elapsed().as_secs_f64() * 1000.0)
    }

    /// Returns the response of a request as JSON.
    pub fn call(&mut self, method: &str, path: &str, body: &Value, tenant: &str) -> Result<Value> {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        Ok(serde_json::from_slice(
            &self.send(method, path, &body, tenant)?,
        )?)
    }

    /// Changes the status of one lead of a workspace.
    pub fn decide(&mut self, tenant: &str) -> Result<()> {
        let any = json!({"page_size": 1, "sort_by": "name", "sort_dir": "asc"});
        let page = self.call("POST", "/api/leads/query", &any, tenant)?;
        let id = page["data"][0]["lead_id"].as_str().unwrap_or_default();
        self.decisions += 1;
        let status = ["approved", "rejected"][usize::from(self.decisions % 4 < 2)];
        let body = json!({"approval_status": status});
        self.call("PATCH", &format!("/api/leads/{id}"), &body, tenant)?;
        Ok(())
    }

    fn send(&mut self, method: &str, path: &str, body: &str, tenant: &str) -> Result<Vec<u8>> {
        let (key, length) = (&self.key, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\nx-tenant-id: {tenant}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut status = String::new();
        self.stream.read_line(&mut status)?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut content = vec![0; length];
        self.stream.read_exact(&mut content)?;
        ensure!(
            status.contains(" 200 "),
            "{method} {path}: {status}{}",
            String::from_utf8_lossy(&content)
        );
        Ok(content)
    }

    /// Returns the resident memory now and at its highest, in bytes; zeros where the system does not say.
    pub fn memory(&self) -> (u64, u64) {
        let path = format!("/proc/{}/status", self.process.id());
        let status = fs::read_to_string(path).unwrap_or_default();
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kilobytes =
                line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            kilobytes.unwrap_or_default() * 1024
        };
        (bytes("VmRSS:"), bytes("VmHWM:"))
    }

    /// Stops the service as an operator does, so that it tidies up.
    pub fn stop(mut self) -> Result<()> {
        let stopped = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        if !stopped.is_ok_and(|status| status.success()) {
            self.process.kill()?;
        }
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It runs only after an error, or to be killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
