//! The gate as calls meet it, in one tab and in several.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{join, join3};
use lead_workspace::api::LeadQuery;
use lead_workspace::client::gate::View;
use lead_workspace::client::hooks::{GateEvent, Hooks};
use lead_workspace::client::runtime::Runtime;
use lead_workspace::client::{CallOptions, Client, Config, Credentials, ErrorKind, Reply};

use crate::support::{Answer, KEY, Wire, World, config, json, run};

const PAGE: &str = r#"{"data":[]}"#;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn limited(wait: u64) -> Answer {
    Ok(Reply {
        status: 429,
        retry_after: Some(seconds(wait)),
        ..Reply::default()
    })
}

async fn read(client: &Client) -> Result<(), ErrorKind> {
    let page = client.query_leads(&LeadQuery::default()).await;
    page.map(drop).map_err(|error| error.kind.clone())
}

async fn later(wait: Duration) {
    World::default().sleep(wait).await;
}

fn since_first(wire: &Wire) -> Vec<Duration> {
    let times = wire.times();
    times.iter().map(|at| *at - times[0]).collect()
}

#[test]
fn while_the_limit_holds_nobody_is_sent_and_one_asks_first() {
    let page = || (Duration::ZERO, json(200, PAGE));
    // The probe takes a second; the others wait for its answer.
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
fn a_wait_past_the_deadline_is_not_waited() {
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
    assert_eq!(wire.sent().len(), 2, "the hurried one never left");
}

#[test]
fn a_probe_that_is_given_up_is_followed_by_another() {
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
        later(seconds(1)).await;
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
fn the_queue_can_be_seen() {
    let seen = Rc::new(Seen::default());
    let wire = Wire::answering([limited(3), json(200, PAGE), json(200, PAGE)]);
    let mut config = config();
    config.hooks = Some(Rc::clone(&seen) as _);
    let client = wire.client_of(config);
    let late = async {
        later(seconds(1)).await;
        assert!(matches!(client.gate().view, View::Closed { .. }));
        assert_eq!(client.gate().wait, seconds(2));
        read(&client).await
    };
    let (first, second) = run(join(read(&client), late));
    assert_eq!((first, second), (Ok(()), Ok(())));
    let seen = seen.0.borrow();
    let most = seen.iter().map(|event| event.waiting).max();
    assert_eq!(most, Some(2), "the limited call, and the one behind it");
    assert!(seen.iter().any(|event| event.view == View::Probing));
    let last = seen.last().unwrap();
    assert_eq!((last.view, last.waiting), (View::Open, 0));
}

#[test]
fn tabs_of_one_workspace_share_the_gate_and_others_do_not() {
    let limited_tab = Wire::answering([limited(4), json(200, PAGE)]);
    let other_tab = Wire::answering([json(200, PAGE)]);
    let elsewhere = Wire::answering([json(200, PAGE)]);
    let first = limited_tab.client();
    let second = other_tab.client();
    let other = Config::new("https://other.example").unwrap();
    let third = elsewhere.client_of(other.with(Credentials::new(KEY).unwrap()));
    let late = async |client: &Client| {
        later(seconds(1)).await;
        read(client).await
    };
    let all = run(join3(read(&first), late(&second), late(&third)));
    assert_eq!(all, (Ok(()), Ok(()), Ok(())));
    let start = limited_tab.times()[0];
    assert_eq!(limited_tab.times()[1] - start, seconds(4), "it asks first");
    let followed = other_tab.times()[0] - start;
    assert!(followed >= seconds(4) && followed <= Duration::from_millis(4_250));
    assert_eq!(elsewhere.times()[0] - start, seconds(1));
}

#[test]
fn a_tab_that_opens_later_learns_of_the_limit() {
    let wire = Wire::answering([limited(4), json(200, PAGE)]);
    let first = wire.client();
    let new_tab = async {
        later(seconds(1)).await;
        let client = Wire::answering([]).client();
        assert!(matches!(client.gate().view, View::Closed { .. }));
    };
    let (read, ()) = run(join(read(&first), new_tab));
    assert_eq!(read, Ok(()));
}
