//! Pauses of sending, while the server limits the rate or is unavailable, and their end.

use std::time::Duration;

use futures_util::future::{AbortHandle, abortable};

use super::{Engine, Event};
use crate::client::Client;
use crate::client::runtime::milliseconds;

/// A pause. Dropping it stops its timer.
pub(super) struct Pause {
    /// In milliseconds.
    length: u32,
    /// In milliseconds since 1970.
    until: u64,
    timer: AbortHandle,
}

impl Drop for Pause {
    fn drop(&mut self) {
        self.timer.abort();
    }
}

impl Engine {
    /// Pauses sending: the rate limit lasts longer than a call waits, or the server is unavailable.
    pub(super) fn pause_sending(&self, client: &Client, wait: Duration) {
        let runtime = client.runtime();
        // Nobody waits for a closed engine: it does not keep a process running.
        let elapsed = match self.is_closed() {
            true => runtime.idle_sleep(wait),
            false => runtime.sleep(wait),
        };
        let (elapsed, timer) = abortable(elapsed);
        let engine = self.clone();
        runtime.spawn(Box::pin(async move {
            if elapsed.await.is_ok() {
                engine.resume();
            }
        }));
        let length = milliseconds(wait);
        self.0.state.borrow_mut().pause = Some(Pause {
            length,
            until: self.0.host.now().saturating_add(length.into()),
            timer,
        });
        self.emit(Event::Pause);
    }

    /// Returns the length of the pause and when it ends, in milliseconds and in milliseconds since 1970. `None` if
    /// sending is not paused.
    pub fn pause(&self) -> Option<(u32, u64)> {
        let state = self.0.state.borrow();
        state
            .pause
            .as_ref()
            .map(|pause| (pause.length, pause.until))
    }

    pub(super) fn end_pause(&self) {
        let pause = self.0.state.borrow_mut().pause.take();
        if pause.is_some() {
            self.emit(Event::Pause);
        }
    }

    /// Ends the pause and sends what is queued. Call it whenever the server may be reachable again.
    pub fn resume(&self) {
        self.end_pause();
        self.send_queued();
    }
}
