//! The retry budget: how much additional traffic a failing server gets.

use lead_workspace::client::budget::Budget;
use lead_workspace::client::retry::{AttemptError, Policy, RetryDecision, StopReason};
use lead_workspace_api::Retry;

use super::retry::{limited, ms, read, start, status};

#[test]
fn the_budget_is_used_up_and_refilled() {
    let mut budget = Budget::default();
    for _ in 0..7 {
        assert!(matches!(
            read().failed(status(503), ms(0), 0.0, &mut budget),
            RetryDecision::Again(_)
        ));
    }
    assert_eq!(budget.tokens(), 2);
    assert_eq!(
        read().failed(status(503), ms(0), 0.0, &mut budget),
        RetryDecision::Fail(StopReason::NoBudget)
    );
    assert_eq!(budget.tokens(), 2);
    for _ in 0..12 {
        budget.refund();
    }
    assert!(matches!(
        read().failed(status(503), ms(0), 0.0, &mut budget),
        RetryDecision::Again(_)
    ));
    assert_eq!(budget.tokens(), 0);
    for _ in 0..500 {
        budget.refund();
    }
    assert_eq!(budget.tokens(), 100);
}

#[test]
fn a_retry_after_429_costs_less() {
    let mut budget = Budget::default();
    assert_eq!(
        read().failed(status(429), ms(0), 0.5, &mut budget),
        RetryDecision::Again(ms(500))
    );
    assert_eq!(budget.tokens(), 95);
}

#[test]
fn an_unsent_request_costs_nothing() {
    let mut budget = Budget::default();
    for _ in 0..20 {
        let next = read().failed(AttemptError::NotSent, ms(0), 0.5, &mut budget);
        assert_eq!(next, RetryDecision::Again(ms(100)));
    }
    assert_eq!(budget.tokens(), Budget::FULL);
}

#[test]
fn retry_after_uses_no_attempts_and_no_budget() {
    let (mut budget, mut call) = (Budget::default(), read());
    for _ in 0..9 {
        let next = call.failed(limited(ms(1_000)), ms(100), 0.0, &mut budget);
        assert_eq!(next, RetryDecision::Again(ms(1_100)));
    }
    assert_eq!((call.attempts(), budget.tokens()), (0, 100));
    let once = Policy {
        attempts: 1,
        ..Policy::default()
    };
    let mut call = start(Retry::Read, once, ms(30_000));
    assert_eq!(
        call.failed(limited(ms(1_000)), ms(100), 0.0, &mut budget),
        RetryDecision::Fail(StopReason::Exhausted),
        "retries are disabled"
    );
}

#[test]
fn a_dead_upstream_gets_few_extra_requests() {
    let (mut budget, mut sent) = (Budget::default(), 0_u32);
    let calls = 10_000;
    for _ in 0..calls {
        let mut call = read();
        sent += 1;
        while let RetryDecision::Again(_) = call.failed(status(503), ms(0), 0.0, &mut budget) {
            sent += 1;
        }
    }
    assert_eq!(sent, calls + 7);
}

#[test]
fn a_half_failing_upstream_gets_at_most_a_tenth_more_requests() {
    let (mut budget, mut sent, calls) = (Budget::default(), 0_u32, 10_000_u32);
    for number in 0..calls {
        let mut call = read();
        sent += 1;
        if number % 2 == 0 {
            budget.refund();
        } else {
            while let RetryDecision::Again(_) = call.failed(status(503), ms(0), 0.0, &mut budget) {
                sent += 1;
            }
        }
    }
    assert!(sent <= calls + calls / 10, "{sent}");
}
