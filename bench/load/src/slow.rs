//! Clients that send and read slowly, as over a bad line. One half sends slowly, the other reads slowly.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Result, ensure};
use fastrand::Rng;
use memchr::memmem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use crate::phase::Phase;

const PAUSE: Duration = Duration::from_millis(300);

/// Bytes sent between two pauses: a request takes about seven seconds, less than the service's limit.
const SENT: usize = 20;

/// Bytes read between two pauses, from a socket with a buffer as small as the system permits.
const READ: usize = 4096;
const BUFFER: u32 = 4096;

pub async fn client(phase: &Phase<'_>, client: usize) {
    let mut random = Rng::with_seed(1_000_000 + client as u64);
    // Not all at the same moment.
    sleep(Duration::from_millis(random.u64(..5000))).await;
    while !(phase.ended)() {
        let request = phase.requests.any_first_page(&mut random);
        let answered = match client % 2 {
            0 => send_slowly(phase, client, request).await,
            _ => read_slowly(phase, client, request).await,
        };
        phase.outcome.borrow_mut().slow_ended(&answered);
        sleep(PAUSE).await;
    }
}

/// Returns a socket with an address of its own, as other clients have: the service limits the connections of an
/// address that have not sent a request yet.
fn socket(client: usize) -> Result<TcpSocket> {
    let [.., high, low] = client.to_be_bytes();
    let address = Ipv4Addr::new(127, 1, high, low);
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((address, 0)))?;
    Ok(socket)
}

/// Returns whether the response has arrived before the end of the phase.
async fn send_slowly(phase: &Phase<'_>, client: usize, request: &[u8]) -> Result<bool> {
    let mut stream = socket(client)?.connect(phase.load.address(client)).await?;
    stream.set_nodelay(true)?;
    for part in request.chunks(SENT) {
        if (phase.ended)() {
            return Ok(false);
        }
        stream.write_all(part).await?;
        sleep(PAUSE).await;
    }
    receive(phase, &mut stream, 64 << 10, Duration::ZERO).await
}

async fn read_slowly(phase: &Phase<'_>, client: usize, request: &[u8]) -> Result<bool> {
    let socket = socket(client)?;
    socket.set_recv_buffer_size(BUFFER)?;
    let mut stream = socket.connect(phase.load.address(client)).await?;
    stream.write_all(request).await?;
    receive(phase, &mut stream, READ, PAUSE).await
}

async fn receive(
    phase: &Phase<'_>,
    stream: &mut TcpStream,
    at_once: usize,
    pause: Duration,
) -> Result<bool> {
    let mut part = vec![0; at_once];
    let mut received = Vec::new();
    let mut whole = None;
    while whole.is_none_or(|whole| received.len() < whole) {
        if (phase.ended)() {
            return Ok(false);
        }
        let read = stream.read(&mut part).await?;
        ensure!(read > 0, "closed");
        received.extend_from_slice(&part[..read]);
        if whole.is_none() {
            whole = length(&received);
        }
        if !pause.is_zero() {
            sleep(pause).await;
        }
    }
    ensure!(received.starts_with(b"HTTP/1.1 200"), "refused");
    Ok(true)
}

/// Returns the length of the whole response once its headers have arrived.
fn length(received: &[u8]) -> Option<usize> {
    let head = memmem::find(received, b"\r\n\r\n")?;
    let name = b"content-length: ";
    let digits = &received[memmem::find(&received[..head], name)? + name.len()..head];
    let end = memchr::memchr(b'\r', digits).unwrap_or(digits.len());
    let length: usize = std::str::from_utf8(&digits[..end]).ok()?.parse().ok()?;
    Some(head + 4 + length)
}
