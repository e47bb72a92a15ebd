//! The events of the stream of changes, as they are sent. Pure.

use super::event_parser::ServerEvent;

/// An event of the stream, whose data is not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireEvent {
    /// What the event says.
    pub kind: WireEventKind,
    /// The version of the workspace, from which the stream can go on.
    pub version: i64,
}

/// What an event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireEventKind {
    /// The stream reports what comes after the version.
    Open,
    /// The changes, as JSON.
    Change(Vec<u8>),
    /// What led to the version is not known.
    Reset,
}

/// An event that cannot be one of the stream of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnEvent;

impl WireEvent {
    /// Reads an event; `None` if its name is unknown. The version of every event is its id. Changes that are too large to
    /// keep are a reset.
    ///
    /// # Errors
    /// Fails if the id is not a version.
    pub fn read(event: ServerEvent) -> Result<Option<Self>, NotAnEvent> {
        let kind = match event.name.as_str() {
            "open" => WireEventKind::Open,
            "change" if event.is_cut => WireEventKind::Reset,
            "change" => WireEventKind::Change(event.data),
            "reset" => WireEventKind::Reset,
            _ => return Ok(None),
        };
        match event.id.parse() {
            Ok(version @ 0..) => Ok(Some(Self { kind, version })),
            _ => Err(NotAnEvent),
        }
    }
}
