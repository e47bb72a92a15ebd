//! API keys that change over time.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{join, select};
use lead_workspace::api::{LeadQuery, LeadScoring, Method, TenantId};
use lead_workspace::client::key_source::{KeyFuture, KeySource};
use lead_workspace::client::runtime::Runtime;
use lead_workspace::client::{CallOptions, Client, Config, ErrorKind, HttpResponse};

use crate::support::{Wire, World, json, run};

const PAGE: &str = r#"{"data":[]}"#;

/// Returns the given keys one after the other, each after one second.
struct Ring {
    keys: RefCell<Vec<Result<&'static str, &'static str>>>,
    calls: Cell<usize>,
}

impl KeySource for Ring {
    fn key(&self) -> KeyFuture {
        self.calls.set(self.calls.get() + 1);
        let key = self.keys.borrow_mut().remove(0);
        Box::pin(async move {
            World::default().sleep(Duration::from_secs(1)).await;
            key.map(str::to_owned).map_err(str::to_owned)
        })
    }
}

fn ring<const N: usize>(keys: [Result<&'static str, &'static str>; N]) -> Rc<Ring> {
    Rc::new(Ring {
        keys: RefCell::new(keys.to_vec()),
        calls: Cell::new(0),
    })
}

fn config(ring: &Rc<Ring>) -> Config {
    let source: Rc<dyn KeySource> = Rc::clone(ring) as _;
    let config = Config::new("").unwrap();
    config
        .with_key_source(source, Some(TenantId::new("acme")))
        .unwrap()
}

async fn read(client: &Client) -> Result<(), ErrorKind> {
    let page = client.query_leads(&LeadQuery::default()).await;
    page.map(drop).map_err(|error| error.kind.clone())
}

fn sent_keys(wire: &Wire) -> Vec<String> {
    let header = |name: &str, request: &lead_workspace::client::HttpRequest| {
        let found = request.headers.iter().find(|(header, _)| *header == name);
        found.unwrap().1.clone()
    };
    let sent = wire.sent();
    assert!(
        sent.iter()
            .all(|request| header("x-tenant-id", request) == "acme")
    );
    sent.iter()
        .map(|request| header("authorization", request))
        .collect()
}

#[test]
fn concurrent_calls_request_the_key_once() {
    let ring = ring([Ok("first")]);
    let wire = Wire::answering([json(200, PAGE), json(200, PAGE)]);
    let client = wire.client_of(config(&ring));
    assert_eq!(run(join(read(&client), read(&client))), (Ok(()), Ok(())));
    assert_eq!(ring.calls.get(), 1);
    assert_eq!(sent_keys(&wire), ["Bearer first", "Bearer first"]);
}

#[test]
fn a_rejected_key_is_renewed_once_even_for_a_start() {
    let ring = ring([Ok("old"), Ok("new")]);
    let started = json(202, r#"{"job_id":"j"}"#);
    let wire = Wire::answering([json(401, "{}"), started]);
    let scoring = LeadScoring {
        lead_ids: Some(vec!["l1".into()]),
        lead_list_ids: None,
    };
    run(wire.client_of(config(&ring)).score_leads(&scoring)).unwrap();
    assert_eq!(sent_keys(&wire), ["Bearer old", "Bearer new"]);

    let ring = self::ring([Ok("old"), Ok("older")]);
    let wire = Wire::answering([json(401, "{}"), json(401, "{}")]);
    let error = run(read(&wire.client_of(config(&ring)))).unwrap_err();
    assert_eq!(error, ErrorKind::KeyRefused);
    assert_eq!(ring.calls.get(), 2, "renewed only once");
}

#[test]
fn a_renewal_does_not_use_up_a_retry() {
    let ring = ring([Ok("old"), Ok("new")]);
    let busy = || json(503, "{}");
    let wire = Wire::answering([json(401, "{}"), busy(), busy(), busy()]);
    let client = wire.client_of(config(&ring));
    let twice = client.with_options(CallOptions {
        retries: Some(2),
        ..CallOptions::default()
    });
    let error = run(read(&twice)).unwrap_err();
    assert!(matches!(error, ErrorKind::Status), "{error:?}");
    assert_eq!(sent_keys(&wire).len(), 4);
}

#[test]
fn a_renewal_follows_retry_after() {
    let ring = ring([Ok("old"), Ok("new")]);
    let limited = HttpResponse {
        status: 429,
        retry_after: Some(Duration::from_secs(1)),
        ..HttpResponse::default()
    };
    let waits = (0..3).map(|_| Ok(limited.clone()));
    let rest = [json(401, "{}"), json(200, PAGE)];
    let wire = Wire::answering(waits.chain(rest));
    assert_eq!(run(read(&wire.client_of(config(&ring)))), Ok(()));
}

#[test]
fn calls_rejected_together_renew_once() {
    let ring = ring([Ok("old"), Ok("new")]);
    let refused = || json(401, "{}");
    let answers = [refused(), refused(), json(200, PAGE), json(200, PAGE)];
    let wire = Wire::after(answers.map(|answer| (Duration::from_secs(1), answer)));
    let client = wire.client_of(config(&ring));
    assert_eq!(run(join(read(&client), read(&client))), (Ok(()), Ok(())));
    assert_eq!(ring.calls.get(), 2);
}

#[test]
fn a_rejected_key_is_renewed_without_retries() {
    let ring = ring([Ok("old"), Ok("new")]);
    let wire = Wire::answering([json(401, "{}"), json(200, PAGE)]);
    let once = wire.client_of(config(&ring)).with_options(CallOptions {
        retries: Some(0),
        ..CallOptions::default()
    });
    assert_eq!(run(read(&once)), Ok(()));
    assert_eq!(sent_keys(&wire), ["Bearer old", "Bearer new"]);

    let ring = self::ring([Ok("old"), Ok("new")]);
    let wire = Wire::answering([json(401, "{}"), json(200, "{}")]);
    let client = wire.client_of(config(&ring));
    run(client.request(Method::Post, "/api/exports", None)).unwrap();
    assert_eq!(sent_keys(&wire), ["Bearer old", "Bearer new"]);
}

#[test]
fn the_next_call_uses_the_key_requested_by_an_ended_call() {
    let ring = ring([Ok("first")]);
    let wire = Wire::answering([json(200, PAGE)]);
    let client = wire.client_of(config(&ring));
    run(async {
        let patience = World::default().sleep(Duration::from_millis(500));
        drop(select(pin!(read(&client)), patience).await);
        assert_eq!(read(&client).await, Ok(()));
    });
    assert_eq!(ring.calls.get(), 1);
    assert_eq!(sent_keys(&wire), ["Bearer first"]);
}

#[test]
fn nothing_is_sent_without_a_key() {
    for key in [Err("signed out"), Ok("two words"), Ok("")] {
        let ring = ring([key]);
        let wire = Wire::answering([]);
        let error = run(read(&wire.client_of(config(&ring)))).unwrap_err();
        assert!(matches!(error, ErrorKind::NoKey(_)), "{error:?}");
    }
}

#[test]
fn a_pending_key_source_ends_with_the_call() {
    struct Silent;
    impl KeySource for Silent {
        fn key(&self) -> KeyFuture {
            Box::pin(std::future::pending())
        }
    }
    let wire = Wire::answering([]);
    let config = Config::new("")
        .unwrap()
        .with_key_source(Rc::new(Silent), None);
    let error = run(read(&wire.client_of(config.unwrap()))).unwrap_err();
    assert_eq!(error, ErrorKind::Timeout(Duration::from_secs(30)));
}
