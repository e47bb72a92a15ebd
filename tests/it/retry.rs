//! Retry rules. Every case checks the delay, the requests sent and the tokens left.

use std::time::Duration;

use lead_workspace::client::budget::Budget;
use lead_workspace::client::retry::{
    AttemptError, Attempts, MonotonicTime, Policy, RetryDecision, StopReason, TimeLimits,
};
use lead_workspace_api::Retry;
use proptest::prelude::*;

const CLASSES: [Retry; 4] = [Retry::Read, Retry::Idempotent, Retry::Delete, Retry::Start];

pub fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

pub fn status(status: u16) -> AttemptError {
    AttemptError::Status {
        status,
        retry_after: None,
    }
}

pub fn limited(wait: Duration) -> AttemptError {
    AttemptError::Status {
        status: 429,
        retry_after: Some(wait),
    }
}

pub fn start(class: Retry, policy: Policy, deadline: Duration) -> Attempts {
    let attempt = ms(30_000);
    Attempts::start(
        class,
        policy,
        TimeLimits { attempt, deadline },
        MonotonicTime::ZERO,
    )
}

pub fn read() -> Attempts {
    start(Retry::Read, Policy::default(), ms(30_000))
}

#[test]
fn success_after_retries() {
    let (mut call, mut budget) = (read(), Budget::default());
    assert_eq!(
        call.failed(status(503), ms(10), 0.5, &mut budget),
        RetryDecision::Again(ms(110))
    );
    assert_eq!(
        call.failed(AttemptError::Network, ms(120), 0.5, &mut budget),
        RetryDecision::Again(ms(320))
    );
    budget.refund();
    assert_eq!((call.attempts(), budget.tokens()), (2, 100 - 14 - 14 + 1));
}

#[test]
fn attempts_exhausted() {
    let (mut call, mut budget) = (read(), Budget::default());
    for now in [0, 1000] {
        assert!(matches!(
            call.failed(status(500), ms(now), 0.0, &mut budget),
            RetryDecision::Again(_)
        ));
    }
    assert_eq!(
        call.failed(status(500), ms(2000), 0.0, &mut budget),
        RetryDecision::Fail(StopReason::Exhausted)
    );
    // The last failure is not retried and costs no tokens.
    assert_eq!((call.attempts(), budget.tokens()), (3, 72));
}

#[test]
fn one_attempt_means_no_retry() {
    for attempts in [0, 1] {
        let policy = Policy {
            attempts,
            ..Policy::default()
        };
        let mut call = start(Retry::Read, policy, ms(30_000));
        let mut budget = Budget::default();
        assert_eq!(
            call.failed(status(503), ms(0), 0.0, &mut budget),
            RetryDecision::Fail(StopReason::Exhausted)
        );
        assert_eq!(budget.tokens(), 100);
    }
}

#[test]
fn a_start_needs_a_second_or_its_full_timeout() {
    let starting = |attempt, deadline| {
        let (attempt, deadline) = (ms(attempt), ms(deadline));
        let limits = TimeLimits { attempt, deadline };
        Attempts::start(Retry::Start, Policy::default(), limits, ms(0))
    };
    let usual = || starting(30_000, 60_000);
    assert!(usual().has_time(ms(59_000)) && !usual().has_time(ms(59_001)));
    // Unless the attempt or the whole call has a shorter limit.
    assert!(starting(100, 60_000).has_time(ms(59_900)));
    assert!(starting(30_000, 500).has_time(ms(250)));
    assert!(read().has_time(ms(29_999)) && !read().has_time(ms(30_000)));
    let late = usual().failed(limited(ms(1_000)), ms(58_001), 0.0, &mut Budget::default());
    assert_eq!(
        late,
        RetryDecision::Fail(StopReason::WaitTooLong { until: ms(59_001) })
    );
}

#[test]
fn backoff_doubles_up_to_its_cap_and_never_overflows() {
    let policy = Policy::default();
    let ceilings: Vec<u64> = (0..9)
        .map(|retry| u64::try_from(policy.ceiling(retry, false).as_millis()).unwrap())
        .collect();
    assert_eq!(
        ceilings,
        [200, 400, 800, 1600, 3200, 6400, 12_800, 20_000, 20_000]
    );
    assert_eq!(policy.ceiling(0, true), ms(1000));
    assert_eq!(policy.ceiling(4, true), ms(16_000));
    for retry in [31, 32, 63, 64, u32::MAX] {
        assert_eq!(policy.ceiling(retry, false), ms(20_000));
        assert_eq!(policy.ceiling(retry, true), ms(20_000));
    }
    assert_eq!(policy.backoff(0, false, f64::NAN), Duration::ZERO);
}

#[test]
fn retry_after_is_a_lower_bound() {
    let wait = |delay: u64, random: f64| {
        read().failed(limited(ms(delay)), ms(100), random, &mut Budget::default())
    };
    // Below, within and above the backoff of at most one second.
    assert_eq!(wait(0, 0.5), RetryDecision::Again(ms(600)));
    assert_eq!(wait(400, 0.5), RetryDecision::Again(ms(600)));
    assert_eq!(wait(700, 0.5), RetryDecision::Again(ms(800)));
    assert_eq!(wait(20_000, 0.5), RetryDecision::Again(ms(20_100)));
}

#[test]
fn a_retry_after_beyond_the_deadline_fails_at_once() {
    let mut budget = Budget::default();
    let long = start(Retry::Read, Policy::default(), ms(120_000)).failed(
        limited(ms(31_000)),
        ms(100),
        0.0,
        &mut budget,
    );
    assert_eq!(
        long,
        RetryDecision::Fail(StopReason::WaitTooLong { until: ms(31_100) })
    );
    // Within 30 s, but after this call's deadline.
    let late = read().failed(limited(ms(25_000)), ms(6_000), 0.0, &mut budget);
    assert_eq!(
        late,
        RetryDecision::Fail(StopReason::WaitTooLong { until: ms(31_000) })
    );
    assert_eq!(budget.tokens(), 100);
}

#[test]
fn the_deadline_ends_a_call() {
    let mut budget = Budget::default();
    assert_eq!(
        read().failed(AttemptError::TimedOut, ms(30_000), 0.0, &mut budget),
        RetryDecision::Fail(StopReason::Deadline)
    );
    assert_eq!(
        read().failed(AttemptError::TimedOut, ms(29_900), 0.9, &mut budget),
        RetryDecision::Fail(StopReason::Deadline)
    );
    assert!(matches!(
        read().failed(AttemptError::TimedOut, ms(29_900), 0.1, &mut budget),
        RetryDecision::Again(_)
    ));
}

#[test]
fn statuses_that_are_retried() {
    for code in 400..600 {
        let again = matches!(
            read().failed(status(code), ms(0), 0.0, &mut Budget::default()),
            RetryDecision::Again(_)
        );
        assert_eq!(
            again,
            [408, 425, 429, 500, 502, 503, 504].contains(&code),
            "{code}"
        );
    }
}

#[test]
fn an_uncertain_start_is_never_retried() {
    let start = |mishap| {
        let mut call = start(Retry::Start, Policy::default(), ms(60_000));
        call.failed(mishap, ms(0), 0.0, &mut Budget::default())
    };
    for mishap in [
        AttemptError::Network,
        AttemptError::TimedOut,
        status(408),
        status(500),
        status(502),
        status(503),
        status(504),
    ] {
        assert_eq!(
            start(mishap),
            RetryDecision::Fail(StopReason::OutcomeUnknown),
            "{mishap:?}"
        );
    }
    for mishap in [400, 401, 403, 404, 409, 422, 425].map(status) {
        assert_eq!(
            start(mishap),
            RetryDecision::Fail(StopReason::Final),
            "{mishap:?}"
        );
    }
    assert!(matches!(start(status(429)), RetryDecision::Again(_)));
    assert!(matches!(
        start(AttemptError::NotSent),
        RetryDecision::Again(_)
    ));
}

#[test]
fn not_found_is_success_only_after_an_ambiguous_delete() {
    for (class, first, success) in [
        (Retry::Delete, AttemptError::Network, true),
        (Retry::Delete, AttemptError::TimedOut, true),
        (Retry::Delete, status(502), true),
        (Retry::Delete, status(429), false),
        (Retry::Delete, AttemptError::NotSent, false),
        (Retry::Idempotent, AttemptError::Network, false),
        (Retry::Read, AttemptError::Network, false),
    ] {
        let mut call = start(class, Policy::default(), ms(30_000));
        assert!(!call.not_found_is_success());
        assert!(matches!(
            call.failed(first, ms(0), 0.0, &mut Budget::default()),
            RetryDecision::Again(_)
        ));
        assert_eq!(call.not_found_is_success(), success, "{class:?} {first:?}");
    }
}

#[test]
fn an_exhausted_write_is_ambiguous() {
    for (class, ambiguous) in [
        (Retry::Read, false),
        (Retry::Idempotent, true),
        (Retry::Delete, true),
    ] {
        let mut call = start(class, Policy::default(), ms(30_000));
        let _ = call.failed(AttemptError::TimedOut, ms(0), 0.0, &mut Budget::default());
        assert_eq!(call.is_ambiguous(), ambiguous);
    }
}

#[test]
fn limits_depend_on_the_class() {
    let seconds = CLASSES.map(|class| {
        (
            TimeLimits::for_class(class).attempt.as_secs(),
            TimeLimits::for_class(class).deadline.as_secs(),
        )
    });
    assert_eq!(seconds, [(10, 30), (15, 20), (15, 30), (30, 60)]);
}

proptest! {
    #[test]
    fn every_call_respects_its_limits(
        class in prop::sample::select(CLASSES.to_vec()),
        troubles in prop::collection::vec((400..600_u16, prop::option::of(0..60_000_u64), 0..4_u8), 1..12),
        random in 0.0..1.0f64,
        attempts in 0..6_u32,
    ) {
        let policy = Policy { attempts, ..Policy::default() };
        let mut call = start(class, policy, ms(30_000));
        let (mut budget, mut now) = (Budget::default(), MonotonicTime::ZERO);
        for (code, delay, kind) in troubles {
            let mishap = match kind {
                0 => AttemptError::Network,
                1 => AttemptError::TimedOut,
                2 => AttemptError::NotSent,
                _ => AttemptError::Status { status: code, retry_after: delay.map(ms) },
            };
            let before = budget.tokens();
            let delay = match mishap {
                AttemptError::Status { retry_after, .. } => retry_after.unwrap_or_default(),
                _ => Duration::ZERO,
            };
            // A wait set by the server costs nothing. A request that was never sent costs nothing, either.
            let has_delay = attempts > 1 && mishap.is_rate_limited() && !delay.is_zero();
            let free = has_delay || mishap == AttemptError::NotSent;
            match call.failed(mishap, now, random, &mut budget) {
                RetryDecision::Again(at) => {
                    prop_assert!(at >= now && at < call.deadline());
                    prop_assert!(call.attempts() < attempts.max(1));
                    prop_assert_eq!(budget.tokens() == before, free);
                    prop_assert!(budget.tokens() <= before);
                    prop_assert!(at >= now + delay);
                    prop_assert!(class != Retry::Start || !call.is_ambiguous());
                    now = at;
                }
                RetryDecision::Fail(_) => {
                    prop_assert_eq!(budget.tokens(), before);
                    break;
                }
            }
        }
    }
}

#[test]
fn the_gate_and_the_retry_wait_for_the_same_time() {
    for (requested, attempts) in [(None, 1), (None, 3), (Some(ms(500)), 1), (Some(ms(500)), 3)] {
        let policy = Policy {
            attempts,
            ..Policy::default()
        };
        let mut call = Attempts::start(
            Retry::Read,
            policy,
            TimeLimits::for_class(Retry::Read),
            ms(0),
        );
        let mut budget = Budget::default();
        let error = AttemptError::Status {
            status: 429,
            retry_after: requested,
        };
        let next_start = call.next_start(error, ms(0), 0.9);
        assert_eq!(next_start, ms(900));
        match call.failed(error, ms(0), 0.9, &mut budget) {
            RetryDecision::Again(at) => assert_eq!(at, next_start),
            RetryDecision::Fail(reason) => {
                assert_eq!((reason, attempts), (StopReason::Exhausted, 1))
            }
        }
    }
}
