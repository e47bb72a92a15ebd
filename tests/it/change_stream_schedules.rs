//! Random schedules of a server that fails in every way: no event is lost, and none is returned twice.

use std::time::Duration;

use lead_workspace::client::TransportError;
use lead_workspace::client::changes::{ChangeEvent, ChangeOptions};
use proptest::prelude::*;

use crate::stream_wire::{End, Scripted, StreamWire, change, open, stream, whole};
use crate::support::{json, run};

/// The last version of every schedule.
const LAST: i64 = 12;

/// What the server does with a connection.
#[derive(Clone, Debug)]
enum Turn {
    /// It sends this many bytes of what it has, in chunks of this size, and ends.
    Send {
        bytes: usize,
        chunk: usize,
        end: End,
    },
    Status(u16),
    Unreachable,
    /// A proxy responds with a web page.
    WebPage,
}

fn turn() -> impl Strategy<Value = Turn> {
    let end = prop_oneof![Just(End::Clean), Just(End::Broken), Just(End::Silent)];
    prop_oneof![
        4 => (0..400_usize, 1..80_usize, end)
            .prop_map(|(bytes, chunk, end)| Turn::Send { bytes, chunk, end }),
        1 => prop_oneof![Just(500), Just(503), Just(429)].prop_map(Turn::Status),
        1 => Just(Turn::Unreachable),
        1 => Just(Turn::WebPage),
    ]
}

/// Everything that a server has to say after a version.
fn told_after(version: i64) -> String {
    let mut text = open(version);
    for version in version + 1..=LAST {
        text += ": heartbeat\n\n";
        text += &change(version);
    }
    text
}

fn perform(turn: &Turn, since: i64) -> Scripted {
    match turn {
        Turn::Send { bytes, chunk, end } => {
            let text = told_after(since);
            let sent = &text.as_bytes()[..text.len().min(*bytes)];
            let chunks = sent.chunks(*chunk);
            Scripted {
                parts: chunks
                    .map(|chunk| (Duration::from_secs(1), chunk.to_vec()))
                    .collect(),
                ..stream(&[], *end)
            }
        }
        Turn::Status(status) => whole(json(*status, "{}")),
        Turn::Unreachable => whole(Err(TransportError::Network("reset".into()))),
        Turn::WebPage => {
            let mut answer = json(200, "");
            if let Ok(response) = &mut answer {
                response.content_type = Some("text/html".into());
            }
            whole(answer)
        }
    }
}

proptest! {
    #[test]
    fn every_change_is_returned_once_and_in_order(
        first in 0..LAST,
        turns in prop::collection::vec(turn(), 0..30),
    ) {
        let wire = StreamWire::new(move |number, request| {
            let since = request.query[0].1.parse().unwrap();
            match number.checked_sub(1).map(|later| turns.get(later)) {
                // Until the first event, a web page would be the end.
                None => stream(&[(Duration::ZERO, &open(first))], End::Broken),
                Some(Some(turn)) => perform(turn, since),
                Some(None) => stream(&[(Duration::ZERO, &told_after(since))], End::Silent),
            }
        });
        let mut stream = wire.client().changes(ChangeOptions {
            since: Some(first),
            ..ChangeOptions::default()
        });
        let mut version = first;
        while version < LAST {
            match run(stream.next()).unwrap().unwrap() {
                ChangeEvent::Open { version: opened } => prop_assert_eq!(opened, version),
                ChangeEvent::Change(changes) => {
                    version += 1;
                    prop_assert_eq!(changes.version, Some(version));
                }
                ChangeEvent::Reset { .. } => prop_assert!(false, "nothing was unknown"),
            }
        }
        drop(stream);
        prop_assert_eq!(wire.open(), 0);
    }
}
