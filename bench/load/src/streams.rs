//! Streams of changes: many that are idle, and one that follows the decisions of the load.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use memchr::memmem;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::connection::request;

const PATH: &str = "/api/leads/changes";

/// Opens streams of a workspace, on the processes of a service in turn. They are open until they are dropped.
pub async fn open_idle(
    addresses: &[SocketAddr],
    key: &str,
    workspace: &str,
    count: usize,
) -> Result<Vec<TcpStream>> {
    let mut streams = Vec::with_capacity(count);
    for address in addresses.iter().cycle().take(count) {
        streams.push(open(*address, key, workspace).await?);
    }
    Ok(streams)
}

/// Opens a stream of what happens in a workspace from now on.
pub async fn open(address: SocketAddr, key: &str, workspace: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    let text = String::from_utf8(request("GET", PATH, key, ""))?;
    let text = text.replacen("\r\n", &format!("\r\nx-tenant-id: {workspace}\r\n"), 1);
    stream.write_all(text.as_bytes()).await?;
    let mut received = Vec::new();
    while memmem::find(&received, b"event: open").is_none() {
        ensure!(
            stream.read_buf(&mut received).await? > 0,
            "a stream was refused: {}",
            String::from_utf8_lossy(&received)
        );
    }
    Ok(stream)
}

/// When decisions were sent, and how long it took until a stream reported them.
#[derive(Default)]
pub struct Told {
    sent: HashMap<String, Instant>,
    micros: Vec<u32>,
}

impl Told {
    /// Notes that a decision on a lead is sent.
    pub fn sent(&mut self, lead: &str) {
        self.sent
            .entry(lead.to_owned())
            .or_insert_with(Instant::now);
    }

    fn event(&mut self, event: &Value) {
        for change in event["changes"].as_array().into_iter().flatten() {
            if change["kind"] == "status" {
                for lead in change["ids"].as_array().into_iter().flatten() {
                    let sent = self.sent.remove(lead.as_str().unwrap_or_default());
                    let micros = sent.map(|sent| sent.elapsed().as_micros());
                    let micros = micros.map(|micros| u32::try_from(micros).unwrap_or(u32::MAX));
                    self.micros.extend(micros);
                }
            }
        }
    }

    /// Returns the times in microseconds, and how many decisions no event reported.
    pub fn figures(self) -> (Vec<u32>, usize) {
        (self.micros, self.sent.len())
    }
}

/// Reads a stream until `ended` says so, and a moment longer for the last decisions.
pub async fn follow(
    mut stream: TcpStream,
    told: &RefCell<Told>,
    ended: &dyn Fn() -> bool,
) -> Result<()> {
    const LONGER: Duration = Duration::from_secs(3);
    let mut received = Vec::new();
    let mut until = None;
    loop {
        if until.is_none() && ended() {
            until = Some(Instant::now() + LONGER);
        }
        if until.is_some_and(|until| Instant::now() > until) {
            return Ok(());
        }
        if let Ok(read) = timeout(Duration::from_millis(200), stream.read_buf(&mut received)).await
        {
            ensure!(read? > 0, "the stream of changes has ended");
        }
        while let Some(end) = memmem::find(&received, b"\n\n") {
            let event: Vec<u8> = received.drain(..end + 2).collect();
            let data = memmem::find(&event, b"data: ").map(|at| &event[at + 6..]);
            let data = data.and_then(|data| serde_json::from_slice(data.trim_ascii_end()).ok());
            if let Some(event) = data {
                told.borrow_mut().event(&event);
            }
        }
    }
}
