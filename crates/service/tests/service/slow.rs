//! Clients that do not read or send: they hold resources only briefly and delay no other client.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::Request;
use http_body_util::BodyExt;
use lead_workspace_service::http::{App, Limits, accept_loop, router};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::common::{Service, limited};

const LARGE: usize = 64 << 20;

fn short() -> Limits {
    Limits {
        idle_time: Duration::from_millis(200),
        ..Limits::default()
    }
}

/// Serves a body larger than the buffers of a connection.
async fn large(idle_time: Duration) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/", get(async || vec![b'x'; LARGE]));
    let limits = Limits {
        idle_time,
        ..Limits::default()
    };
    tokio::spawn(accept_loop::serve(
        listener,
        router,
        limits,
        std::future::pending(),
    ));
    address
}

async fn open_request(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    stream
}

#[tokio::test]
async fn a_client_that_never_reads_is_disconnected() {
    let mut stream = open_request(large(Duration::from_millis(200)).await).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let mut answer = Vec::new();
    // Either an error or a short body: the service has closed the connection.
    let _ = stream.read_to_end(&mut answer).await;
    assert!(answer.len() < LARGE, "received {} bytes", answer.len());
}

#[tokio::test]
async fn a_slow_reader_gets_the_full_response() {
    let mut stream = open_request(large(Duration::from_secs(2)).await).await;
    let mut read = 0;
    let mut part = vec![0; 256 << 10];
    // In total longer than the idle timeout.
    for _ in 0..150 {
        read += stream.read(&mut part).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut rest = Vec::new();
    read += stream.read_to_end(&mut rest).await.unwrap();
    assert!(read > LARGE, "received {read} bytes");
}

/// Far less than the buffers of a connection hold, in the time that a client may be idle.
#[tokio::test]
async fn a_steady_reader_gets_the_full_response_however_slow() {
    let mut stream = open_request(large(Duration::from_secs(1)).await).await;
    let mut part = vec![0; 64 << 10];
    let mut read = 0;
    for _ in 0..30 {
        read += stream.read_exact(&mut part).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let mut rest = Vec::new();
    read += stream.read_to_end(&mut rest).await.unwrap();
    assert!(read > LARGE, "received {read} bytes");
}

#[tokio::test]
async fn a_silent_client_is_disconnected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let limits = Limits {
        header_time: Duration::from_millis(100),
        ..Limits::default()
    };
    tokio::spawn(accept_loop::serve(
        listener,
        Router::new(),
        limits,
        std::future::pending(),
    ));
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut answer = Vec::new();
    let ended = stream.read_to_end(&mut answer);
    let ended = tokio::time::timeout(Duration::from_secs(5), ended).await;
    assert!(ended.is_ok(), "the connection is still open");
}

#[tokio::test]
async fn silent_connections_do_not_block_other_clients() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let limits = Limits {
        header_time: Duration::from_secs(600),
        connections: 80,
        ..Limits::default()
    };
    let router = Router::new().route("/", get(async || "here"));
    let stop = std::future::pending();
    tokio::spawn(accept_loop::serve(listener, router, limits, stop));
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    let mut answer = Vec::new();
    let answered = async { open_request(address).await.read_to_end(&mut answer).await };
    let answered = tokio::time::timeout(Duration::from_secs(20), answered).await;
    answered
        .expect("silent connections blocked the request")
        .unwrap();
    assert!(answer.ends_with(b"here"));
    // The oldest connections were closed, the newest are still open.
    let mut byte = [0];
    let ended = tokio::time::timeout(Duration::from_secs(20), silent[0].read(&mut byte)).await;
    assert_eq!(ended.unwrap().unwrap_or_default(), 0);
    let newest = silent.last_mut().unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    newest.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    newest.read_to_end(&mut answer).await.unwrap();
    assert!(answer.ends_with(b"here"));
}

#[tokio::test]
async fn too_large_or_too_many_headers_are_rejected() {
    let address = large(Duration::from_secs(20)).await;
    let long = format!("x-long: {}\r\n", "x".repeat(70 << 10));
    let many = "x: y\r\n".repeat(200);
    for headers in [long, many] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET / HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n");
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = vec![0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(answer, b"HTTP/1.1 431");
    }
}

/// A body that begins and then stalls.
fn stalled(start: &'static str) -> Body {
    let start = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(
        start.as_bytes(),
    ))]);
    Body::from_stream(start.chain(stream::pending()))
}

fn with(service: &Service, limits: Limits) -> Router {
    let options = limited(limits);
    router(App::new(service.store.clone(), &options), &options)
}

fn import(service: &Service) -> Request<Body> {
    service.request("POST", "/import", stalled("Name,Email\nAna,a@a.example\n"))
}

#[tokio::test]
async fn a_stalled_import_ends_and_keeps_received_leads() {
    let service = Service::empty().await;
    let answer = with(&service, short()).oneshot(import(&service));
    let body = answer.await.unwrap().into_body().collect();
    let body = tokio::time::timeout(Duration::from_secs(10), body).await;
    let text = body.expect("the import did not end").unwrap().to_bytes();
    let text = String::from_utf8(text.to_vec()).unwrap();
    let last = text.trim().lines().last().unwrap();
    assert!(
        last.contains("\"error\"") && last.contains("import it again to continue"),
        "{text}"
    );
    let leads: i64 = service.value("SELECT count(*) FROM leads").await;
    assert_eq!(leads, 1);
    let open = "SELECT count(*) FROM import_jobs WHERE finished_at IS NULL";
    assert_eq!(service.value::<i64>(open).await, 0);
}

#[test]
fn a_stalled_import_does_not_block_readers() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let read = runtime.block_on(async {
        let service = Service::empty().await;
        let answer = service.router.clone().oneshot(import(&service));
        let _answer = answer.await.unwrap();
        let read = service.get("/health");
        let read = tokio::time::timeout(Duration::from_secs(5), read).await;
        read.map(|answer| answer.status.as_u16())
    });
    runtime.shutdown_background();
    assert_eq!(read, Ok(200), "reads are blocked");
}

#[tokio::test]
async fn too_many_concurrent_imports_are_rejected_until_one_ends() {
    let service = Service::empty().await;
    let mut running = Vec::new();
    let refused = loop {
        let answer = service.router.clone().oneshot(import(&service)).await;
        let answer = answer.unwrap();
        if answer.status() != 200 {
            break answer;
        }
        running.push(answer);
        assert!(running.len() < 100, "the import limit was not applied");
    };
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("retry-after"));
    let message = refused.into_body().collect().await.unwrap().to_bytes();
    let message = String::from_utf8(message.to_vec()).unwrap();
    assert!(message.contains("Nothing was imported"), "{message}");
    // Other requests still work.
    assert_eq!(service.get("/health").await.status, 200);

    let service = Service::empty().await;
    for _ in 0..2 * running.len() {
        let text = "Name,Email\nAna,a@a.example\n";
        let answer = service.send(service.request("POST", "/import", text)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
}
