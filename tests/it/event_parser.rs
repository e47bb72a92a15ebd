//! The parser of server-sent events.

use std::time::Duration;

use lead_workspace::client::changes::event_parser::{EventParser, MAX_EVENT, ServerEvent};
use lead_workspace::client::changes::wire_event::{NotAnEvent, WireEvent, WireEventKind};
use proptest::prelude::*;

fn event(name: &str, id: &str, data: &str) -> ServerEvent {
    ServerEvent {
        name: name.into(),
        id: id.into(),
        data: data.as_bytes().to_vec(),
        is_cut: false,
    }
}

fn parse(text: &str) -> Vec<ServerEvent> {
    EventParser::default().feed(text.as_bytes())
}

#[test]
fn an_event_has_a_name_an_id_and_data() {
    let text = "id: 7\nevent: change\ndata: {\"version\":7}\n\n";
    assert_eq!(parse(text), [event("change", "7", "{\"version\":7}")]);
}

#[test]
fn an_event_ends_with_an_empty_line() {
    assert_eq!(parse("id: 7\nevent: open\ndata: {}\n"), []);
    assert_eq!(parse("id: 7\nevent: open\ndata: {}"), []);
}

#[test]
fn every_kind_of_line_end_counts() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["event: open", "data: a", "data: b", "", "data: c", "", ""].join(end);
        let expected = [event("open", "", "a\nb"), event("", "", "c")];
        assert_eq!(parse(&text), expected, "{end:?}");
    }
}

#[test]
fn comments_and_unknown_fields_are_ignored() {
    let text = ": heartbeat\n\n:\n\ncolor: red\nevent\ndata:x\n\n";
    assert_eq!(parse(text), [event("", "", "x")]);
}

#[test]
fn an_event_without_data_is_none_but_its_id_remains() {
    let text = "event: open\nid: 3\n\ndata: x\n\n";
    assert_eq!(parse(text), [event("", "3", "x")]);
}

#[test]
fn only_the_first_space_after_the_colon_is_not_part_of_the_value() {
    assert_eq!(parse("data:  x \n\n"), [event("", "", " x ")]);
    assert_eq!(parse("data\n\n"), [event("", "", "")]);
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_start_only() {
    assert_eq!(parse("\u{feff}data: x\n\n"), [event("", "", "x")]);
    assert_eq!(parse("\n\u{feff}data: x\n\n"), []);
}

#[test]
fn an_id_with_a_null_is_ignored() {
    assert_eq!(parse("id: 1\nid: 2\0\ndata: x\n\n"), [event("", "1", "x")]);
}

#[test]
fn a_name_that_is_not_utf8_is_none() {
    let events = EventParser::default().feed(b"event: \xff\ndata: \xff\n\n");
    let expected = ServerEvent {
        data: vec![0xff],
        ..ServerEvent::default()
    };
    assert_eq!(events, [expected]);
}

#[test]
fn the_pause_that_the_server_asks_for_is_a_number_of_milliseconds() {
    let mut parser = EventParser::default();
    assert_eq!(parser.retry(), None);
    parser.feed(b"retry: 1500\n");
    for not_a_number in ["", "soon", "-1", "+2", "1.5", "99999999999999999999999"] {
        parser.feed(format!("retry: {not_a_number}\n").as_bytes());
        assert_eq!(parser.retry(), Some(Duration::from_millis(1500)));
    }
}

#[test]
fn an_event_that_is_too_large_is_cut_and_the_next_one_is_whole() {
    let half = "x".repeat(MAX_EVENT / 2);
    let lines = format!("id: 1\nevent: change\ndata: {half}\ndata: {half}\n\ndata: y\n\n");
    let line = format!("id: 1\nevent: change\ndata: {half}{half}x\n\ndata: y\n\n");
    for text in [lines, line] {
        let mut parser = EventParser::default();
        let mut events = Vec::new();
        for chunk in text.as_bytes().chunks(60_000) {
            events.extend(parser.feed(chunk));
        }
        let cut = ServerEvent {
            is_cut: true,
            ..event("change", "1", "")
        };
        assert_eq!(events, [cut, event("", "1", "y")]);
    }
}

#[test]
fn a_line_that_is_too_long_and_no_data_is_ignored() {
    let long = "x".repeat(2 * MAX_EVENT);
    for field in ["event", "id", "color", ""] {
        let text = format!("id: 1\nevent: open\n{field}: {long}\ndata: y\n\n");
        assert_eq!(parse(&text), [event("open", "1", "y")], "{field}");
    }
}

#[test]
fn what_an_event_says_follows_from_its_name_and_id() {
    let read = |name, id, data| WireEvent::read(event(name, id, data));
    let said = |kind| Ok(Some(WireEvent { kind, version: 5 }));
    assert_eq!(
        read("open", "5", "{\"version\":5}"),
        said(WireEventKind::Open)
    );
    assert_eq!(read("reset", "5", "nonsense"), said(WireEventKind::Reset));
    let change = WireEventKind::Change(b"{}".to_vec());
    assert_eq!(read("change", "5", "{}"), said(change));
    assert_eq!(read("later", "", ""), Ok(None));
    assert_eq!(read("", "5", "{}"), Ok(None));
    for not_a_version in ["", "-1", "5.5", "five", "99999999999999999999"] {
        assert_eq!(read("change", not_a_version, "{}"), Err(NotAnEvent));
    }
}

#[test]
fn changes_that_are_too_large_are_a_reset() {
    let cut = ServerEvent {
        is_cut: true,
        ..event("change", "5", "")
    };
    let reset = WireEvent {
        kind: WireEventKind::Reset,
        version: 5,
    };
    assert_eq!(WireEvent::read(cut), Ok(Some(reset)));
}

/// Lines as they may be in a stream, and some that may not.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just("id: 12".to_owned()),
        Just("event: change".to_owned()),
        Just("data: {\"changed_at\":\"ü€😀\"}".to_owned()),
        Just("retry: 10".to_owned()),
        Just(": heartbeat".to_owned()),
        Just("\u{feff}".to_owned()),
        Just(String::new()),
        Just(String::new()),
        "[a-z:ü \0]{0,9}",
    ];
    let end = prop_oneof![Just("\n"), Just("\r"), Just("\r\n")];
    let lines = prop::collection::vec((line, end), 0..24);
    lines.prop_map(|lines| {
        let lines = lines.iter().map(|(line, end)| [line, *end].concat());
        lines.collect::<String>().into_bytes()
    })
}

proptest! {
    #[test]
    fn where_the_network_splits_the_bytes_does_not_matter(
        bytes in lines(),
        places in prop::collection::vec(0_usize..400, 0..40),
    ) {
        let mut whole = EventParser::default();
        let expected = whole.feed(&bytes);
        let mut places: Vec<usize> = places.into_iter().filter(|place| *place <= bytes.len()).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let mut parser = EventParser::default();
        let chunks = places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
        let events: Vec<ServerEvent> = chunks.flat_map(|chunk| parser.feed(chunk)).collect();
        prop_assert_eq!(events, expected);
        prop_assert_eq!(parser.retry(), whole.retry());
        let mut bytewise = EventParser::default();
        let events: Vec<ServerEvent> = bytes.iter().flat_map(|byte| bytewise.feed(&[*byte])).collect();
        prop_assert_eq!(events, EventParser::default().feed(&bytes));
    }
}
