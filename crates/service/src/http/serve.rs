//! The accept loop. It is our own, because slow clients need time limits on headers and on
//! responses.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::ServiceExt;

use super::Limits;
use super::patience::Patient;
use super::silent::Silent;

/// Limit on the bytes of a request before its body. The query string is part of them.
const HEADER_BYTES: usize = 64 << 10;

/// Limit on connections per address that have not sent a request yet.
const SILENT: usize = 64;

/// How long the oldest of them may remain silent once the limit is exceeded.
const SILENT_GRACE: Duration = Duration::from_secs(1);

/// How long requests in flight may take after a stop was requested.
const GRACE: Duration = Duration::from_secs(10);

/// Serves until `stop` resolves, then waits for requests in flight.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // hyper itself refuses more than 100 headers.
        .max_header_size(HEADER_BYTES)
        .max_buf_size(HEADER_BYTES);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(limits.connections));
    let silent = Silent::new(SILENT);
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let permit = Arc::clone(&room).acquire_owned().await;
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
        let (counted, end) = silent.count(address);
        let counted = Arc::new(Mutex::new(Some(counted)));
        let is_silent = Arc::clone(&counted);
        let heard = router.clone().map_request(move |request| {
            // The first request has arrived, so the connection is no longer silent.
            drop(lock(&counted).take());
            request
        });
        let ended_for_another = async move {
            end.notified().await;
            // If many connections are opened at once, each gets time to send a request.
            tokio::time::sleep(SILENT_GRACE).await;
            if lock(&is_silent).is_none() {
                std::future::pending::<()>().await;
            }
        };
        let service = TowerToHyperService::new(heard);
        let stream = Patient::new(stream, limits.idle_time);
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _permit = permit;
            tokio::select! {
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                },
                () = ended_for_another => {
                    tracing::debug!(%address, "a connection without a request was ended for a newer one");
                }
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not end in time");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
