//! Events of the stream, encoded once for all streams.

use bytes::Bytes;
use lead_workspace_api::{change_event, version_event};

use crate::store::changes::{Step, StepEvent};

/// Tells a client that the connection is alive.
pub(super) const HEARTBEAT: Bytes = Bytes::from_static(b": still here\n\n");

/// The first event of a stream, which reports what comes after a version.
pub(super) fn open(version: i64) -> Bytes {
    version_event("open", version).into()
}

/// Says that it is not known what led to a version.
pub(super) fn reset(version: i64) -> Bytes {
    version_event("reset", version).into()
}

/// Returns the event of a step, if it has one.
pub(super) fn of(step: &Step) -> Option<Bytes> {
    match &step.event {
        StepEvent::None => None,
        StepEvent::Reset => Some(reset(step.version)),
        StepEvent::Change(changes) => Some(change_event(step.version, changes).into()),
    }
}
