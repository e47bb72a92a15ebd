//! Requests as an attacker writes them: byte by byte, over a connection of their own.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Whoever waits for longer is not answered.
const UNANSWERED: Duration = Duration::from_secs(30);

/// Where to, and with which key.
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

    /// The head of a request whose body has so many bytes.
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

    /// Sends what it is given, and reads what is answered.
    pub fn send(&self, head: &str, body: &str) -> Answer {
        let began = Instant::now();
        let mut stream = self.connect();
        // Who is refused early may be cut off while it sends.
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

/// The chunks of a body put together.
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

/// What 99 of 100 did not exceed.
pub fn p99(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[(times.len() * 99 / 100).min(times.len() - 1)]
}
