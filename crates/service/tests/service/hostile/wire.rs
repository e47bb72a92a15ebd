//! Requests as an attacker sends them: raw bytes over a new connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

/// After this time a request counts as unanswered.
const UNANSWERED: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub struct Target {
    pub address: String,
    pub key: String,
}

pub struct Answer {
    pub status: u16,
    pub body: String,
    pub time: Duration,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Target {
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(UNANSWERED)).unwrap();
        stream.set_write_timeout(Some(UNANSWERED)).unwrap();
        stream
    }

    /// Builds the head of a request with a body of `length` bytes.
    pub fn head(&self, method: &str, path: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n",
            self.address, self.key
        )
    }

    pub fn call(&self, method: &str, path: &str, body: &str) -> Answer {
        self.send(&self.head(method, path, body.len()), body)
    }

    /// Sends a request and reads the response.
    pub fn send(&self, head: &str, body: &str) -> Answer {
        let began = Instant::now();
        let mut stream = self.connect();
        // A request that is refused early may be cut off while sending.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        let status = text
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no answer to {head:.200}: {read:?}"));
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        let chunked = head
            .to_ascii_lowercase()
            .contains("transfer-encoding: chunked");
        let body = if chunked {
            joined(body)
        } else {
            body.to_owned()
        };
        Answer {
            status,
            body,
            time: began.elapsed(),
        }
    }
}

/// Joins the chunks of a body.
fn joined(mut chunks: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let Ok(length) = usize::from_str_radix(length, 16) else {
            break;
        };
        let Some((chunk, rest)) = rest.split_at_checked(length) else {
            break;
        };
        whole.push_str(chunk);
        chunks = rest.trim_start_matches("\r\n");
    }
    whole
}

/// Returns the 99th percentile.
pub fn p99(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[(times.len() * 99 / 100).min(times.len() - 1)]
}
