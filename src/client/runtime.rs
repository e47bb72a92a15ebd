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
    /// Calls pass again.
    Open,
    /// Calls wait for this long.
    Closed(Duration),
    /// A call is finding out.
    Probing,
}
