//! What a call needs from its environment besides the transport: a clock, a random source and the other tabs.

use std::pin::Pin;
use std::time::Duration;

use super::gate::Rank;
use super::retry::MonotonicTime;

/// A future without a result. Dropping it cancels the work.
pub type Task = Pin<Box<dyn Future<Output = ()>>>;

/// The environment of a client. Browsers use [`Browser`](super::Browser); tests supply their own.
pub trait Runtime {
    /// Returns the time on a monotonic clock, since a fixed start.
    fn now(&self) -> MonotonicTime;

    /// Completes after `wait`.
    fn sleep(&self, wait: Duration) -> Task;

    /// Like [`sleep`](Self::sleep), but does not keep a process running that has nothing else to do.
    fn idle_sleep(&self, wait: Duration) -> Task {
        self.sleep(wait)
    }

    /// Returns a random number in `0.0..1.0`.
    fn random(&self) -> f64;

    /// Runs a task in the background.
    fn spawn(&self, task: Task);

    /// Returns a task that completes when the page becomes visible; `None` if it is visible already.
    fn until_visible(&self) -> Option<Task> {
        None
    }

    /// Joins the other tabs that use the same workspace; `None` where the platform has no tabs. `on_message`
    /// is called with each message from another tab, and its return value, if any, is sent to all others.
    fn broadcast(&self, workspace: &str, on_message: Listener) -> Option<Box<dyn Broadcast>> {
        let _ = (workspace, on_message);
        None
    }
}

/// Handles a message from another tab. Its return value, if any, is sent to all others.
pub type Listener = Box<dyn Fn(TabMessage) -> Option<TabMessage>>;

/// The connection to the other tabs. Dropping it disconnects.
pub trait Broadcast {
    /// Sends a message to all other tabs.
    fn post(&self, message: TabMessage);
}

/// Messages between tabs about their rate-limit gates. Clocks differ between tabs, so waits are relative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TabMessage {
    /// A new tab requests the current state.
    StateRequest,
    /// A call found that the limit has passed. Calls pass again, a few at a time.
    Opening,
    /// Calls wait for this long. Then the tab with this rank probes first.
    Closed(Duration, Rank),
    /// A call is probing whether the limit has passed.
    Probing,
}

impl TabMessage {
    /// Returns the message as sent to other tabs: a word, a time in milliseconds and a rank.
    pub(crate) fn encode(self) -> (&'static str, u32, Rank) {
        match self {
            Self::StateRequest => ("request", 0, 0.0),
            Self::Opening => ("opening", 0, 0.0),
            Self::Closed(wait, first) => ("closed", milliseconds(wait), first),
            Self::Probing => ("probing", 0, 0.0),
        }
    }

    /// Parses a message from another tab; `None` if the word is unknown.
    pub(crate) fn decode(word: &str, wait: Duration, first: Rank) -> Option<Self> {
        Some(match word {
            "request" => Self::StateRequest,
            "opening" => Self::Opening,
            "closed" => Self::Closed(wait, first),
            "probing" => Self::Probing,
            _ => return None,
        })
    }
}

/// The longest timer in milliseconds, 24 days. A longer one overflows and fires at once.
const MAX_TIMER_MS: u32 = i32::MAX as u32;

/// Returns a wait in whole milliseconds, rounded up so that it is never too short, and at most [`MAX_TIMER_MS`].
pub(crate) fn milliseconds(wait: Duration) -> u32 {
    let up = u64::from(!wait.subsec_micros().is_multiple_of(1000));
    let whole = wait.as_secs().saturating_mul(1000) + u64::from(wait.subsec_millis()) + up;
    u32::try_from(whole)
        .unwrap_or(MAX_TIMER_MS)
        .min(MAX_TIMER_MS)
}
