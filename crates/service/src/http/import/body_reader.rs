//! Lets a thread read the body of a request like a file.

use std::future::poll_fn;
use std::io::{self, ErrorKind, Read};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use bytes::{Buf, Bytes};
use hyper::body::{Body as _, Frame};
use tokio::sync::mpsc;

use crate::http::idle_timeout::IdleTimeout;
use crate::http::permits::Permit;

/// A part of a body. The end is sent explicitly: a channel that closes without it was cut off.
enum BodyPart {
    Data(Bytes),
    End,
    Failed(io::Error),
}

/// A request body as a blocking reader.
pub(super) struct BodyReader {
    parts: mpsc::Receiver<BodyPart>,
    chunk: Bytes,
    ended: bool,
    /// Held until the thread has finished reading.
    _permit: Permit,
}

impl BodyReader {
    /// Reads a body, with an idle timeout.
    pub(super) fn new(mut body: Body, idle: Duration, permit: Permit) -> Self {
        // The reader sets the pace: no more is read from the network than the channel can hold.
        let (send, parts) = mpsc::channel(4);
        tokio::spawn(async move {
            let mut timeout = IdleTimeout::new(idle);
            loop {
                let part = part(&mut body, &mut timeout).await;
                let last = !matches!(part, BodyPart::Data(_));
                if send.send(part).await.is_err() || last {
                    return;
                }
            }
        });
        Self {
            parts,
            chunk: Bytes::new(),
            ended: false,
            _permit: permit,
        }
    }
}

async fn part(body: &mut Body, timeout: &mut IdleTimeout) -> BodyPart {
    let frame = poll_fn(|context| match Pin::new(&mut *body).poll_frame(context) {
        Poll::Ready(frame) => Poll::Ready(Some(frame)),
        Poll::Pending => timeout.poll_expired(context).map(|()| None),
    });
    match frame.await {
        None => {
            let text = "the rest of the file did not arrive in time";
            BodyPart::Failed(io::Error::new(ErrorKind::TimedOut, text))
        }
        Some(None) => BodyPart::End,
        Some(Some(Err(error))) => BodyPart::Failed(io::Error::new(ErrorKind::UnexpectedEof, error)),
        Some(Some(Ok(frame))) => {
            let data = Frame::into_data(frame).unwrap_or_default();
            timeout.on_transfer(data.len());
            BodyPart::Data(data)
        }
    }
}

impl Read for BodyReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() && !self.ended {
            match self.parts.blocking_recv() {
                Some(BodyPart::Data(chunk)) => self.chunk = chunk,
                Some(BodyPart::End) => self.ended = true,
                Some(BodyPart::Failed(error)) => return Err(error),
                None => {
                    let text = "the service is stopping";
                    return Err(io::Error::new(ErrorKind::UnexpectedEof, text));
                }
            }
        }
        let length = self.chunk.len().min(out.len());
        self.chunk.copy_to_slice(&mut out[..length]);
        Ok(length)
    }
}
