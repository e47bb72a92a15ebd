//! A connection that stays open: one request at a time, with as little work as possible for each.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use memchr::memmem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const LENGTH: &[u8] = b"content-length: ";

pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

pub struct Response<'a> {
    pub status: u16,
    pub body: &'a [u8],
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            received: Vec::with_capacity(256 << 10),
        })
    }

    /// Sends a request and waits for its whole response, which must have a `content-length`.
    pub async fn send(&mut self, request: &[u8]) -> Result<Response<'_>> {
        self.received.clear();
        self.stream.write_all(request).await?;
        let head = loop {
            self.read().await?;
            if let Some(end) = memmem::find(&self.received, b"\r\n\r\n") {
                break end;
            }
        };
        let text = &self.received[..head];
        let status = text
            .get(9..12)
            .and_then(number)
            .context("there is no status")?;
        let length = memmem::find(text, LENGTH).context("there is no content-length")?;
        let digits = &text[length + LENGTH.len()..];
        let end = memchr::memchr(b'\r', digits).unwrap_or(digits.len());
        let length = number(&digits[..end]).context("the content-length is no number")?;
        let whole = head + 4 + usize::try_from(length)?;
        while self.received.len() < whole {
            self.read().await?;
        }
        Ok(Response {
            status: u16::try_from(status)?,
            body: &self.received[head + 4..whole],
        })
    }

    async fn read(&mut self) -> Result<()> {
        self.received.reserve(64 << 10);
        let read = self.stream.read_buf(&mut self.received).await?;
        ensure!(read > 0, "the service closed the connection");
        Ok(())
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Returns the bytes of a request.
pub fn request(method: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
