//! How a stream ends, and what it never sends.

use std::cell::RefCell;
use std::rc::Rc;

use lead_workspace::client::changes::ChangeOptions;
use lead_workspace::client::key_source::{KeyFuture, KeySource};
use lead_workspace::client::{CallOptions, ErrorKind, Extra, HttpResponse, TransportError};

use super::{NOW, error, next, quiet, since, status};
use crate::stream_wire::{End, StreamWire, open, stream, whole};
use crate::support::{Wire, config, json};
#[test]
fn a_key_that_is_refused_ends_the_stream() {
    for (refusal, kind) in [(401, ErrorKind::KeyRefused), (403, ErrorKind::Forbidden)] {
        let first = stream(&[(NOW, &open(4))], End::Clean);
        let wire = StreamWire::answering([first, status(refusal), quiet(&open(4))]);
        let client = wire.client();
        let mut stream = client.changes(since(4));
        assert_eq!(next(&mut stream), ("open", 4));
        let error = error(&mut stream);
        assert_eq!((&error.kind, error.operation), (&kind, "stream_changes"));
        // It may be allowed later, by a change of the key's scope.
        assert_eq!(next(&mut client.changes(since(4))), ("open", 4));
    }
}

#[test]
fn a_server_without_a_stream_is_asked_once() {
    for refusal in [404, 405, 501, 422] {
        let wire = StreamWire::answering([status(refusal)]);
        let client = wire.client();
        let first = error(&mut client.changes(since(4)));
        assert!(first.is_not_offered());
        assert_eq!((first.status, first.attempts), (Some(refusal), 1));
        let text = first.to_string();
        let said = "This server has no stream of changes, as the workspace service does";
        assert!(text.starts_with(said), "{text}");
        let later = error(&mut client.clone().changes(ChangeOptions::default()));
        assert!(later.is_not_offered());
        assert_eq!((later.status, later.attempts), (Some(refusal), 0));
    }
}

#[test]
fn what_is_no_stream_ends_one_that_has_never_been_open() {
    let page = |status| {
        let page = HttpResponse {
            status,
            content_type: Some("text/html".into()),
            ..HttpResponse::default()
        };
        whole(Ok(page))
    };
    let other = [
        (page(200), "it is a web page"),
        (whole(json(200, "")), "it is not a stream of events"),
        (whole(json(204, "")), "it is not a stream of events"),
        (whole(Err(TransportError::Redirected)), ""),
    ];
    for (other, reason) in other {
        let wire = StreamWire::answering([other.clone()]);
        let failure = error(&mut wire.client().changes(since(4)));
        if let ErrorKind::Decode(why) = &failure.kind {
            assert!(why.starts_with(reason), "{why}");
        }
        assert!(
            failure
                .to_string()
                .contains("Check that this is the address")
        );

        // A proxy may send it while the service restarts.
        let first = stream(&[(NOW, &open(4))], End::Clean);
        let wire = StreamWire::answering([first, other, quiet(&open(4))]);
        let mut stream = wire.client().changes(since(4));
        assert_eq!([next(&mut stream), next(&mut stream)], [("open", 4); 2]);
    }
}

#[test]
fn parameters_that_cannot_be_right_are_refused_before_anything_is_sent() {
    let wire = StreamWire::answering([]);
    let error_of = |client: &lead_workspace::client::Client, options| {
        let error = error(&mut client.changes(options));
        assert!(matches!(error.kind, ErrorKind::Argument(_)), "{error}");
    };
    error_of(&wire.client(), since(-1));
    let mut extra = Extra::default();
    extra.query.push(("since".into(), "1".into()));
    let client = wire.client().with_options(CallOptions {
        extra: Rc::new(extra),
        ..CallOptions::default()
    });
    error_of(&client, ChangeOptions::default());
}

#[test]
fn a_transport_that_does_not_stream_says_so() {
    let wire = Wire::answering([]);
    let error = error(&mut wire.client().changes(ChangeOptions::default()));
    assert!(error.to_string().contains("part by part"), "{error}");
}

/// A source whose keys are numbered.
#[derive(Default)]
struct Keys(RefCell<u32>);

impl KeySource for Keys {
    fn key(&self) -> KeyFuture {
        *self.0.borrow_mut() += 1;
        let key = format!("key-{}", self.0.borrow());
        Box::pin(async move { Ok(key) })
    }
}

#[test]
fn a_refused_key_is_renewed_by_its_source() {
    let first = stream(&[(NOW, &open(4))], End::Clean);
    let wire = StreamWire::answering([first, status(401), quiet(&open(4))]);
    let keys = Rc::new(Keys::default());
    let config = config().with_key_source(keys, None).unwrap();
    let mut stream = wire.client_of(config).changes(since(4));
    assert_eq!([next(&mut stream), next(&mut stream)], [("open", 4); 2]);
    let sent = wire.sent();
    let key = |number: usize| sent[number].headers[1].1.clone();
    assert_eq!([key(1), key(2)], ["Bearer key-1", "Bearer key-2"]);
}
