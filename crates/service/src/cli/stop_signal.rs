//! The signals that stop the service.

/// Resolves when the user or the system stops the service. On Unix it catches signals from the call
/// on, not from the first poll: a script may stop the service as soon as it reads the ready line.
pub(super) fn stop_signal() -> impl Future<Output = ()> + Send {
    let interrupt = listen_to_interrupt();
    let terminate = listen_to_terminate();
    let hangup = listen_to_hangup();
    async {
        tokio::select! {
            () = interrupt => {}
            () = terminate => {}
            () = hangup => {}
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

/// The terminal was closed. Under `nohup`, the signal is ignored, and the service goes on.
#[cfg(unix)]
fn listen_to_hangup() -> impl Future<Output = ()> + Send {
    let kind = tokio::signal::unix::SignalKind::hangup();
    let status = std::fs::read_to_string("/proc/self/status");
    // Where the system does not tell, the signal keeps its effect.
    let is_ignored = status.map_or(true, |status| ignores(&status, kind.as_raw_value()));
    let hangup = (!is_ignored).then(|| listen(kind));
    async {
        match hangup {
            Some(hangup) => hangup.await,
            None => std::future::pending().await,
        }
    }
}

/// Returns whether a process ignores a signal, by the text of `/proc/PID/status`.
#[cfg(unix)]
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
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

#[cfg(not(unix))]
fn listen_to_hangup() -> impl Future<Output = ()> + Send {
    std::future::pending()
}

#[cfg(all(test, unix))]
mod tests {
    use super::ignores;

    #[test]
    fn a_signal_is_ignored_if_its_bit_is_set() {
        let status = "Name:\tx\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001000\n";
        assert!(!ignores(status, 1));
        assert!(ignores(status, 13));
        assert!(ignores("SigIgn:\t0000000000001001\n", 1));
        assert!(ignores("", 1));
    }
}
