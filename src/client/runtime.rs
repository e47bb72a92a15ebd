//! What a call needs of the world besides the wire: a clock, dice, and the other tabs.

use std::pin::Pin;
use std::time::Duration;

use super::retry::Moment;

/// Work that ends by itself. Dropping it ends it early.
pub type Task = Pin<Box<dyn Future<Output = ()>>>;

/// The world around a client. [`Browser`](super::Browser) is the real one; a test brings its own.
pub trait Runtime {
    /// The time on a clock that never goes back, since a fixed start.
    fn now(&self) -> Moment;

    /// Ends after this time.
    fn sleep(&self, wait: Duration) -> Task;

    /// The same, for a wait that must not keep a program running that has nothing else to do.
    fn idle_sleep(&self, wait: Duration) -> Task {
        self.sleep(wait)
    }

    /// A random number from 0 to below 1.
    fn dice(&self) -> f64;

    /// Runs a task by itself.
    fn spawn(&self, task: Task);

    /// While nobody can see the page: ends when somebody does.
    fn until_seen(&self) -> Option<Task> {
        None
    }

    /// Joins the other tabs that use the same workspace, where there can be any. `hear` is called
    /// for each thing that another tab tells, and may answer.
    fn tabs(&self, workspace: &str, hear: Hear) -> Option<Box<dyn Tabs>> {
        let _ = (workspace, hear);
        None
    }
}

/// Hears what another tab tells, and may answer all of them.
pub type Hear = Box<dyn Fn(Told) -> Option<Told>>;

/// The other tabs. Dropping it leaves them.
pub trait Tabs {
    /// Tells all others.
    fn tell(&self, told: Told);
}

/// What tabs tell each other of their gates. Clocks differ between tabs, so waits are relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Somebody is new and wants to know.
    Asked,
    /// A call found out that the limit has passed: calls pass again, a few at a time.
    Opening,
    /// Calls wait for this long.
    Closed(Duration),
    /// A call is finding out.
    Probing,
}

impl Told {
    /// As it is told: a word, and a time in milliseconds.
    pub(crate) fn words(self) -> (&'static str, u32) {
        match self {
            Self::Asked => ("asked", 0),
            Self::Opening => ("opening", 0),
            Self::Closed(wait) => ("closed", milliseconds(wait)),
            Self::Probing => ("probing", 0),
        }
    }

    /// What another tab told, when this version knows the word.
    pub(crate) fn read(word: &str, wait: Duration) -> Option<Self> {
        Some(match word {
            "asked" => Self::Asked,
            "opening" => Self::Opening,
            "closed" => Self::Closed(wait),
            "probing" => Self::Probing,
            _ => return None,
        })
    }
}

/// Longer than this, in milliseconds, a timer overflows and fires at once: 24 days.
const LONGEST: u32 = i32::MAX as u32;

/// A wait in whole milliseconds, up, so that none is undercut; at most the longest that timers know.
pub(crate) fn milliseconds(wait: Duration) -> u32 {
    let up = u64::from(!wait.subsec_micros().is_multiple_of(1000));
    let whole = wait.as_secs().saturating_mul(1000) + u64::from(wait.subsec_millis()) + up;
    u32::try_from(whole).unwrap_or(LONGEST).min(LONGEST)
}
