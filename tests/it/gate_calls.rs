//! The rate-limit gate in client calls, in one tab and in several.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join, join3};
use futures_util::stream::{FuturesUnordered, StreamExt};
use lead_workspace::api::{LeadQuery, LeadScoring, TenantId};
use lead_workspace::client::gate::GateStatus;
use lead_workspace::client::hooks::{GateEvent, Hooks};
use lead_workspace::client::runtime::Runtime;
use lead_workspace::client::{CallOptions, Client, Config, Credentials, ErrorKind, HttpResponse};

use crate::support::{Answer, KEY, Wire, World, config, json, run};

const PAGE: &str = r#"{"data":[]}"#;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn limited(wait: u64) -> Answer {
    Ok(HttpResponse {
        status: 429,
        retry_after: Some(seconds(wait)),
        ..HttpResponse::default()
    })
}

async fn read(client: &Client) -> Result<(), ErrorKind> {
    let page = client.query_leads(&LeadQuery::default()).await;
    page.map(drop).map_err(|error| error.kind.clone())
}

async fn later(wait: Duration) {
    World::default().sleep(wait).await;
}

/// Returns a client in another tab than those of [`Wire::client`].
fn in_other_tab(wire: &Arc<Wire>) -> Client {
    wire.client_in(config(), World { random: 0.9 })
}

fn since_first(wire: &Wire) -> Vec<Duration> {
    let times = wire.times();
    times.iter().map(|at| *at - times[0]).collect()
}

#[test]
fn nothing_is_sent_while_limited_and_one_call_probes_first() {
    let page = || (Duration::ZERO, json(200, PAGE));
    // The probe takes one second; the other calls wait for its response.
    let probe = (seconds(1), json(200, PAGE));
    let wire = Wire::after([(Duration::ZERO, limited(4)), probe, page(), page()]);
    let client = wire.client();
    let late = async {
        later(seconds(1)).await;
        join(read(&client), read(&client)).await
    };
    let (first, (second, third)) = run(join(read(&client), late));
    assert_eq!((first, second, third), (Ok(()), Ok(()), Ok(())));
    assert_eq!(
        since_first(&wire),
        [seconds(0), seconds(4), seconds(5), seconds(5)]
    );
}

#[test]
fn a_wait_beyond_the_deadline_fails_at_once() {
    let wire = Wire::answering([limited(8), json(200, PAGE)]);
    let client = wire.client();
    let hurried = client.with_options(CallOptions {
        deadline: Some(seconds(5)),
        ..CallOptions::default()
    });
    let late = async {
        later(seconds(1)).await;
        read(&hurried).await
    };
    let (patient, hurried) = run(join(read(&client), late));
    assert_eq!(patient, Ok(()));
    assert_eq!(hurried, Err(ErrorKind::RateLimited));
    assert_eq!(
        wire.sent().len(),
        2,
        "the call with the short deadline was not sent"
    );
}

#[test]
fn an_abandoned_probe_is_followed_by_another() {
    let wire = Wire::after([
        (Duration::ZERO, limited(2)),
        (seconds(60), json(200, PAGE)),
        (Duration::ZERO, json(200, PAGE)),
    ]);
    let client = wire.client();
    let impatient = client.with_options(CallOptions {
        deadline: Some(seconds(4)),
        ..CallOptions::default()
    });
    let late = async {
        later(seconds(3)).await;
        read(&client).await
    };
    let (probe, other) = run(join(read(&impatient), late));
    assert!(matches!(probe, Err(ErrorKind::Timeout(_))));
    assert_eq!(other, Ok(()));
    assert_eq!(since_first(&wire), [seconds(0), seconds(2), seconds(4)]);
}

#[derive(Default)]
struct Seen(RefCell<Vec<GateEvent>>);

impl Hooks for Seen {
    fn on_gate(&self, event: GateEvent) {
        self.0.borrow_mut().push(event);
    }
}

#[test]
fn the_queue_is_visible() {
    let seen = Rc::new(Seen::default());
    let wire = Wire::answering([limited(3), json(200, PAGE), json(200, PAGE)]);
    let mut config = config();
    config.hooks = Some(Rc::clone(&seen) as _);
    let client = wire.client_of(config);
    let late = async {
        later(seconds(1)).await;
        assert!(matches!(client.gate().status, GateStatus::Closed { .. }));
        assert_eq!(client.gate().wait, seconds(2));
        read(&client).await
    };
    let (first, second) = run(join(read(&client), late));
    assert_eq!((first, second), (Ok(()), Ok(())));
    let seen = seen.0.borrow();
    let most = seen.iter().map(|event| event.waiting).max();
    assert_eq!(most, Some(2), "the limited call and the next one");
    assert!(seen.iter().any(|event| event.status == GateStatus::Probing));
    let last = seen.last().unwrap();
    assert_eq!((last.status, last.waiting), (GateStatus::Open, 0));
}

#[test]
fn only_tabs_of_one_workspace_share_a_gate() {
    let limited_tab = Wire::answering([limited(4), json(200, PAGE)]);
    let other_tab = Wire::answering([json(200, PAGE)]);
    let elsewhere = Wire::answering([json(200, PAGE)]);
    let first = limited_tab.client();
    let second = in_other_tab(&other_tab);
    let other = Config::new("https://other.example").unwrap();
    let third = elsewhere.client_of(other.with(Credentials::new(KEY).unwrap()));
    let late = async |client: &Client| {
        later(seconds(1)).await;
        read(client).await
    };
    let all = run(join3(read(&first), late(&second), late(&third)));
    assert_eq!(all, (Ok(()), Ok(()), Ok(())));
    let start = limited_tab.times()[0];
    assert_eq!(
        limited_tab.times()[1] - start,
        seconds(4),
        "it probes first"
    );
    let followed = other_tab.times()[0] - start;
    assert!(followed >= seconds(4) && followed <= Duration::from_millis(4_250));
    assert_eq!(elsewhere.times()[0] - start, seconds(1));
}

#[test]
fn a_new_tab_learns_of_the_limit() {
    let wire = Wire::answering([limited(4), json(200, PAGE)]);
    let first = wire.client();
    let new_tab = async {
        later(seconds(1)).await;
        let client = Wire::answering([]).client();
        assert!(matches!(client.gate().status, GateStatus::Closed { .. }));
    };
    let (read, ()) = run(join(read(&first), new_tab));
    assert_eq!(read, Ok(()));
}

#[test]
fn a_very_long_limit_fails_the_call_and_is_probed_after_five_minutes() {
    let wire = Wire::answering([limited(2_000_000), json(200, PAGE)]);
    let client = wire.client();
    run(async {
        let error = client.query_leads(&LeadQuery::default()).await.unwrap_err();
        assert_eq!(error.retry_after, Some(seconds(2_000_000)));
        assert_eq!(read(&client).await, Err(ErrorKind::RateLimited));
        later(seconds(300)).await;
        assert_eq!(read(&client).await, Ok(()));
    });
    assert_eq!(since_first(&wire), [seconds(0), seconds(300)]);
}

/// Runs calls of one tab that start one second after the limit.
async fn queued(client: &Client, count: usize) -> Vec<Result<(), ErrorKind>> {
    later(seconds(1)).await;
    let calls: FuturesUnordered<_> = (0..count).map(|_| read(client)).collect();
    calls.collect().await
}

#[test]
fn after_the_probe_calls_pass_in_small_groups_in_every_tab() {
    let page = || (seconds(1), json(200, PAGE));
    let limited_tab = Wire::after([(Duration::ZERO, limited(4)), page()]);
    let other_tab = Wire::after((0..20).map(|_| page()));
    let (first, second) = (limited_tab.client(), in_other_tab(&other_tab));
    let (result, all) = run(join(read(&first), queued(&second, 20)));
    assert!(result.is_ok() && all.iter().all(Result::is_ok));
    let start = limited_tab.times()[0];
    let sent = other_tab.times();
    let at = |time: u64| {
        sent.iter()
            .filter(|at| **at - start == seconds(time))
            .count()
    };
    // Two at first, then one more for each response.
    assert_eq!([at(4), at(5), at(6), at(7), at(8)], [0, 2, 4, 8, 6]);
}

#[test]
fn new_tabs_do_not_extend_the_wait_and_the_limited_tab_probes_first() {
    let limited_tab = Wire::answering([limited(20), json(200, PAGE)]);
    let other_tab = Wire::answering([json(200, PAGE)]);
    let (first, second) = (limited_tab.client(), in_other_tab(&other_tab));
    let newcomers = async {
        let mut clients = Vec::new();
        for _ in 0..50 {
            later(Duration::from_millis(100)).await;
            clients.push(Wire::answering([]).client());
        }
        clients
    };
    let late = async {
        later(seconds(1)).await;
        read(&second).await
    };
    let (one, two, clients) = run(join3(read(&first), late, newcomers));
    assert_eq!((one, two, clients.len()), (Ok(()), Ok(()), 50));
    let start = limited_tab.times()[0];
    assert_eq!(limited_tab.times()[1] - start, seconds(20));
    let followed = other_tab.times()[0] - start;
    assert!(followed >= seconds(20) && followed <= Duration::from_millis(20_250));
}

#[test]
fn hooks_are_notified_of_reopening_without_waiting_calls() {
    let seen = Rc::new(Seen::default());
    let mut config = config();
    config.hooks = Some(Rc::clone(&seen) as _);
    let client = Wire::answering([limited(40)]).client_of(config);
    let views =
        || -> Vec<GateStatus> { seen.0.borrow().iter().map(|event| event.status).collect() };
    run(async {
        assert_eq!(read(&client).await, Err(ErrorKind::RateLimited));
        later(seconds(39)).await;
        assert!(views().iter().all(|view| *view != GateStatus::Open));
        later(seconds(2)).await;
    });
    assert_eq!(views().last(), Some(&GateStatus::Open));
}

#[test]
fn of_several_limited_tabs_one_probes_for_all() {
    // Each tab's request is refused before the tab hears of the others; the probe takes one second.
    let wires = [(0.5, 1_000), (0.1, 1_001), (0.9, 1_002)].map(|(random, wait)| {
        let refused = (Duration::from_millis(wait), limited(4));
        let wire = Wire::after([refused, (seconds(1), json(200, PAGE))]);
        let client = wire.client_in(config(), World { random });
        (wire, client)
    });
    let [first, second, third] = &wires;
    let all = run(join3(read(&first.1), read(&second.1), read(&third.1)));
    assert_eq!(all, (Ok(()), Ok(()), Ok(())));
    let again = wires.each_ref().map(|(wire, _)| since_first(wire)[1]);
    assert_eq!(again, [6_001, 5_001, 6_001].map(Duration::from_millis));
}

/// Wraps a future and counts how often it is polled.
async fn counted<T>(polls: &Cell<usize>, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    poll_fn(|context| {
        polls.set(polls.get() + 1);
        future.as_mut().poll(context)
    })
    .await
}

#[test]
fn a_response_wakes_only_the_calls_that_may_proceed() {
    const CALLS: usize = 1_000;
    let page = || (Duration::from_millis(1), json(200, PAGE));
    let first = [(Duration::ZERO, limited(2))];
    let wire = Wire::after(first.into_iter().chain((0..=CALLS).map(|_| page())));
    let client = wire.client();
    let polls = Cell::new(0);
    let late = async {
        later(seconds(1)).await;
        let calls = (0..CALLS).map(|_| counted(&polls, read(&client)));
        let calls: FuturesUnordered<_> = calls.collect();
        calls.collect::<Vec<_>>().await
    };
    let (first, all) = run(join(read(&client), late));
    assert!(first.is_ok() && all.iter().all(Result::is_ok));
    assert_eq!(wire.sent().len(), CALLS + 2);
    assert!(polls.get() < 10 * CALLS, "{} polls", polls.get());
}

#[test]
fn keys_share_a_gate_only_within_a_named_workspace() {
    let client = |key: &str, tenant: Option<&str>| {
        let credentials = Credentials::new(key).unwrap();
        let tenant = tenant.map(TenantId::new);
        let config = Config::new("https://workspace.example").unwrap();
        let config = config.with(credentials.in_workspace(tenant).unwrap());
        Wire::answering([limited(60)]).client_of(config)
    };
    let closed = |client: &Client| matches!(client.gate().status, GateStatus::Closed { .. });
    for (tenant, shared) in [(Some("acme"), true), (None, false)] {
        let clients = [client("lwk_1_mine", tenant), client("lwk_2_yours", tenant)];
        assert_eq!(run(read(&clients[0])), Err(ErrorKind::RateLimited));
        assert_eq!(clients.each_ref().map(closed), [true, shared], "{tenant:?}");
    }
}

#[test]
fn a_start_is_not_sent_shortly_before_the_deadline() {
    let wire = Wire::answering([limited(4), json(202, r#"{"job_id":"j"}"#)]);
    let scoring = LeadScoring {
        lead_ids: Some(vec!["l1".into()]),
        lead_list_ids: None,
    };
    let client = wire.client().with_options(CallOptions {
        deadline: Some(Duration::from_millis(4_800)),
        ..CallOptions::default()
    });
    let error = run(client.score_leads(&scoring)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::RateLimited);
    assert!(!error.ambiguous, "the job was not started");
    assert_eq!((error.attempts, wire.sent().len()), (1, 1));
}
