//! Idle timeout for connections and bodies.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Time that one transferred byte adds to the timeout. A client that moves a byte now and then
/// still times out; a thousand bytes per second keep the connection alive indefinitely.
const BOUGHT: Duration = Duration::from_millis(1);

/// An idle timeout. Idle time uses it up, transferred bytes add to it again.
pub(crate) struct Patience {
    most: Duration,
    left: Duration,
    /// Start of the current idle period.
    since: Option<Instant>,
    end: Pin<Box<Sleep>>,
}

impl Patience {
    pub(crate) fn new(most: Duration) -> Self {
        Self {
            most,
            left: most,
            since: None,
            end: Box::pin(tokio::time::sleep(most)),
        }
    }

    /// Reports that no data moves. Ready when the timeout is used up.
    pub(crate) fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.since.is_none() {
            let now = Instant::now();
            self.since = Some(now);
            self.end.as_mut().reset(now + self.left);
        }
        self.end.as_mut().poll(context)
    }

    /// Reports that data was transferred.
    pub(crate) fn moved(&mut self, bytes: usize) {
        if let Some(since) = self.since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let bought = BOUGHT.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX));
        self.left = self.left.saturating_add(bought).min(self.most);
    }
}

/// A stream that fails when the other side stops reading.
pub(super) struct Patient<S> {
    stream: S,
    patience: Patience,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, most: Duration) -> Self {
        Self {
            stream,
            patience: Patience::new(most),
        }
    }

    fn watched(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending if self.patience.poll_end(context).is_ready() => {
                let text = "the other side has stopped reading";
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, text)));
            }
            Poll::Ready(Ok(bytes)) => self.patience.moved(*bytes),
            _ => {}
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watched(context, written)
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

    use super::Patience;

    async fn ends_within(patience: &mut Patience, millis: u64) -> bool {
        let end = poll_fn(|context| patience.poll_end(context));
        tokio::time::timeout(Duration::from_millis(millis), end)
            .await
            .is_ok()
    }

    #[tokio::test]
    async fn a_byte_now_and_then_does_not_keep_patience_for_good() {
        let mut patience = Patience::new(Duration::from_millis(200));
        let mut stood = 0;
        while !ends_within(&mut patience, 40).await {
            patience.moved(1);
            stood += 1;
            assert!(stood < 20, "it never ends");
        }
        assert!(stood > 0);
    }

    #[tokio::test]
    async fn much_at_once_does_not_buy_more_than_there_was() {
        let mut patience = Patience::new(Duration::from_millis(100));
        patience.moved(1 << 30);
        assert!(ends_within(&mut patience, 5_000).await);
        let mut patience = Patience::new(Duration::from_millis(200));
        for _ in 0..10 {
            assert!(!ends_within(&mut patience, 40).await);
            patience.moved(1000);
        }
    }
}
