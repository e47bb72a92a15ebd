//! Idle timeout for connections and bodies.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Time that one transferred byte adds to the timeout. A client that moves a byte now and then
/// still times out; a thousand bytes per second keep the connection alive indefinitely.
const PER_BYTE: Duration = Duration::from_millis(1);

/// An idle timeout. Idle time uses it up, transferred bytes add to it again.
pub(super) struct IdleTimeout {
    max: Duration,
    left: Duration,
    /// Start of the current idle period.
    idle_since: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl IdleTimeout {
    pub(super) fn new(max: Duration) -> Self {
        Self {
            max,
            left: max,
            idle_since: None,
            timer: Box::pin(tokio::time::sleep(max)),
        }
    }

    /// Called while no data moves. Ready when the timeout is used up.
    pub(super) fn poll_expired(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.idle_since.is_none() {
            let now = Instant::now();
            self.idle_since = Some(now);
            self.timer.as_mut().reset(now + self.left);
        }
        self.timer.as_mut().poll(context)
    }

    /// Called when data was transferred.
    pub(super) fn on_transfer(&mut self, bytes: usize) {
        if let Some(since) = self.idle_since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let added = PER_BYTE.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX));
        self.left = self.left.saturating_add(added).min(self.max);
    }
}

/// A stream that fails when the other side stops reading.
pub(super) struct IdleTimeoutStream<S> {
    stream: S,
    timeout: IdleTimeout,
}

impl<S> IdleTimeoutStream<S> {
    pub(super) fn new(stream: S, max: Duration) -> Self {
        Self {
            stream,
            timeout: IdleTimeout::new(max),
        }
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending if self.timeout.poll_expired(context).is_ready() => {
                let text = "the other side has stopped reading";
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, text)));
            }
            Poll::Ready(Ok(bytes)) => self.timeout.on_transfer(*bytes),
            _ => {}
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for IdleTimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for IdleTimeoutStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.check(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use super::IdleTimeout;

    async fn expires_within(timeout: &mut IdleTimeout, millis: u64) -> bool {
        let expired = poll_fn(|context| timeout.poll_expired(context));
        tokio::time::timeout(Duration::from_millis(millis), expired)
            .await
            .is_ok()
    }

    #[tokio::test]
    async fn single_bytes_do_not_keep_a_connection_alive() {
        let mut timeout = IdleTimeout::new(Duration::from_millis(200));
        let mut polls = 0;
        while !expires_within(&mut timeout, 40).await {
            timeout.on_transfer(1);
            polls += 1;
            assert!(polls < 20, "the timeout never expires");
        }
        assert!(polls > 0);
    }

    #[tokio::test]
    async fn many_bytes_do_not_extend_the_timeout_beyond_its_maximum() {
        let mut timeout = IdleTimeout::new(Duration::from_millis(100));
        timeout.on_transfer(1 << 30);
        assert!(expires_within(&mut timeout, 5_000).await);
        let mut timeout = IdleTimeout::new(Duration::from_millis(200));
        for _ in 0..10 {
            assert!(!expires_within(&mut timeout, 40).await);
            timeout.on_transfer(1000);
        }
    }
}
