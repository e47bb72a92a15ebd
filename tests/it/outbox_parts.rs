//! Chunks with a short count: missing leads are found with few requests, and servers that count changes are
//! supported.

use std::collections::BTreeSet;
use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::outbox::entry::Phase;
use lead_workspace::review::outbox::{CHUNK, Outbox, SendRequest, SendResult};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;

fn approve(outbox: &mut Outbox, leads: usize) {
    let leads = (0..leads).map(|lead| (Arc::from(format!("{lead:06}")), PENDING));
    outbox.decide(leads, APPROVED);
}

/// Sends everything. Returns the number of requests.
fn run(outbox: &mut Outbox, answer: impl Fn(&SendRequest) -> SendResult) -> usize {
    let mut requests = 0;
    while let Some(flight) = outbox.take() {
        requests += 1;
        assert!(requests < 1_000, "the bisection did not end");
        assert!(flight.leads.len() <= CHUNK);
        outbox.ended(flight.number, &answer(&flight));
    }
    requests
}

#[test]
fn bisection_finds_one_missing_lead_and_saves_the_others() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 1_000);
    let missing = "000437";
    let requests = run(&mut outbox, |flight| {
        let there = flight
            .leads
            .iter()
            .filter(|lead| ***lead != *missing)
            .count();
        match (flight.leads.len(), there) {
            (1, 0) => SendResult::Gone,
            (_, there) => SendResult::Counted(there as u64),
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
fn a_server_that_counts_changes_needs_no_single_requests() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 10_000);
    // Every other lead was already approved by another user.
    let approved = std::cell::RefCell::new(BTreeSet::new());
    for lead in (0..10_000).step_by(2) {
        approved.borrow_mut().insert(format!("{lead:06}"));
    }
    let requests = run(&mut outbox, |flight| {
        let mut approved = approved.borrow_mut();
        let changed = flight
            .leads
            .iter()
            .filter(|lead| approved.insert(lead.to_string()));
        let changed = changed.count() as u64;
        match flight.leads.len() {
            1 => SendResult::Done,
            _ => SendResult::Counted(changed),
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
    let requests = run(&mut outbox, |flight| {
        let refused = flight.leads.iter().any(|lead| **lead == *"000050");
        match (refused, flight.leads.len()) {
            (false, _) => SendResult::Done,
            (true, 1) => SendResult::Gone,
            (true, _) => SendResult::Refused { perhaps: false },
        }
    });
    assert!(requests <= 1 + 2 * 7, "{requests}");
    assert_eq!(outbox.count(Phase::Confirmed), CHUNK - 1);
}

#[test]
fn changed_or_paused_leads_leave_the_bisection() {
    let mut outbox = Outbox::default();
    approve(&mut outbox, 4);
    let flight = outbox.take().unwrap();
    outbox.ended(flight.number, &SendResult::Counted(3));
    let lead = |at: usize| Arc::<str>::from(format!("{at:06}"));
    outbox.decide([(lead(0), PENDING)], NewApprovalStatus::Rejected);
    outbox.hold(&[lead(1)], true);
    let requests = run(&mut outbox, |_| SendResult::Done);
    assert_eq!(requests, 2, "one half and the changed lead");
    assert_eq!(
        outbox.known(&lead(0)),
        Some(&NewApprovalStatus::Rejected.into())
    );
    assert!(outbox.is_held(&lead(1)));
    outbox.hold(&[lead(1)], false);
    assert_eq!(run(&mut outbox, |_| SendResult::Done), 1);
    assert!(outbox.is_settled());
}
