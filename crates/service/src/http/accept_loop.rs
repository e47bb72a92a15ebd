//! The accept loop. It is our own, because slow clients need time limits on headers and on
//! responses.

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use futures_util::TryFutureExt;
use futures_util::future::BoxFuture;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::HttpService;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

use super::Limits;
use super::changes::UntilStop;
use super::idle_timeout::IdleTimeoutStream;
use super::pending_connections::PendingConnections;
use super::tls::Tls;
use crate::lock::lock;

/// Limit on the bytes of a request before its body. The query string is part of them.
const HEADER_BYTES: usize = 64 << 10;

/// Limit on connections per address that have not sent a request yet.
const PENDING: usize = 64;

/// How long the oldest of them stays open once the limit is exceeded.
const PENDING_GRACE: Duration = Duration::from_secs(1);

/// Unsent bytes of a connection. With the system's own limit, which is megabytes, a slow client would look like one that
/// does not read.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 32 << 10;

/// How long requests in flight may take after a stop was requested.
const GRACE: Duration = Duration::from_secs(10);

/// Serves until `stop` resolves, then waits for requests in flight.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    serve_tls(listener, router, limits, None, stop).await;
}

/// Like [`serve`]; with `tls`, every connection is encrypted.
pub async fn serve_tls(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    tls: Option<Tls>,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // hyper itself refuses more than 100 headers.
        .max_header_size(HEADER_BYTES)
        .max_buf_size(HEADER_BYTES);
    let graceful = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(limits.connections));
    let pending = PendingConnections::new(PENDING);
    let (stopping, until_stop) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let (stream, address) = match accepted {
            Ok((stream, address)) => (stream, address.ip()),
            Err(error) => {
                // Usually too many open files; other connections may close meanwhile.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Responses are small and complete; waiting for more data would only delay them.
        let _ = stream.set_nodelay(true);
        #[cfg(target_os = "linux")]
        let _ = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT);
        let (connection, close) = pending.add(address);
        let connection = Arc::new(Mutex::new(Some(connection)));
        let until_request = Arc::clone(&connection);
        let stop_of_streams = UntilStop(until_stop.clone());
        let router_service = router.clone().map_request(move |mut request: Request<_>| {
            // The first request has arrived.
            drop(lock(&until_request).take());
            request.extensions_mut().insert(stop_of_streams.clone());
            request
        });
        let closed_for_newer = async move {
            close.notified().await;
            // If many connections are opened at once, each gets time to send a request.
            tokio::time::sleep(PENDING_GRACE).await;
            if lock(&connection).is_none() {
                std::future::pending::<()>().await;
            }
        };
        let connection = Connection {
            http: http.clone(),
            service: TowerToHyperService::new(router_service),
            limits,
            graceful: graceful.watcher(),
            until_stop: until_stop.clone(),
        };
        let served = connection.serve_with(stream, tls.clone());
        tokio::spawn(async move {
            let _permit = permit;
            tokio::select! {
                ended = served => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                },
                () = closed_for_newer => {
                    tracing::debug!(%address, "closed an idle connection to make room for a newer one");
                }
            }
        });
    }
    drop((listener, stopping));
    if tokio::time::timeout(GRACE, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not finish in time");
    }
}

struct Connection<S> {
    http: http1::Builder,
    service: S,
    limits: Limits,
    graceful: Watcher,
    /// Closes when the service stops.
    until_stop: watch::Receiver<()>,
}

type ConnectionError = Box<dyn std::error::Error + Send + Sync>;
type ConnectionResult = Result<(), ConnectionError>;

impl<S> Connection<S>
where
    S: HttpService<Incoming, ResBody = Body, Error: Into<ConnectionError>, Future: Send>
        + Send
        + 'static,
{
    /// Returns a box, because a task would hold the connection twice: in what it captures, and where it is polled.
    fn serve_with(
        self,
        stream: TcpStream,
        tls: Option<Tls>,
    ) -> BoxFuture<'static, ConnectionResult> {
        // Below TLS, which buffers what is written to it.
        let stream = IdleTimeoutStream::new(stream, self.limits.idle_time);
        match tls {
            Some(tls) => Box::pin(self.serve_encrypted(stream, tls)),
            None => Box::pin(self.serve(stream)),
        }
    }

    async fn serve_encrypted(
        mut self,
        stream: IdleTimeoutStream<TcpStream>,
        tls: Tls,
    ) -> ConnectionResult {
        // A client that opens a connection and sends nothing must not hold it for long.
        let handshake = tls.acceptor().accept(stream);
        let handshake = tokio::time::timeout(self.limits.header_time, handshake);
        let stream = tokio::select! {
            stream = handshake => stream??,
            // There is no request yet that a stop has to wait for.
            _ = self.until_stop.changed() => return Ok(()),
        };
        self.serve(stream).await
    }

    fn serve(
        self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    ) -> impl Future<Output = ConnectionResult> {
        let served = self
            .http
            .serve_connection(TokioIo::new(stream), self.service);
        self.graceful.watch(served).err_into()
    }
}
