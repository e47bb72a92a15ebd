//! The stream of changes of a workspace: its events, as values and as sent.

use serde::Serialize;

use crate::choice::ApprovalStatus;
use crate::endpoints::{Endpoint, Input, Method, Retry};
use crate::model::model;
use crate::request::request;

/// Path of the stream of changes. Not in the contract; our service offers it.
pub const CHANGES_PATH: &str = "/api/leads/changes";

/// The header with the id of the last event that a client has received.
pub const LAST_EVENT_ID_HEADER: &str = "last-event-id";

/// Most ids that a [`Change`] lists.
pub const MAX_CHANGED_IDS: usize = 1000;

model! {
    /// An event of the stream: what changed since the event before.
    Changes {
        /// The version of the workspace that the changes led to. It is also the id of the event, from which a stream can
        /// go on.
        version: i64,
        /// When the last of the changes was saved.
        changed_at: String,
        /// The changes, by kind. The same lead can be in several.
        changes: Vec<Change>,
    }

    /// Changes of one kind.
    Change {
        /// What happened: `added`, `deleted`, `status`, `score`, `fields`, `lists`, `campaigns`, `signals` for leads, and
        /// `accounts` for accounts that were added, changed or deleted. Later versions can have more.
        kind: String,
        /// The new approval status of the leads, of the kind `status`.
        approval_status: ApprovalStatus,
        /// How many leads, or accounts, changed.
        count: u64,
        /// Their ids; none if there are more than 1,000.
        ids: Vec<String>,
    }
}

request! {
    /// Where a stream of changes begins.
    ChangesQuery {
        /// The version after which the stream begins; by default the present one. The header `Last-Event-ID` wins over it.
        since: Option<u64> = None,
    }
}

/// The stream of changes. It is not in the table, because it has no response that ends: its client is another.
#[derive(Clone, Copy, Debug)]
pub struct StreamChanges;

impl Endpoint for StreamChanges {
    const NAME: &'static str = "stream_changes";
    const JS_NAME: &'static str = "streamChanges";
    const SUMMARY: &'static str =
        "Follow the changes of the workspace as they happen, as server-sent events.";
    const METHOD: Method = Method::Get;
    const PATH: &'static str = CHANGES_PATH;
    const PATH_IDS: &'static [&'static str] = &[];
    const INPUT: Input = Input::Query;
    const RETRY: Retry = Retry::Read;
    const STATUS: u16 = 200;
    type Params = ChangesQuery;
    type Response = Changes;
}

/// Returns an event `change`, as sent.
pub fn change_event(version: i64, changes: &Changes) -> String {
    event("change", version, changes)
}

/// Returns an event `open` or `reset`, as sent: its data is the version.
pub fn version_event(name: &str, version: i64) -> String {
    event(name, version, &serde_json::json!({ "version": version }))
}

fn event(name: &str, version: i64, data: &impl Serialize) -> String {
    // The values are texts and numbers. JSON has no line breaks.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\nid: {version}\ndata: {data}\n\n")
}
