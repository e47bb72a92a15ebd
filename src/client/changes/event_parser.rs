//! Parses server-sent events. Pure: bytes in, events out, however the network splits them.
//!
//! The format is that of the HTML standard, section "Interpreting an event stream". Bytes are kept as they are, so that a
//! character that is split between two chunks is whole again. Memory is bounded: what exceeds the limit is not kept.

use std::time::Duration;

/// The largest data of an event to keep, and the longest line, in bytes: 4 MiB. An event with 1,000 ids of each kind of
/// change has less than half a megabyte.
pub const MAX_EVENT: usize = 4 << 20;

/// An event as sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerEvent {
    /// Its name; empty if it has none.
    pub name: String,
    /// The last id that was sent, with this event or before it; empty if none was.
    pub id: String,
    /// Its data. Lines are separated by line feeds.
    pub data: Vec<u8>,
    /// Whether the data exceeds [`MAX_EVENT`]. Then it is incomplete.
    pub is_cut: bool,
}

/// The state of a stream of events.
#[derive(Clone, Debug, Default)]
pub struct EventParser {
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// Whether the line is longer than what is kept of it.
    is_line_cut: bool,
    /// Whether the last byte was a carriage return. A line feed after it belongs to the same line end.
    after_cr: bool,
    /// Whether a line has ended. The first one may begin with a byte order mark.
    is_started: bool,
    event: ServerEvent,
    has_data: bool,
    retry: Option<Duration>,
}

impl EventParser {
    /// Adds the next bytes, and returns the events that they complete.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Vec<ServerEvent> {
        let mut events = Vec::new();
        while let Some((first, rest)) = bytes.split_first() {
            if std::mem::take(&mut self.after_cr) && *first == b'\n' {
                bytes = rest;
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.extend_line(bytes);
                break;
            };
            let (line, rest) = bytes.split_at(end);
            self.extend_line(line);
            events.extend(self.end_line());
            self.after_cr = rest.first() == Some(&b'\r');
            bytes = rest.get(1..).unwrap_or_default();
        }
        events
    }

    /// Returns the pause before a reconnection that the server asked for last.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    fn extend_line(&mut self, bytes: &[u8]) {
        // The name of the field is kept, too.
        let left = (MAX_EVENT + "data: ".len()).saturating_sub(self.line.len());
        self.is_line_cut |= bytes.len() > left;
        self.line.extend_from_slice(&bytes[..bytes.len().min(left)]);
    }

    /// Returns the event that the line completes, if it is empty.
    fn end_line(&mut self) -> Option<ServerEvent> {
        let line = std::mem::take(&mut self.line);
        let is_cut = std::mem::take(&mut self.is_line_cut);
        let mut line = &line[..];
        if !std::mem::replace(&mut self.is_started, true) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.end_event();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.get(1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => self.add_data(value, is_cut),
            // A name or an id of this length is none of ours.
            _ if is_cut => {}
            b"event" => self.event.name = text(value),
            b"id" if !value.contains(&0) => self.event.id = text(value),
            b"retry" => self.retry = milliseconds(value).or(self.retry),
            _ => {}
        }
        None
    }

    fn add_data(&mut self, value: &[u8], is_cut: bool) {
        let data = &mut self.event.data;
        self.event.is_cut |= is_cut || data.len() + value.len() >= MAX_EVENT;
        if self.event.is_cut {
            *data = Vec::new();
        } else {
            if self.has_data {
                data.push(b'\n');
            }
            data.extend_from_slice(value);
        }
        self.has_data = true;
    }

    /// Returns the event. One without data is none; its id remains.
    fn end_event(&mut self) -> Option<ServerEvent> {
        let id = self.event.id.clone();
        let next = ServerEvent {
            id,
            ..ServerEvent::default()
        };
        let event = std::mem::replace(&mut self.event, next);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

/// Reads a name or an id. One that is not UTF-8 is as good as none.
fn text(value: &[u8]) -> String {
    std::str::from_utf8(value).unwrap_or_default().to_owned()
}

fn milliseconds(value: &[u8]) -> Option<Duration> {
    // A sign would be accepted by the parser of numbers.
    let digits = value.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(value).ok()?.parse().ok();
    number.filter(|_| digits).map(Duration::from_millis)
}
