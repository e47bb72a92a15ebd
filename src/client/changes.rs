//! The stream of changes of a workspace, at `/api/leads/changes`. Not in the contract; our service has it.
//!
//! [`event_parser`], [`wire_event`] and [`reconnect`] are pure.

use std::fmt;
use std::future::poll_fn;
use std::rc::Rc;

use lead_workspace_api::{Changes, Decode};

pub(crate) use self::follower::WireEvents;
use self::wire_event::{WireEvent, WireEventKind};
use super::Client;
use super::error::Error;
use super::retry::MonotonicTime;

pub mod event_parser;
mod follower;
pub mod reconnect;
mod streamed;
pub mod wire_event;

/// Where a stream starts, and who watches its connection.
#[derive(Clone, Default)]
pub struct ChangeOptions {
    /// The version after which the stream starts; `None` for what happens from now on.
    pub since: Option<i64>,
    /// Called when the connection opens or breaks, and after each attempt to connect that failed.
    pub on_connection: Option<Rc<dyn Fn(Connection)>>,
}

impl fmt::Debug for ChangeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeOptions")
            .field("since", &self.since)
            .finish_non_exhaustive()
    }
}

/// The connection of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Connection {
    /// The server sends its changes.
    Open,
    /// The connection broke, or cannot be made. The stream connects again by itself.
    Broken {
        /// Since when, on the clock of the client's [`Runtime`](super::runtime::Runtime); `None` if the stream has never
        /// been open.
        since: Option<MonotonicTime>,
        /// What happened last.
        error: Error,
    },
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeEvent {
    /// The stream is connected, and tells what comes after this version. The first event, and again after each
    /// interruption; what happened meanwhile follows.
    Open {
        /// The version that the stream was started with, or the present one.
        version: i64,
    },
    /// What changed since the event before.
    Change(Changes),
    /// What happened until this version is not known. Read everything anew; the stream goes on after it.
    Reset {
        /// The present version.
        version: i64,
    },
}

/// The changes of a workspace as they happen. Dropping it aborts the request.
///
/// After an interruption it connects again by itself, with growing pauses, and goes on after the last event: none is lost,
/// and none returned twice. Only reading advances it; a server ends the connection of a reader that is too slow, and the
/// stream resumes.
pub struct ChangeStream {
    events: WireEvents,
}

impl Client {
    /// Returns the changes of the workspace as they happen. Nothing is sent before the first
    /// [`next`](ChangeStream::next). The client's options apply to each connection, until its response begins.
    ///
    /// ```no_run
    /// # async fn follow(client: lead_workspace::client::Client) -> Result<(), lead_workspace::client::Error> {
    /// use lead_workspace::client::changes::{ChangeEvent, ChangeOptions};
    ///
    /// let mut changes = client.changes(ChangeOptions::default());
    /// while let Some(event) = changes.next().await {
    ///     match event? {
    ///         ChangeEvent::Open { version } => println!("{version} is the present version"),
    ///         ChangeEvent::Change(changes) => println!("{:?}", changes.changes),
    ///         ChangeEvent::Reset { .. } => println!("read everything anew"),
    ///     }
    /// }
    /// # Ok(()) }
    /// ```
    pub fn changes(&self, options: ChangeOptions) -> ChangeStream {
        ChangeStream {
            events: self.wire_changes(options),
        }
    }
}

impl ChangeStream {
    /// Returns the next event. Dropping the future loses nothing. After an error, which ends the stream, `None` follows.
    ///
    /// # Errors
    /// Only what a later attempt would not change: the key is refused (401, 403), or the server has no stream of changes
    /// (404, 405, 501, 422; see [`Error::is_not_offered`]). The client remembers the latter, and does not ask again. Before
    /// the first event also a response that is no stream, such as a web page, and a key source that fails.
    pub async fn next(&mut self) -> Option<Result<ChangeEvent, Error>> {
        let event = poll_fn(|context| self.events.as_mut().poll_next(context)).await?;
        Some(event.map(ChangeEvent::from))
    }
}

impl From<WireEvent> for ChangeEvent {
    /// Changes that cannot be read may be any.
    fn from(event: WireEvent) -> Self {
        let version = event.version;
        match event.kind {
            WireEventKind::Open => Self::Open { version },
            WireEventKind::Reset => Self::Reset { version },
            WireEventKind::Change(data) => match Changes::decode(&data) {
                Ok(changes) if changes.changes.is_some() => Self::Change(Changes {
                    version: Some(version),
                    ..changes
                }),
                _ => Self::Reset { version },
            },
        }
    }
}
