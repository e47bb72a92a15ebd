//! Hooks that a program can register.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::select;
use lead_workspace::api::LeadId;
use lead_workspace::client::HttpResponse;
use lead_workspace::client::hooks::{Hooks, RequestEvent, ResponseEvent, RetryEvent};
use lead_workspace::client::runtime::Runtime;

use crate::support::{KEY, Wire, World, config, json, run};

#[derive(Default)]
struct Diary(RefCell<Vec<String>>);

impl Hooks for Diary {
    fn on_request(&self, event: &RequestEvent<'_>) {
        self.0.borrow_mut().push(format!("{event:?}"));
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        self.0.borrow_mut().push(format!("{event:?}"));
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        self.0.borrow_mut().push(format!("{event:?}"));
    }
}

#[test]
fn hooks_report_every_step_without_secrets() {
    let diary = Rc::new(Diary::default());
    let mut config = config();
    config.hooks = Some(Rc::clone(&diary) as _);
    let busy = HttpResponse {
        status: 503,
        request_id: Some("r1".into()),
        body: format!(r#"{{"detail":"Bearer {KEY} is busy"}}"#).into_bytes(),
        ..HttpResponse::default()
    };
    let wire = Wire::after([
        (Duration::from_millis(40), Ok(busy)),
        (Duration::ZERO, json(200, r#"{"id":"l1"}"#)),
    ]);
    run(wire.client_of(config).get_lead(&LeadId::new("l1"))).unwrap();
    let diary = diary.0.borrow();
    let says = |entry: usize, text: &str| {
        assert!(diary[entry].contains(text), "{text} in {}", diary[entry]);
    };
    assert_eq!(diary.len(), 5);
    says(0, "https://workspace.example/api/leads/l1");
    says(1, "status: Some(503)");
    says(1, "request_id: Some(\"r1\")");
    says(1, "duration: 40ms");
    says(2, "delay: 100ms");
    says(3, "attempt: 2");
    says(4, "status: Some(200)");
    says(1, "kind: Status");
    says(4, "error: None");
    assert!(!diary.iter().any(|entry| entry.contains(KEY)), "{diary:?}");
}

#[test]
fn hooks_see_the_end_of_a_dropped_call() {
    let diary = Rc::new(Diary::default());
    let mut config = config();
    config.hooks = Some(Rc::clone(&diary) as _);
    let wire = Wire::after([(Duration::from_secs(9), json(200, "{}"))]);
    let client = wire.client_of(config);
    run(async {
        let call = client.get_lead(&LeadId::new("l1"));
        drop(select(call, World::default().sleep(Duration::from_millis(30))).await);
    });
    assert_eq!(wire.ended_early(), 1);
    let diary = diary.0.borrow();
    assert_eq!(diary.len(), 2, "{diary:?}");
    for text in [
        "ResponseEvent",
        "status: None",
        "duration: 30ms",
        "aborted: true",
        "error: None",
    ] {
        assert!(diary[1].contains(text), "{text} in {}", diary[1]);
    }
}

/// What the hooks hear of an error: whether the request was aborted, its attempts, and whether it may have taken effect.
#[derive(Default)]
struct Failures(RefCell<Vec<(&'static str, bool, u32, bool)>>);

impl Hooks for Failures {
    fn on_response(&self, event: &ResponseEvent<'_>) {
        let error = event.error.unwrap();
        let heard = ("response", event.aborted, error.attempts, error.ambiguous);
        self.0.borrow_mut().push(heard);
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        let heard = ("retry", false, event.error.attempts, event.error.ambiguous);
        self.0.borrow_mut().push(heard);
    }
}

#[test]
fn hooks_receive_the_error_of_each_request() {
    let failures = Rc::new(Failures::default());
    let mut config = config();
    config.hooks = Some(Rc::clone(&failures) as _);
    config.policy.attempts = 2;
    let hour = Duration::from_secs(3600);
    let wire = Wire::after([
        (hour, json(200, "{}")),
        (Duration::ZERO, json(503, "{}")),
        (Duration::ZERO, json(404, "{}")),
    ]);
    let client = wire.client_of(config);
    assert!(run(client.delete_lead(&LeadId::new("l1"))).is_err());
    assert!(run(client.get_lead(&LeadId::new("l1"))).is_err());
    assert_eq!(
        *failures.0.borrow(),
        [
            // A timeout is not an abort.
            ("response", false, 1, true),
            ("retry", false, 1, true),
            ("response", false, 2, true),
            ("response", false, 1, false),
        ]
    );
}
