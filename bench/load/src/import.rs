//! An import over HTTP, on a thread of its own.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use serde_json::{Value, json};

pub struct Import(JoinHandle<Result<Value>>);

impl Import {
    pub fn start(address: SocketAddr, key: &str, workspace: &str, file: PathBuf) -> Self {
        let (key, workspace) = (key.to_owned(), workspace.to_owned());
        Self(thread::spawn(move || {
            import(address, &key, &workspace, &file)
        }))
    }

    pub fn has_ended(&self) -> bool {
        self.0.is_finished()
    }

    /// Returns the figures of an import that has ended.
    pub fn result(self) -> Result<Value> {
        if !self.has_ended() {
            return Ok(json!({"is_complete": false}));
        }
        match self.0.join() {
            Ok(result) => result,
            Err(_) => bail!("the import panicked"),
        }
    }
}

fn import(address: SocketAddr, key: &str, workspace: &str, path: &PathBuf) -> Result<Value> {
    let started = Instant::now();
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut stream = TcpStream::connect(address)?;
    let answer = BufReader::new(stream.try_clone()?);
    write!(
        stream,
        "POST /import?format=csv&file_name=leads.csv HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\n\
         x-tenant-id: {workspace}\r\ncontent-type: text/csv\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    // The service sends its progress meanwhile.
    let events = thread::spawn(move || last_event(answer));
    io::copy(&mut file, &mut stream)?;
    let Ok(last) = events.join() else {
        bail!("the events of the import could not be read");
    };
    let last = last?;
    ensure!(last["event"] == "done", "the import failed: {last}");
    Ok(json!({"is_complete": true, "seconds": started.elapsed().as_secs_f64(), "report": last}))
}

/// Returns the last event of a chunked response.
fn last_event(answer: impl BufRead) -> Result<Value> {
    let mut last = Value::Null;
    for line in answer.lines() {
        // The lines between are the headers, and the lengths of the chunks.
        let line = line?;
        if line.starts_with('{') {
            last = serde_json::from_str(&line)?;
        }
    }
    Ok(last)
}
