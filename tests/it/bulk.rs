//! Bulk updates: every id ends in exactly one result list.

use std::collections::BTreeSet;

use lead_workspace::client::bulk::{Bulk, BulkOutcome, Chunk, ChunkEnd, IN_FLIGHT};
use lead_workspace::client::poll_backoff::PollBackoff;
use lead_workspace_api::LeadId;
use proptest::prelude::*;

/// A server that has all leads except the missing ones. It counts either leads or changes.
struct Server {
    missing: Vec<u32>,
    approved: BTreeSet<u32>,
    counts_changes: bool,
    requests: usize,
}

impl Server {
    fn answer(&mut self, chunk: &Chunk) -> ChunkEnd {
        self.requests += 1;
        let sent = chunk.ids.iter().map(|id| id.as_str().parse().unwrap());
        let there: Vec<u32> = sent.filter(|id| !self.missing.contains(id)).collect();
        if chunk.is_alone() {
            let found = !there.is_empty();
            self.approved.extend(there);
            return if found {
                ChunkEnd::Updated(None)
            } else {
                ChunkEnd::Failed
            };
        }
        let (mut leads, mut changes) = (0, 0);
        for id in there {
            leads += 1;
            changes += u64::from(self.approved.insert(id));
        }
        ChunkEnd::Updated(Some(if self.counts_changes { changes } else { leads }))
    }
}

/// Approves this many leads. Returns the outcome and the number of requests.
fn approve(count: u32, mut server: Server) -> (BulkOutcome, usize) {
    let mut bulk = Bulk::new(ids(0..count), 100);
    while let Some(chunk) = bulk.take() {
        let end = server.answer(&chunk);
        bulk.ended(&chunk, end);
    }
    (bulk.into_outcome(), server.requests)
}

#[test]
fn a_missing_lead_is_found_with_few_requests() {
    let server = Server {
        missing: vec![37],
        approved: (0..50).collect(),
        counts_changes: false,
        requests: 0,
    };
    let (outcome, requests) = approve(1000, server);
    assert_eq!(outcome.failed, ids([37]));
    assert_eq!((outcome.updated.len(), outcome.uncertain.len()), (999, 0));
    assert!(requests <= 10 + 14, "{requests} requests");
}

#[test]
fn all_missing_leads_need_one_request_each() {
    let server = Server {
        missing: (0..100).collect(),
        approved: BTreeSet::new(),
        counts_changes: false,
        requests: 0,
    };
    let (outcome, requests) = approve(200, server);
    assert_eq!((outcome.failed, requests), (ids(0..100), 2 + 100));
}

#[test]
fn a_server_that_counts_changes_is_trusted_after_a_few_requests() {
    for approved in [0..10_000, 1..10_000, 60..10_000, 0..60] {
        let server = Server {
            missing: Vec::new(),
            approved: approved.clone().collect(),
            counts_changes: true,
            requests: 0,
        };
        let (outcome, requests) = approve(10_000, server);
        assert_eq!(outcome.updated.len(), 10_000, "{approved:?}");
        assert!(requests <= 100 + 6, "{requests} requests for {approved:?}");
    }
}

fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<LeadId> {
    numbers
        .into_iter()
        .map(|number| LeadId::from(number.to_string()))
        .collect()
}

#[test]
fn at_most_two_chunks_are_sent_at_once_and_each_id_once() {
    let mut bulk = Bulk::new(ids([1, 2, 3, 2, 1, 4, 5]), 2);
    let first = bulk.take().unwrap();
    let second = bulk.take().unwrap();
    assert_eq!((&first.ids, &second.ids), (&ids([1, 2]), &ids([3, 4])));
    assert_eq!(bulk.take(), None, "two chunks are in flight");
    bulk.ended(&second, ChunkEnd::Failed);
    let third = bulk.take().unwrap();
    assert_eq!(third.ids, ids([5]));
    bulk.ended(&first, ChunkEnd::Updated(Some(2)));
    assert_eq!((bulk.progress(), bulk.outcome()), ((4, 5), None));
    bulk.ended(&third, ChunkEnd::Uncertain);
    let outcome = BulkOutcome {
        updated: ids([1, 2]),
        failed: ids([3, 4]),
        uncertain: ids([5]),
        errors: Vec::new(),
    };
    assert_eq!(bulk.outcome(), Some(&outcome));
}

#[test]
fn a_short_count_is_followed_by_single_lead_requests() {
    let mut bulk = Bulk::new(ids([1, 2]), 10);
    let both = bulk.take().unwrap();
    bulk.ended(&both, ChunkEnd::Updated(Some(1)));
    assert_eq!((bulk.progress(), bulk.outcome()), ((0, 2), None));
    let (first, second) = (bulk.take().unwrap(), bulk.take().unwrap());
    assert_eq!((&first.ids, first.is_alone()), (&ids([1]), true));
    bulk.ended(&first, ChunkEnd::Failed);
    bulk.ended(&second, ChunkEnd::Updated(None));
    let outcome = bulk.outcome().unwrap();
    assert_eq!((&outcome.failed, &outcome.updated), (&ids([1]), &ids([2])));
    assert!(outcome.uncertain.is_empty());
}

#[test]
fn leads_of_an_unresolved_chunk_are_uncertain_after_cancel() {
    let mut bulk = Bulk::new(ids([1, 2, 3]), 2);
    let (both, last) = (bulk.take().unwrap(), bulk.take().unwrap());
    bulk.ended(&both, ChunkEnd::Updated(Some(0)));
    assert_eq!(bulk.call_off(), ids([1, 2]));
    bulk.ended(&last, ChunkEnd::Failed);
    let outcome = bulk.outcome().unwrap();
    assert_eq!(
        (&outcome.uncertain, &outcome.failed),
        (&ids([1, 2]), &ids([3]))
    );
}

#[test]
fn unsent_leads_fail_after_cancel() {
    let mut bulk = Bulk::new(ids(0..5), 2);
    let chunk = bulk.take().unwrap();
    bulk.call_off();
    assert_eq!(bulk.take(), None);
    bulk.ended(&chunk, ChunkEnd::Updated(None));
    let outcome = bulk.outcome().unwrap();
    assert_eq!(
        (outcome.updated.clone(), outcome.failed.clone()),
        (ids([0, 1]), ids([2, 3, 4]))
    );
}

#[test]
fn an_empty_bulk_is_done() {
    assert_eq!(Bulk::new([], 100).outcome(), Some(&BulkOutcome::default()));
}

#[test]
fn polling_slows_down() {
    let mut rhythm = PollBackoff::default();
    let waits: Vec<u128> = (0..9).map(|_| rhythm.next(0.5).as_millis()).collect();
    assert_eq!(
        waits,
        [1000, 1500, 2250, 3375, 5062, 7593, 10_000, 10_000, 10_000]
    );
    assert!(
        PollBackoff::default().next(0.0).as_millis() == 900
            && PollBackoff::default().next(f64::NAN).as_millis() == 900
    );
}

proptest! {
    #[test]
    fn every_id_ends_in_exactly_one_list(
        count in 0..60_u32,
        chunk in 0..9_usize,
        ends in prop::collection::vec(0..6_u8, 0..80),
    ) {
        let mut bulk = Bulk::new(ids(0..count), chunk);
        let mut under_way = Vec::new();
        let mut ends = ends.into_iter().chain(std::iter::repeat(0));
        while bulk.outcome().is_none() {
            while let Some(chunk) = bulk.take() {
                under_way.push(chunk);
            }
            prop_assert!(under_way.len() <= IN_FLIGHT);
            let chunk = under_way.pop().expect("no chunk is in flight");
            let all = chunk.ids.len() as u64;
            match ends.next() {
                Some(0) => bulk.ended(&chunk, ChunkEnd::Updated(Some(all))),
                Some(1) => bulk.ended(&chunk, ChunkEnd::Failed),
                Some(2) => bulk.ended(&chunk, ChunkEnd::Uncertain),
                Some(3) => {
                    bulk.ended(&chunk, ChunkEnd::Updated(None));
                    bulk.cancel();
                }
                Some(4) => bulk.ended(&chunk, ChunkEnd::Updated(Some(0))),
                _ => bulk.ended(&chunk, ChunkEnd::Updated(Some(all - 1))),
            }
        }
        let BulkOutcome { updated, failed, uncertain, .. } = bulk.outcome().expect("the bulk did not end").clone();
        let mut all: Vec<LeadId> = [updated, failed, uncertain].concat();
        all.sort_by_key(|id| id.as_str().parse::<u32>().ok());
        prop_assert_eq!(all, ids(0..count));
    }
}
