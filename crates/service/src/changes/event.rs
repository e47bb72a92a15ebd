//! Events of the stream, as server-sent events: encoded once for all streams.

use bytes::Bytes;
use serde::Serialize;
use serde_json::json;

use crate::store::changes::{Step, Told};

/// Tells a client that the connection is alive.
pub(super) const HEARTBEAT: Bytes = Bytes::from_static(b": still here\n\n");

/// The first event of a stream, which tells what comes after a version.
pub(super) fn open(version: i64) -> Bytes {
    event("open", version, &json!({ "version": version }))
}

/// Tells that it is not known what led to a version.
pub(super) fn reset(version: i64) -> Bytes {
    event("reset", version, &json!({ "version": version }))
}

/// Returns the event of a step, if it has one.
pub(super) fn of(step: &Step) -> Option<Bytes> {
    match &step.told {
        Told::Nothing => None,
        Told::Unknown => Some(reset(step.version)),
        Told::Changes(changes) => Some(event("change", step.version, changes)),
    }
}

fn event(name: &str, version: i64, data: &impl Serialize) -> Bytes {
    // The values are texts and numbers. JSON has no line breaks.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\nid: {version}\ndata: {data}\n\n").into()
}
