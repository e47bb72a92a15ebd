//! A call from its first request to its last, on a fake clock.

use std::time::Duration;

use lead_workspace::api::{
    LeadId, LeadQuery, LeadScoring, LeadUpdate, Method, NewApprovalStatus, Raw,
};
use lead_workspace::client::budget::Budget;
use lead_workspace::client::{CallOptions, Client, Error, ErrorKind, HttpResponse, TransportError};

use crate::support::{Answer, KEY, Wire, World, config, json, run, timed};

const PAGE: &str = r#"{"data":[]}"#;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn status(status: u16) -> Answer {
    json(status, "{}")
}

fn limited(wait: Option<Duration>) -> Answer {
    Ok(HttpResponse {
        status: 429,
        retry_after: wait,
        ..HttpResponse::default()
    })
}

fn broken() -> Answer {
    Err(TransportError::Network("reset".into()))
}

fn silence() -> (Duration, Answer) {
    (Duration::from_secs(3600), broken())
}

async fn read(client: &Client) -> Result<(), Error> {
    client.query_leads(&LeadQuery::default()).await.map(drop)
}

async fn write(client: &Client) -> Result<(), Error> {
    let update = LeadUpdate {
        approval_status: NewApprovalStatus::Approved,
    };
    let id = LeadId::new("l1");
    client.update_lead(&id, &update).await.map(drop)
}

async fn score(client: &Client) -> Result<(), Error> {
    let scoring = LeadScoring {
        lead_ids: Some(vec!["l1".into()]),
        lead_list_ids: None,
    };
    client.score_leads(&scoring).await.map(drop)
}

fn gaps(wire: &Wire) -> Vec<Duration> {
    let times = wire.times();
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn a_read_is_retried_until_it_succeeds() {
    let wire = Wire::answering([status(503), broken(), json(200, PAGE)]);
    run(read(&wire.client())).unwrap();
    // Half of 200 ms and half of 400 ms, because the random source always returns 0.5.
    assert_eq!(gaps(&wire), [ms(100), ms(200)]);
}

#[test]
fn attempts_are_limited_and_counted_in_the_error() {
    let wire = Wire::answering([status(502), status(502), status(502)]);
    let error = run(read(&wire.client())).unwrap_err();
    assert_eq!(
        (error.status, error.attempts, error.ambiguous),
        (Some(502), 3, false)
    );

    let wire = Wire::answering([broken(), broken(), broken()]);
    let error = run(write(&wire.client())).unwrap_err();
    assert!(error.ambiguous, "the write may have succeeded");
}

#[test]
fn the_call_sets_the_number_of_retries() {
    for retries in [0, 1, 4] {
        let wire = Wire::answering(vec![status(500); retries + 1]);
        let client = wire.client().with_options(CallOptions {
            retries: Some(u32::try_from(retries).unwrap()),
            ..CallOptions::default()
        });
        assert_eq!(
            run(read(&client)).unwrap_err().attempts as usize,
            retries + 1
        );
    }
}

#[test]
fn permanent_errors_are_not_retried() {
    for code in [400, 401, 403, 404, 409, 422, 501] {
        let wire = Wire::answering([status(code)]);
        assert_eq!(run(read(&wire.client())).unwrap_err().attempts, 1, "{code}");
    }
    for answer in [
        json(200, "{"),
        Err(TransportError::Redirected),
        Err(TransportError::TooLarge),
    ] {
        let wire = Wire::answering([answer]);
        assert_eq!(run(read(&wire.client())).unwrap_err().attempts, 1);
    }
}

#[test]
fn an_uncertain_start_is_not_retried() {
    let unreadable = json(202, "<html>");
    for answer in [
        broken(),
        Err(TransportError::Timeout),
        Err(TransportError::TooLarge),
        status(500),
        status(503),
        unreadable,
    ] {
        let wire = Wire::answering([answer.clone()]);
        let error = run(score(&wire.client())).unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::OutcomeUnknown(_)),
            "{answer:?}: {error:?}"
        );
        assert!(error.ambiguous && !error.is_transient());
    }
    let done = json(202, r#"{"job_id":"j"}"#);
    let wire = Wire::answering([
        limited(None),
        Err(TransportError::NotSent("offline".into())),
        done,
    ]);
    run(score(&wire.client())).unwrap();
}

#[test]
fn a_request_rejected_by_the_platform_is_not_retried() {
    let refused = || {
        Err(TransportError::Refused(format!(
            "no such method with {KEY}"
        )))
    };
    for result in [
        {
            let wire = Wire::answering([refused()]);
            run(read(&wire.client())).map(drop)
        },
        {
            let wire = Wire::answering([refused()]);
            run(score(&wire.client())).map(drop)
        },
    ] {
        let error = result.unwrap_err();
        let ErrorKind::Argument(reason) = &error.kind else {
            panic!("{error:?}");
        };
        assert_eq!(
            reason,
            "the platform refused the request: no such method with [key]"
        );
        assert!(!error.is_transient() && !error.ambiguous);
        assert_eq!(error.attempts, 0, "nothing was sent");
    }
}

#[test]
fn a_get_has_no_body() {
    let wire = Wire::answering([]);
    let body = Raw::parse("{}".into()).unwrap();
    let error = run(wire.client().request(Method::Get, "/api/x", Some(&body))).unwrap_err();
    assert_eq!(
        error.kind,
        ErrorKind::Argument("a GET request cannot have a body".into())
    );
}

#[test]
fn deleting_an_already_deleted_lead_succeeds() {
    let wire = Wire::answering([broken(), status(404)]);
    run(wire.client().delete_lead(&LeadId::new("l1"))).unwrap();
    let wire = Wire::answering([status(404)]);
    let error = run(wire.client().delete_lead(&LeadId::new("l1"))).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound, "the lead never existed");
}

#[test]
fn attempts_and_calls_have_timeouts() {
    // 10 s, 10 s, and the rest of the 30 s after the backoffs.
    let wire = Wire::after([silence(), silence(), silence()]);
    let (result, took) = timed(read(&wire.client()));
    assert!(matches!(result.unwrap_err().kind, ErrorKind::Timeout(_)));
    assert!(took > ms(29_000) && took <= ms(30_000), "{took:?}");
    assert_eq!(wire.ended_early(), 3, "every request was aborted");

    let wire = Wire::after([silence(), silence()]);
    let client = wire.client().with_options(CallOptions {
        timeout: Some(ms(50)),
        deadline: Some(ms(120)),
        retries: Some(9),
        ..CallOptions::default()
    });
    let (result, took) = timed(read(&client));
    assert!(matches!(result.unwrap_err().kind, ErrorKind::Timeout(_)));
    assert!(took <= ms(120), "{took:?}");
}

#[test]
fn retry_after_is_a_lower_bound() {
    let wire = Wire::answering([limited(Some(ms(2_300))), json(200, PAGE)]);
    run(read(&wire.client())).unwrap();
    assert_eq!(gaps(&wire), [ms(2_300)]);

    // Shorter than the client's own backoff of 0.5 s.
    let wire = Wire::answering([limited(Some(ms(10))), json(200, PAGE)]);
    run(read(&wire.client())).unwrap();
    assert_eq!(gaps(&wire), [ms(500)]);
}

#[test]
fn a_retry_after_beyond_the_deadline_fails_at_once() {
    let wire = Wire::answering([limited(Some(ms(31_000)))]);
    let client = wire.client();
    let (result, took) = timed(read(&client));
    let error = result.unwrap_err();
    assert_eq!(error.kind, ErrorKind::RateLimited);
    assert_eq!((took, error.retry_after), (ms(0), Some(ms(31_000))));
    // The gate is now closed, so the next call is not sent.
    let (result, took) = timed(read(&client));
    let error = result.unwrap_err();
    assert_eq!((took, error.attempts), (ms(0), 0));
    assert_eq!(error.wait_seconds(), Some(31));
}

#[test]
fn an_empty_budget_stops_retries() {
    // 100 tokens pay for seven retries at 14 each.
    let free = (Budget::FULL / Budget::COST) as usize;
    let wire = Wire::answering(vec![status(500); free + 20]);
    let client = wire.client();
    let sent: u32 = (0..10)
        .map(|_| run(read(&client)).unwrap_err().attempts)
        .sum();
    assert_eq!(sent as usize, 10 + free);
}

#[test]
fn a_dropped_call_ends_at_any_stage() {
    let wire = Wire::after([silence()]);
    let client = wire.client();
    let call = client.get_lead(&LeadId::new("l1"));
    let (ended, _) = timed(async {
        let patience = lead_workspace::client::runtime::Runtime::sleep(&World::default(), ms(5));
        futures_util::future::select(call, patience).await;
    });
    let () = ended;
    assert_eq!(wire.ended_early(), 1);
}

#[test]
fn a_custom_request_is_retried_only_if_safe() {
    let path = "/api/enrichment/reverse-email-lookups";
    let wire = Wire::answering([status(503), json(200, r#"{"a":1}"#)]);
    let found = run(wire.client().request(Method::Get, path, None)).unwrap();
    assert_eq!(found.unwrap().text(), r#"{"a":1}"#);

    let body = Raw::from(serde_json::json!({"email": "a@b.example"}));
    let wire = Wire::answering([status(503)]);
    let error = run(wire.client().request(Method::Post, path, Some(&body))).unwrap_err();
    assert!(error.ambiguous);
    assert_eq!(wire.sent()[0].body.as_deref(), Some(body.text()));

    let wire = Wire::answering([]);
    for path in [
        "api",
        "//evil.example/x",
        "/a/../b",
        "/a/%2E%2e/b",
        "/a b",
        "/a\\b",
        "/a#b",
    ] {
        let error = run(wire.client().request(Method::Get, path, None)).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Argument(_)), "{path}");
    }
}

#[test]
fn the_job_path_is_configurable() {
    let wire = Wire::answering([json(200, r#"{"status":"done"}"#)]);
    let config = config().with_job_path("/v2/tasks/{job_id}").unwrap();
    run(wire.client_of(config).get_job(&"a/b".into())).unwrap();
    assert_eq!(
        wire.sent()[0].url,
        "https://workspace.example/v2/tasks/a%2Fb"
    );
}
