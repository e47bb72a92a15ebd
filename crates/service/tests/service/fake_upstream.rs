//! A scripted upstream for the tests of the gateway.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use crate::common::Service;
use crate::gateway::{gateway_to, short};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A running fake upstream; `requests` has the head and body of each request.
#[derive(Clone)]
pub struct Fake {
    pub address: SocketAddr,
    pub requests: Arc<Mutex<Vec<String>>>,
    /// Number of connections closed by the other side.
    pub closed: watch::Receiver<u32>,
}

/// Starts an upstream that sends the same answer to every request; with `hangs` it then keeps the
/// connection open.
pub async fn fake(answer: impl Into<Vec<u8>>, hangs: bool) -> Fake {
    let answer = answer.into();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let (closing, closed) = watch::channel(0);
    let all = requests.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (answer, all, closing) = (answer.clone(), all.clone(), closing.clone());
            tokio::spawn(async move {
                let request = request_of(&mut stream).await;
                // On a busy machine, a gateway may run out of time before it sends anything.
                if !request.is_empty() {
                    all.lock().unwrap().push(request);
                }
                let _ = stream.write_all(&answer).await;
                if hangs {
                    let _ = stream.read_to_end(&mut Vec::new()).await;
                    closing.send_modify(|count| *count += 1);
                }
            });
        }
    });
    Fake {
        address,
        requests,
        closed,
    }
}

async fn request_of(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return text;
        }
    }
}

impl Fake {
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Starts a gateway in front of it.
    pub async fn gateway(&self) -> Service {
        gateway_to(
            &format!("http://{}/base", self.address),
            "upstream-secret",
            short(),
        )
        .await
    }
}

/// Builds an upstream answer with a body.
pub fn response(head: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
