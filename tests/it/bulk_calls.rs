//! Setting one status on many leads, in chunks.

use std::cell::RefCell;
use std::time::Duration;

use lead_workspace::api::{LeadId, NewApprovalStatus};
use lead_workspace::client::runtime::Runtime;
use lead_workspace::client::{CallOptions, ErrorKind, HttpResponse, TransportError};
use lead_workspace::review::bulk_update::BulkOutcome;
use proptest::prelude::*;

use crate::support::{Answer, Wire, World, json, run, timed};

fn ids(count: usize) -> Vec<LeadId> {
    (0..count).map(|id| LeadId::new(id.to_string())).collect()
}

fn updated(count: usize) -> Answer {
    json(200, &format!(r#"{{"updated":{count}}}"#))
}

#[test]
fn each_chunk_has_its_own_result() {
    let wire = Wire::answering([
        updated(100),
        json(409, r#"{"detail":"no"}"#),
        Err(TransportError::Network("reset".into())),
        updated(1),
        json(404, r#"{"detail":"no such lead"}"#),
        json(200, "{}"),
    ]);
    let client = wire.client().with_options(CallOptions {
        retries: Some(0),
        ..CallOptions::default()
    });
    let seen = RefCell::new(Vec::new());
    let outcome = run(client.update_many_leads(
        ids(302),
        NewApprovalStatus::Approved,
        100,
        std::future::pending(),
        |progress| {
            let failed = progress.error.is_some();
            seen.borrow_mut()
                .push((progress.done, progress.total, failed));
        },
    ));
    assert_eq!(outcome.updated.len(), 101);
    assert_eq!(
        outcome.failed.len(),
        101,
        "one of the last two leads is missing"
    );
    assert_eq!(outcome.uncertain.len(), 100);
    let sizes: Vec<usize> = outcome.errors.iter().map(|it| it.ids.len()).collect();
    assert_eq!(sizes, [100, 100, 1]);
    assert_eq!(outcome.errors[2].error.server_message(), "no such lead");
    let expected = [
        (100, 302, false),
        (200, 302, true),
        (300, 302, true),
        (300, 302, false),
        (301, 302, true),
        (302, 302, false),
    ];
    assert_eq!(seen.into_inner(), expected);
}

#[test]
fn a_refused_chunk_is_split_until_the_refused_leads_are_found() {
    for status in [404, 422] {
        let refused = || json(status, r#"{"detail":"lead 2"}"#);
        let wire = Wire::answering([refused(), updated(2), refused(), refused(), json(200, "{}")]);
        let errors = RefCell::new(0);
        let outcome = run(wire.client().update_many_leads(
            ids(4),
            NewApprovalStatus::Approved,
            100,
            std::future::pending(),
            |progress| *errors.borrow_mut() += usize::from(progress.error.is_some()),
        ));
        let id = |id: usize| LeadId::new(id.to_string());
        assert_eq!(outcome.updated, [id(0), id(1), id(3)], "{status}");
        assert_eq!(outcome.failed, [id(2)]);
        assert!(outcome.uncertain.is_empty());
        assert_eq!((outcome.errors.len(), errors.into_inner()), (1, 1));
        assert_eq!(outcome.errors[0].ids, [id(2)]);
        assert_eq!(outcome.errors[0].error.server_message(), "lead 2");
        let paths: Vec<String> = wire.sent().into_iter().map(|sent| sent.url).collect();
        assert!(paths[3].ends_with("/api/leads/2") && paths[4].ends_with("/api/leads/3"));
    }
}

#[test]
fn a_wrong_address_does_not_cost_two_requests_per_lead() {
    let wire = Wire::answering((0..400).map(|_| json(404, r#"{"detail":"Not Found"}"#)));
    let outcome = run(wire.client().update_many_leads(
        ids(200),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!(outcome.failed.len(), 200);
    assert!(outcome.uncertain.is_empty());
    // There are 20 chunks. Only the first two are split: they are in flight together.
    assert!(wire.sent().len() <= 20 + 4 * 10, "{}", wire.sent().len());
}

#[test]
fn no_ids_need_no_request() {
    let client = Wire::answering([]).client();
    let status = NewApprovalStatus::Approved;
    let outcome = run(
        client.update_many_leads([], status, 100, std::future::pending(), |_| {
            panic!("there is no progress to report")
        }),
    );
    assert_eq!(outcome, BulkOutcome::default());
}

#[test]
fn cancel_before_the_first_request_fails_all_leads() {
    let client = Wire::answering([]).client();
    let status = NewApprovalStatus::Approved;
    let outcome = run(client.update_many_leads(ids(3), status, 2, async {}, |_| {}));
    assert_eq!(outcome.failed, ids(3));
    assert!(outcome.updated.is_empty() && outcome.uncertain.is_empty());
}

#[test]
fn each_id_is_sent_once() {
    let wire = Wire::answering([updated(2), updated(2), json(200, "{}")]);
    let outcome = run(wire.client().update_many_leads(
        [1, 2, 3, 2, 1, 4, 5].map(|id: usize| LeadId::new(id.to_string())),
        NewApprovalStatus::Approved,
        2,
        std::future::pending(),
        |_| {},
    ));
    let expected: Vec<LeadId> = ids(6).split_off(1);
    assert_eq!(outcome.updated, expected);
}

proptest! {
    #[test]
    fn every_id_ends_in_exactly_one_list(
        count in 0..60_usize,
        chunk in 0..9_usize,
        answers in prop::collection::vec(0..9_u8, 300),
        cancel in prop::option::of(0..20_u64),
    ) {
        let answers = answers.into_iter().map(|answer| {
            let answer = match answer {
                0 => json(404, "{}"),
                1 => json(422, r#"{"detail":"no"}"#),
                2 => json(409, "{}"),
                3 => Err(TransportError::Network("reset".into())),
                4 => limited(1),
                5 => updated(0),
                6 => updated(3),
                _ => json(200, "{}"),
            };
            (Duration::from_secs(1), answer)
        });
        let client = Wire::after(answers).client().with_options(CallOptions {
            retries: Some(0),
            ..CallOptions::default()
        });
        let cancel = async {
            match cancel {
                Some(seconds) => World::default().sleep(Duration::from_secs(seconds)).await,
                None => std::future::pending().await,
            }
        };
        let status = NewApprovalStatus::Approved;
        let last = RefCell::new(0);
        let outcome = run(client.update_many_leads(ids(count), status, chunk, cancel, |progress| {
            let BulkOutcome { updated, failed, uncertain, .. } = progress.outcome;
            assert_eq!(progress.done, updated.len() + failed.len() + uncertain.len());
            assert!(last.replace(progress.done) <= progress.done);
        }));
        let not_updated: usize = outcome.errors.iter().map(|it| it.ids.len()).sum();
        prop_assert!(not_updated <= outcome.failed.len() + outcome.uncertain.len());
        let mut all = [outcome.updated, outcome.failed, outcome.uncertain].concat();
        all.sort_by_key(|id| id.as_str().parse::<usize>().ok());
        prop_assert_eq!(all, ids(count));
    }
}

#[test]
fn at_most_two_chunks_are_in_flight() {
    let second = Duration::from_secs(1);
    let wire = Wire::after((0..5).map(|_| (second, updated(10))));
    let outcome = run(wire.client().update_many_leads(
        ids(50),
        NewApprovalStatus::Rejected,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!(outcome.updated.len(), 50);
    let times = wire.times();
    let since: Vec<u64> = times.iter().map(|at| (*at - times[0]).as_secs()).collect();
    assert_eq!(since, [0, 0, 1, 1, 2]);
}

#[test]
fn cancel_returns_the_known_results() {
    let wire = Wire::after((0..4).map(|_| (Duration::from_secs(1), updated(10))));
    let cancel = World::default().sleep(Duration::from_millis(1_500));
    let outcome = run(wire.client().update_many_leads(
        ids(60),
        NewApprovalStatus::Rejected,
        10,
        cancel,
        |_| {},
    ));
    assert_eq!(outcome.updated, ids(20));
    assert_eq!(outcome.uncertain.len(), 20, "these were in flight");
    assert_eq!(outcome.failed.len(), 20, "these were not sent");
    assert_eq!(wire.ended_early(), 2);
}

fn limited(seconds: u64) -> Answer {
    Ok(HttpResponse {
        status: 429,
        retry_after: Some(Duration::from_secs(seconds)),
        ..HttpResponse::default()
    })
}

#[test]
fn chunks_wait_when_rate_limited() {
    let wire = Wire::answering([updated(10), limited(120), updated(10), updated(10)]);
    let (outcome, took) = timed(wire.client().update_many_leads(
        ids(30),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |progress| assert!(progress.error.is_none()),
    ));
    assert_eq!(outcome.updated.len(), 30);
    assert!(outcome.errors.is_empty());
    assert!(took >= Duration::from_secs(120) && took < Duration::from_secs(180));
}

#[test]
fn a_persistent_rate_limit_ends_the_run_after_half_an_hour() {
    let wire = Wire::answering((0..40).map(|_| limited(200)));
    let (outcome, took) = timed(wire.client().update_many_leads(
        ids(30),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!(outcome.failed.len(), 30);
    assert_eq!(outcome.errors[0].error.kind, ErrorKind::RateLimited);
    assert!(took >= Duration::from_secs(1800) && took < Duration::from_secs(2400));
}

#[test]
fn a_rate_limit_beyond_the_deadline_ends_the_run() {
    let hour = 3_600;
    let wire = Wire::answering((0..2).map(|_| limited(hour)));
    let client = wire.client().with_options(CallOptions {
        deadline: Some(Duration::from_secs(30)),
        ..CallOptions::default()
    });
    let (outcome, took) = timed(client.update_many_leads(
        ids(30),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!((outcome.failed.len(), took), (30, Duration::ZERO));
    for missed in &outcome.errors {
        assert_eq!(missed.error.kind, ErrorKind::RateLimited);
        assert!(!missed.error.ambiguous);
    }
    let first = &outcome.errors[0];
    assert_eq!(first.error.retry_after, Some(Duration::from_secs(hour)));
}

#[test]
fn waits_within_a_chunk_end_at_the_common_deadline() {
    let wire = Wire::answering((0..40).map(|_| limited(1)));
    let client = wire.client().with_options(CallOptions {
        deadline: Some(Duration::from_secs(8)),
        ..CallOptions::default()
    });
    let outcome = run(client.update_many_leads(
        ids(10),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!(outcome.failed.len(), 10, "no lead was changed");
    let error = &outcome.errors[0].error;
    assert_eq!(error.kind, ErrorKind::RateLimited);
    assert!(!error.ambiguous);
}

#[test]
fn the_deadline_applies_to_all_chunks() {
    let wire = Wire::after((0..6).map(|_| (Duration::from_secs(2), updated(10))));
    let client = wire.client().with_options(CallOptions {
        deadline: Some(Duration::from_secs(5)),
        ..CallOptions::default()
    });
    let (outcome, took) = timed(client.update_many_leads(
        ids(100),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!(took, Duration::from_secs(5));
    assert_eq!((outcome.updated.len(), outcome.uncertain.len()), (40, 20));
    assert_eq!(outcome.failed.len(), 40);
    let errors: Vec<_> = outcome
        .errors
        .iter()
        .map(|it| (it.ids.len(), it.error.ambiguous))
        .collect();
    assert_eq!(errors, [(10, true), (40, false), (10, true)]);
    assert!(matches!(
        outcome.errors[0].error.kind,
        ErrorKind::Timeout(_)
    ));
}

#[test]
fn a_rejected_key_ends_the_run() {
    let wire = Wire::after([
        (Duration::ZERO, json(401, "{}")),
        (Duration::from_secs(1), json(401, "{}")),
    ]);
    let outcome = run(wire.client().update_many_leads(
        ids(60),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!(outcome.failed.len(), 60);
    assert_eq!(wire.sent().len(), 2);
    let sizes: Vec<usize> = outcome.errors.iter().map(|it| it.ids.len()).collect();
    assert_eq!(sizes, [50, 10], "including unsent leads");
}

#[test]
fn a_forbidden_key_ends_the_run() {
    let wire = Wire::after([
        (Duration::ZERO, json(403, "{}")),
        (Duration::from_secs(1), json(403, "{}")),
    ]);
    let outcome = run(wire.client().update_many_leads(
        ids(60),
        NewApprovalStatus::Approved,
        10,
        std::future::pending(),
        |_| {},
    ));
    assert_eq!((outcome.failed.len(), wire.sent().len()), (60, 2));
}
