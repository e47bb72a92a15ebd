//! The stream of changes over its connections, on a fake clock.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use lead_workspace::client::changes::{ChangeEvent, ChangeOptions, ChangeStream, Connection};
use lead_workspace::client::gate::GateStatus;
use lead_workspace::client::hooks::{Hooks, RetryEvent};
use lead_workspace::client::{CallOptions, Config, Error, Extra, HttpResponse, TransportError};

use crate::stream_wire::{End, Scripted, StreamWire, change, open, reset, stream, whole};
use crate::support::{KEY, clock_now, config, json, run};

mod endings;

const NOW: Duration = Duration::ZERO;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn since(version: i64) -> ChangeOptions {
    ChangeOptions {
        since: Some(version),
        ..ChangeOptions::default()
    }
}

/// The parameters of a request that resumes after a version.
fn after(version: i64) -> Vec<(String, String)> {
    vec![("since".into(), version.to_string())]
}

/// An event, for comparison: its kind and its version.
fn short(event: &ChangeEvent) -> (&'static str, i64) {
    match event {
        ChangeEvent::Open { version } => ("open", *version),
        ChangeEvent::Change(changes) => ("change", changes.version.unwrap()),
        ChangeEvent::Reset { version } => ("reset", *version),
    }
}

fn next(stream: &mut ChangeStream) -> (&'static str, i64) {
    short(&run(stream.next()).unwrap().unwrap())
}

fn error(stream: &mut ChangeStream) -> Error {
    let error = run(stream.next()).unwrap().unwrap_err();
    assert_eq!(run(stream.next()), None, "an error ends the stream");
    error
}

/// A stream that goes on without events.
fn quiet(text: &str) -> Scripted {
    stream(&[(NOW, text)], End::Silent)
}

fn status(status: u16) -> Scripted {
    whole(json(status, "{\"detail\":\"no\"}"))
}

#[test]
fn events_arrive_one_by_one() {
    let text = [open(4), change(5), change(7), reset(9)].concat();
    let wire = StreamWire::answering([quiet(&text)]);
    let mut stream = wire.client().changes(ChangeOptions::default());
    let events: Vec<_> = (0..4).map(|_| next(&mut stream)).collect();
    assert_eq!(
        events,
        [("open", 4), ("change", 5), ("change", 7), ("reset", 9)]
    );
    let sent = &wire.sent()[0];
    assert_eq!(sent.url, "https://workspace.example/api/leads/changes");
    assert_eq!(sent.query, []);
}

#[test]
fn changes_have_kinds_and_ids() {
    let data = "{\"version\":8,\"changed_at\":\"2026-05-30T00:00:00Z\",\"changes\":[{\"kind\":\"status\",\
                \"approval_status\":\"approved\",\"count\":1,\"ids\":[\"l1\"]},{\"kind\":\"later\",\"count\":2000}]}";
    let text = format!("id: 8\nevent: change\ndata: {data}\n\n");
    let wire = StreamWire::answering([quiet(&text)]);
    let mut stream = wire.client().changes(since(7));
    let Some(Ok(ChangeEvent::Change(changes))) = run(stream.next()) else {
        panic!("no change");
    };
    let kinds = changes.changes.unwrap();
    assert_eq!(kinds[0].ids.as_deref(), Some(&["l1".to_owned()][..]));
    assert_eq!((kinds[1].count, &kinds[1].ids), (Some(2000), &None));
}

#[test]
fn nothing_is_sent_before_the_first_event_is_asked_for() {
    let wire = StreamWire::answering([]);
    let stream = wire.client().changes(ChangeOptions::default());
    assert_eq!(wire.open(), 0);
    drop(stream);
}

#[test]
fn a_stream_resumes_after_its_last_event_however_it_ended() {
    for (end, silence) in [
        (End::Clean, NOW),
        (End::Broken, NOW),
        (End::Silent, seconds(45)),
    ] {
        let first = stream(&[(NOW, &open(4)), (seconds(20), &change(6))], end);
        let wire = StreamWire::answering([first, quiet(&(open(6) + &change(7)))]);
        let mut stream = wire.client().changes(since(4));
        let events: Vec<_> = (0..4).map(|_| next(&mut stream)).collect();
        assert_eq!(
            events,
            [("open", 4), ("change", 6), ("open", 6), ("change", 7)]
        );
        assert_eq!(wire.queries(), [after(4), after(6)]);
        // Half of 200 ms, because the random source always returns 0.5.
        assert_eq!(wire.gaps(), [seconds(20) + silence + ms(100)], "{end:?}");
        assert_eq!(wire.open(), 1, "the dead connection is aborted");
    }
}

#[test]
fn a_stream_from_now_on_resumes_after_the_version_that_it_opened_with() {
    let wire = StreamWire::answering([stream(&[(NOW, &open(4))], End::Broken), quiet(&open(4))]);
    let mut stream = wire.client().changes(ChangeOptions::default());
    assert_eq!([next(&mut stream), next(&mut stream)], [("open", 4); 2]);
    assert_eq!(wire.queries(), [vec![], after(4)]);
}

#[test]
fn an_event_that_was_cut_off_is_sent_again() {
    let cut = &change(5)[..20];
    let first = stream(&[(NOW, &open(4)), (NOW, cut)], End::Broken);
    let wire = StreamWire::answering([first, quiet(&(open(4) + &change(5)))]);
    let mut stream = wire.client().changes(since(4));
    let events: Vec<_> = (0..3).map(|_| next(&mut stream)).collect();
    assert_eq!(events, [("open", 4), ("open", 4), ("change", 5)]);
}

#[test]
fn heartbeats_keep_a_quiet_stream_open() {
    let mut parts = vec![(NOW, open(4))];
    parts.extend((0..20).map(|_| (seconds(15), ": \n".to_owned())));
    parts.push((NOW, change(5)));
    let parts: Vec<_> = parts
        .iter()
        .map(|(pause, text)| (*pause, &**text))
        .collect();
    let wire = StreamWire::answering([stream(&parts, End::Silent)]);
    let mut stream = wire.client().changes(since(4));
    assert_eq!(next(&mut stream), ("open", 4));
    assert_eq!(next(&mut stream), ("change", 5));
}

#[test]
fn failures_that_may_pass_never_end_a_stream() {
    let limited = whole(Ok(HttpResponse {
        status: 429,
        retry_after: Some(seconds(3)),
        ..HttpResponse::default()
    }));
    let mut scripts: Vec<Scripted> = [500, 502, 503, 504, 520, 408, 425].map(status).into();
    scripts.push(whole(Err(TransportError::Network("reset".into()))));
    scripts.push(whole(Err(TransportError::NotSent("offline".into()))));
    scripts.push(limited);
    scripts.extend((0..30).map(|_| status(503)));
    scripts.push(quiet(&open(4)));
    let wire = StreamWire::answering(scripts);
    let mut stream = wire.client().changes(since(4));
    assert_eq!(next(&mut stream), ("open", 4));
    let gaps = wire.gaps();
    assert_eq!(gaps[..4], [ms(100), ms(200), ms(400), ms(800)]);
    // Half of 20 s.
    assert_eq!(gaps.last(), Some(&seconds(10)));
}

#[test]
fn a_server_that_does_not_respond_is_asked_again() {
    let late = Scripted {
        wait: seconds(60),
        ..status(503)
    };
    let wire = StreamWire::answering([late, quiet(&open(4))]);
    let mut stream = wire.client().changes(since(4));
    assert_eq!(next(&mut stream), ("open", 4));
    // After the time limit of an attempt.
    assert_eq!(wire.gaps(), [seconds(10) + ms(100)]);
}

#[test]
fn a_wait_that_the_server_asks_for_is_never_undercut() {
    let limited = whole(Ok(HttpResponse {
        status: 429,
        retry_after: Some(seconds(120)),
        ..HttpResponse::default()
    }));
    let wire = StreamWire::answering([limited, quiet(&open(4))]);
    let client = wire.client();
    let mut stream = client.changes(since(4));
    run(poll_fn(|context| {
        assert!(pin!(stream.next()).poll(context).is_pending());
        Poll::Ready(())
    }));
    // All other calls wait, too.
    assert!(matches!(client.gate().status, GateStatus::Closed { .. }));
    assert_eq!(next(&mut stream), ("open", 4));
    assert!(wire.gaps()[0] >= seconds(120));
}

#[test]
fn a_server_that_ends_each_connection_at_once_is_asked_less_and_less() {
    let short = stream(&[(NOW, &open(4))], End::Clean);
    let lasting = stream(&[(NOW, &open(4)), (seconds(10), ": \n")], End::Clean);
    let scripts = [
        short.clone(),
        short.clone(),
        short,
        lasting,
        quiet(&open(4)),
    ];
    let wire = StreamWire::answering(scripts);
    let mut stream = wire.client().changes(since(4));
    for _ in 0..5 {
        assert_eq!(next(&mut stream), ("open", 4));
    }
    let expected = [ms(100), ms(200), ms(400), seconds(10) + ms(100)];
    assert_eq!(wire.gaps(), expected);
}

#[test]
fn the_server_may_ask_for_a_pause_of_up_to_a_minute() {
    for (asked, pause) in [("2000", seconds(2)), ("99999999", seconds(60))] {
        let text = format!("retry: {asked}\n\n{}", open(4));
        let first = stream(&[(NOW, &text)], End::Clean);
        let wire = StreamWire::answering([first, status(503), quiet(&open(4))]);
        let mut stream = wire.client().changes(since(4));
        assert_eq!([next(&mut stream), next(&mut stream)], [("open", 4); 2]);
        assert_eq!(wire.gaps(), [pause + ms(100), pause + ms(200)]);
    }
}

#[test]
fn an_event_without_a_version_breaks_the_connection() {
    let nonsense = open(4) + &change(5) + "event: change\nid: x\ndata: {}\n\n" + &change(6);
    let first = stream(&[(NOW, &nonsense)], End::Silent);
    let wire = StreamWire::answering([first, quiet(&(open(5) + &change(6)))]);
    let mut stream = wire.client().changes(since(4));
    let events: Vec<_> = (0..4).map(|_| next(&mut stream)).collect();
    assert_eq!(
        events,
        [("open", 4), ("change", 5), ("open", 5), ("change", 6)]
    );
}

#[test]
fn changes_that_cannot_be_read_may_be_any() {
    for data in ["{\"version\":", "[]", "{}", "{\"changes\":\"many\"}"] {
        let garbage = format!("id: 5\nevent: change\ndata: {data}\n\n");
        let wire = StreamWire::answering([quiet(&(open(4) + &garbage + &change(6)))]);
        let mut stream = wire.client().changes(since(4));
        let events: Vec<_> = (0..3).map(|_| next(&mut stream)).collect();
        let expected = [("open", 4), ("reset", 5), ("change", 6)];
        assert_eq!(events, expected, "{data}");
    }
}

#[test]
fn events_of_later_versions_of_the_service_are_ignored() {
    let text = open(4) + "id: 5\nevent: note\ndata: {}\n\n" + &change(6);
    let wire = StreamWire::answering([quiet(&text)]);
    let mut stream = wire.client().changes(since(4));
    assert_eq!(
        [next(&mut stream), next(&mut stream)],
        [("open", 4), ("change", 6)]
    );
}

#[test]
fn dropping_the_stream_aborts_the_request() {
    let wire = StreamWire::answering([quiet(&open(4))]);
    let mut stream = wire.client().changes(since(4));
    next(&mut stream);
    assert_eq!(wire.open(), 1);
    drop(stream);
    assert_eq!(wire.open(), 0);
}

#[test]
fn dropping_the_wait_for_an_event_loses_nothing() {
    let parts = [(NOW, &*open(4)), (seconds(5), &*change(5))];
    let wire = StreamWire::answering([stream(&parts, End::Silent)]);
    let mut stream = wire.client().changes(since(4));
    assert_eq!(next(&mut stream), ("open", 4));
    run(poll_fn(|context| {
        assert!(pin!(stream.next()).poll(context).is_pending());
        Poll::Ready(())
    }));
    assert_eq!(next(&mut stream), ("change", 5));
    assert_eq!(wire.sent().len(), 1);
}

#[test]
fn the_connection_is_reported() {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let heard_too = Rc::clone(&heard);
    let options = ChangeOptions {
        since: Some(4),
        on_connection: Some(Rc::new(move |connection| {
            heard_too.borrow_mut().push(match connection {
                Connection::Open => "open".to_owned(),
                Connection::Broken { since, error } => {
                    let since = since.map(|since| clock_now() - since);
                    format!("broken for {since:?}: {}", error.headline())
                }
            });
        })),
    };
    let parts = [(NOW, &*open(4)), (seconds(1), &*change(5))];
    let first = stream(&parts, End::Broken);
    let scripts = [status(503), first, status(503), quiet(&open(5))];
    let wire = StreamWire::answering(scripts);
    let mut stream = wire.client().changes(options);
    for _ in 0..3 {
        next(&mut stream);
    }
    let expected = [
        "broken for None: The service is unavailable",
        "open",
        "broken for Some(0ns): The server cannot be reached",
        // The first backoff is that of a second failure: the connection did not last.
        "broken for Some(200ms): The service is unavailable",
        "open",
    ];
    assert_eq!(*heard.borrow(), expected);
}

#[test]
fn headers_are_those_of_every_call() {
    let tenant = Config::new("https://workspace.example").unwrap();
    let credentials = lead_workspace::client::Credentials::new(KEY).unwrap();
    let credentials = credentials.in_workspace(Some("t1".into())).unwrap();
    let mut config = tenant.with(credentials);
    config.extra_headers.set("x-team", "a").unwrap();
    let mut extra = Extra::default();
    extra.query.push(("trace".into(), "1".into()));
    let wire = StreamWire::answering([quiet(&open(4))]);
    let client = wire.client_of(config).with_options(CallOptions {
        extra: Rc::new(extra),
        ..CallOptions::default()
    });
    next(&mut client.changes(since(4)));
    let sent = &wire.sent()[0];
    let key = format!("Bearer {KEY}");
    let expected = [
        ("accept", "text/event-stream"),
        ("authorization", key.as_str()),
        ("x-tenant-id", "t1"),
    ];
    let headers = sent.headers.iter();
    let headers: Vec<_> = headers
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    assert_eq!(headers, expected);
    assert!(sent.extra_headers.iter().any(|(name, _)| name == "x-team"));
    assert_eq!(sent.query[1], ("trace".into(), "1".into()));
}

#[derive(Default)]
struct Heard(RefCell<Vec<(u32, Duration)>>);

impl Hooks for Heard {
    fn on_retry(&self, event: &RetryEvent<'_>) {
        assert_eq!(event.operation, "stream_changes");
        self.0.borrow_mut().push((event.attempt, event.delay));
    }
}

#[test]
fn hooks_hear_of_each_reconnection() {
    let heard = Rc::new(Heard::default());
    let mut config = config();
    config.hooks = Some(Rc::clone(&heard) as _);
    let wire = StreamWire::answering([status(503), status(503), quiet(&open(4))]);
    next(&mut wire.client_of(config).changes(since(4)));
    assert_eq!(*heard.0.borrow(), [(1, ms(100)), (2, ms(200))]);
}
