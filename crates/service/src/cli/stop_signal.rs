//! The signals that stop the service.

/// Resolves when the user or the system stops the service. On Unix it catches signals from the call
/// on, not from the first poll: a script may stop the service as soon as it reads the ready line.
pub(super) fn stop_signal() -> impl Future<Output = ()> + Send {
    let interrupt = listen_to_interrupt();
    let terminate = listen_to_terminate();
    async {
        tokio::select! {
            () = interrupt => {}
            () = terminate => {}
        }
        tracing::info!("stopping; waiting for requests in progress");
    }
}

#[cfg(unix)]
fn listen(kind: tokio::signal::unix::SignalKind) -> impl Future<Output = ()> + Send {
    let signal = tokio::signal::unix::signal(kind);
    async {
        match signal {
            Ok(mut signal) => _ = signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    }
}

#[cfg(unix)]
fn listen_to_interrupt() -> impl Future<Output = ()> + Send {
    listen(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(unix)]
fn listen_to_terminate() -> impl Future<Output = ()> + Send {
    listen(tokio::signal::unix::SignalKind::terminate())
}

#[cfg(not(unix))]
async fn listen_to_interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(not(unix))]
fn listen_to_terminate() -> impl Future<Output = ()> + Send {
    std::future::pending()
}
