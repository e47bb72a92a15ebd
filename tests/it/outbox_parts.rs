//! Chunks with a short count: missing leads are found with few requests, and servers that count changes are
//! supported.

use std::collections::BTreeSet;
use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::outbox::{
    CHUNK, DecisionFailure, Outbox, OutboxRequest, Phase, RequestResult,
};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;

fn approve(outbox: &mut Outbox, leads: usize) {
    let leads = (0..leads).map(|lead| (Arc::from(format!("{lead:06}")), PENDING));
    outbox.decide(leads, APPROVED);
}

/// Sends everything. Returns the number of requests.
fn run(outbox: &mut Outbox, mut answer: impl FnMut(&OutboxRequest) -> RequestResult) -> usize {
    let mut requests = 0;
    while let Some(request) = outbox.next_request() {
        requests += 1;
        assert!(requests < 1_000, "the bisection did not end");
        assert!(request.leads.len() <= CHUNK);
        outbox.on_result(request.number, &answer(&request));
    }
    requests
}

#[test]
fn bisection_finds_one_missing_lead_and_saves_the_others() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 1_000);
    let missing = "000437";
    let requests = run(&mut outbox, |request| {
        let there = request
            .leads
            .iter()
            .filter(|lead| ***lead != *missing)
            .count();
        match (request.leads.len(), there) {
            (1, 0) => RequestResult::NotFound,
            (_, there) => RequestResult::Counted(there as u64),
        }
    });
    assert!(requests <= 10 + 2 * 7, "{requests}");
    assert_eq!(outbox.phase(missing), Phase::Failed);
    assert_eq!(
        (outbox.count(Phase::Confirmed), outbox.count(Phase::Failed)),
        (999, 1)
    );
}

#[test]
fn all_missing_leads_need_one_request_each() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 2 * CHUNK);
    let requests = run(&mut outbox, |request| {
        let there = request.leads.iter().filter(|lead| ***lead >= *"000100");
        match (request.leads.len(), there.count()) {
            (1, 0) => RequestResult::NotFound,
            (_, there) => RequestResult::Counted(there as u64),
        }
    });
    assert_eq!(requests, 2 + CHUNK);
    assert_eq!(
        (outbox.count(Phase::Confirmed), outbox.count(Phase::Failed)),
        (CHUNK, CHUNK)
    );
}

#[test]
fn a_server_that_counts_changes_needs_no_single_requests() {
    // Other users approved every other lead, all leads, or some of them.
    for approved in [
        (0..10_000).step_by(2).collect::<Vec<usize>>(),
        (0..10_000).collect(),
        (1..10_000).collect(),
        (60..10_000).collect(),
        (0..60).collect(),
    ] {
        let approved = approved.into_iter().map(|lead| format!("{lead:06}"));
        counts_changes(approved.collect());
    }
}

fn counts_changes(approved: BTreeSet<String>) {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 10_000);
    let approved = std::cell::RefCell::new(approved);
    let requests = run(&mut outbox, |request| {
        let mut approved = approved.borrow_mut();
        let changed = request
            .leads
            .iter()
            .filter(|lead| approved.insert(lead.to_string()));
        let changed = changed.count() as u64;
        match request.leads.len() {
            1 => RequestResult::Done,
            _ => RequestResult::Counted(changed),
        }
    });
    assert!(requests < 120, "{requests}");
    assert_eq!(outbox.count(Phase::Confirmed), 10_000);
    assert!(outbox.is_settled());
}

#[test]
fn one_rejected_lead_adds_only_a_few_requests() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, CHUNK);
    let requests = run(&mut outbox, |request| {
        let refused = request.leads.iter().any(|lead| **lead == *"000050");
        match (refused, request.leads.len()) {
            (false, _) => RequestResult::Done,
            (true, 1) => RequestResult::NotFound,
            (true, _) => RequestResult::Refused { ambiguous: false },
        }
    });
    assert!(requests <= 1 + 2 * 7, "{requests}");
    assert_eq!(outbox.count(Phase::Confirmed), CHUNK - 1);
}

#[test]
fn a_rate_limit_does_not_start_the_bisection_again() {
    let requests = |limited: &[usize]| {
        let mut outbox = Outbox::default();
        approve(&mut outbox, CHUNK);
        let (mut number, mut sent) = (0, Vec::new());
        run(&mut outbox, |request| {
            number += 1;
            sent.push(request.leads.clone());
            let rejected = request.leads.iter().any(|lead| **lead == *"000037");
            match (limited.contains(&number), rejected, request.leads.len()) {
                (true, ..) => RequestResult::Retry { ambiguous: false },
                (_, true, 1) => RequestResult::NotFound,
                (_, true, _) => RequestResult::Refused { ambiguous: false },
                _ => RequestResult::Done,
            }
        });
        assert_eq!(outbox.count(Phase::Failed), 1);
        sent
    };
    let (usual, mut limited) = (requests(&[]), requests(&[3, 5]));
    assert_eq!(limited.len(), usual.len() + 2);
    // The two requests that hit the limit are sent again at once.
    limited.dedup();
    assert_eq!(limited, usual);
}

#[test]
fn changed_or_paused_leads_leave_the_bisection() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 4);
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &RequestResult::Counted(3));
    let lead = |at: usize| Arc::<str>::from(format!("{at:06}"));
    outbox.decide([(lead(0), PENDING)], NewApprovalStatus::Rejected);
    outbox.hold(&[lead(1)], true);
    let requests = run(&mut outbox, |_| RequestResult::Done);
    assert_eq!(requests, 2, "one half and the changed lead");
    assert_eq!(
        outbox.known(&lead(0)),
        Some(&NewApprovalStatus::Rejected.into())
    );
    assert!(outbox.is_held(&lead(1)));
    outbox.hold(&[lead(1)], false);
    assert_eq!(run(&mut outbox, |_| RequestResult::Done), 1);
    assert!(outbox.is_settled());
}

#[test]
fn waiting_leads_can_be_given_up() {
    let mut outbox = Outbox::new(2);
    approve(&mut outbox, 5);
    let (first, second) = (
        outbox.next_request().unwrap(),
        outbox.next_request().unwrap(),
    );
    outbox.on_result(first.number, &RequestResult::Counted(1));
    outbox.changes();
    outbox.fail_waiting(&DecisionFailure::default());
    let waiting = outbox.changes();
    let lead = |at: usize| Arc::<str>::from(format!("{at:06}"));
    assert_eq!(
        waiting,
        [lead(0), lead(1), lead(4)],
        "in the order of sending"
    );
    assert_eq!(outbox.phase(&lead(0)), Phase::Uncertain, "it was sent once");
    assert_eq!(outbox.phase(&lead(4)), Phase::Failed, "it was never sent");
    assert_eq!(outbox.next_request(), None);
    outbox.on_result(second.number, &RequestResult::Done);
    assert_eq!(outbox.phase(&lead(2)), Phase::Confirmed);
}

#[test]
fn a_lead_that_was_held_is_sent_once() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 2);
    let leads: Vec<Arc<str>> = outbox.leads_in(Phase::Queued);
    outbox.hold(&leads, true);
    outbox.hold(&leads, false);
    assert_eq!(outbox.next_request().unwrap().leads, leads);
    assert_eq!(outbox.next_request(), None);
}
