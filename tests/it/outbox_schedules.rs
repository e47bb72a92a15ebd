//! Ten thousand random schedules: decisions, undos, pauses, reverts and cancellations, responses in any order, lost
//! responses, late reads, reloads. In the end the screen matches the server, and the server has what the user chose
//! last.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fastrand::Rng;
use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::outbox::{DecisionFailure, Phase};
use lead_workspace::review::outbox::{
    IN_FLIGHT, Outbox, OutboxRequest, RequestResult, SequenceNumber,
};

const LEADS: usize = 6;
const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;

struct Random(Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    fn status(&mut self) -> NewApprovalStatus {
        NewApprovalStatus::ALL[self.below(4)]
    }

    fn lead(&mut self) -> Arc<str> {
        self.below(LEADS).to_string().into()
    }
}

struct Afternoon {
    random: Random,
    outbox: Outbox,
    server: BTreeMap<Arc<str>, ApprovalStatus>,
    screen: BTreeMap<Arc<str>, ApprovalStatus>,
    /// The user's latest choice for each lead.
    last: BTreeMap<Arc<str>, NewApprovalStatus>,
    in_flight: Vec<OutboxRequest>,
    reads: Vec<(SequenceNumber, BTreeMap<Arc<str>, ApprovalStatus>)>,
}

impl Afternoon {
    fn new(seed: u64) -> Self {
        let all = || (0..LEADS).map(|lead| (Arc::from(lead.to_string()), PENDING));
        Self {
            random: Random(Rng::with_seed(seed)),
            outbox: Outbox::default(),
            server: all().collect(),
            screen: all().collect(),
            last: BTreeMap::new(),
            in_flight: Vec::new(),
            reads: Vec::new(),
        }
    }

    fn shown(&self, lead: &Arc<str>) -> ApprovalStatus {
        let shown = self.outbox.shown(lead);
        shown.unwrap_or_else(|| self.screen[lead].clone())
    }

    fn decide(&mut self) {
        let to = self.random.status();
        let leads: BTreeSet<_> = (0..1 + self.random.below(3))
            .map(|_| self.random.lead())
            .collect();
        let shown: Vec<_> = leads
            .iter()
            .map(|lead| (Arc::clone(lead), self.shown(lead)))
            .collect();
        self.outbox.decide(shown, to);
        for lead in leads {
            assert_eq!(
                self.outbox.shown(&lead),
                Some(to.into()),
                "it is shown at once"
            );
            self.last.insert(lead, to);
        }
    }

    fn send(&mut self) {
        let Some(request) = self.outbox.next_request() else {
            return;
        };
        for lead in &request.leads {
            let elsewhere = self
                .in_flight
                .iter()
                .any(|other| other.leads.contains(lead));
            assert!(!elsewhere, "one request at a time for a lead");
        }
        self.in_flight.push(request);
        assert!(self.in_flight.len() <= IN_FLIGHT);
    }

    fn land(&mut self) {
        if self.in_flight.is_empty() {
            return;
        }
        let place = self.random.below(self.in_flight.len());
        let request = self.in_flight.swap_remove(place);
        let outcome = self.random.below(9);
        let lost = |ambiguous| {
            RequestResult::Failed(DecisionFailure {
                reason: "lost".into(),
                ambiguous,
                key_refused: false,
            })
        };
        // The outcomes: done; done but the response was lost; lost; rate limited; refused because of some leads; no
        // response; done but counted differently.
        let (done, end) = match outcome {
            0 | 1 => (request.leads.len(), RequestResult::Done),
            2 => (request.leads.len(), lost(true)),
            3 => (0, lost(self.random.below(2) == 0)),
            4 => (0, RequestResult::Retry { ambiguous: false }),
            5 => (0, RequestResult::Refused { ambiguous: false }),
            // No response, whether or not it was done.
            6 => (
                request.leads.len(),
                RequestResult::Retry { ambiguous: true },
            ),
            7 => (0, RequestResult::Retry { ambiguous: true }),
            // Counts changes instead of leads.
            _ if request.leads.len() > 1 => {
                let to = ApprovalStatus::from(request.to);
                let changed = request.leads.iter().filter(|lead| self.server[*lead] != to);
                (
                    request.leads.len(),
                    RequestResult::Counted(changed.count() as u64),
                )
            }
            _ => (1, RequestResult::Done),
        };
        // A request with one lead cannot be refused because of other leads.
        let end = match end {
            RequestResult::Refused { .. } if request.leads.len() == 1 => {
                RequestResult::Retry { ambiguous: false }
            }
            end => end,
        };
        for lead in &request.leads[..done] {
            self.server.insert(Arc::clone(lead), request.to.into());
        }
        self.outbox.on_result(request.number, &end);
    }

    fn read(&mut self) {
        let sent = self.outbox.start_read();
        self.reads.push((sent, self.server.clone()));
    }

    fn arrive(&mut self) {
        if self.reads.is_empty() {
            return;
        }
        let place = self.random.below(self.reads.len());
        let (sent, rows) = self.reads.swap_remove(place);
        for (lead, status) in rows {
            let shown = self.outbox.on_read(&lead, status, sent);
            self.screen.insert(lead, shown);
        }
    }

    /// Reloads the page. A request in flight may or may not reach the server.
    fn reload(&mut self) {
        let kept = self.outbox.to_stored();
        for request in std::mem::take(&mut self.in_flight) {
            if self.random.below(2) == 0 {
                for lead in request.leads {
                    self.server.insert(lead, request.to.into());
                }
            }
        }
        self.reads.clear();
        self.outbox = Outbox::default();
        self.screen = self.server.clone();
        if let Some(kept) = kept {
            self.outbox.restore(&kept);
        }
    }

    /// Reverts failed decisions, or cancels those not sent yet.
    fn give_up(&mut self, all: bool) {
        let leads: Vec<Arc<str>> = match all {
            true => self.last.keys().cloned().collect(),
            false => vec![self.random.lead()],
        };
        match self.random.below(2) {
            0 => self.outbox.revert(Some(&leads)),
            _ => self.outbox.cancel(&leads),
        }
        for lead in leads {
            match self.outbox.wanted(&lead) {
                Some(wanted) => self.last.insert(lead, wanted),
                None => self.last.remove(&lead),
            };
        }
    }

    fn hold(&mut self) {
        let leads = [self.random.lead(), self.random.lead()];
        let held = self.random.below(2) == 0;
        self.outbox.hold(&leads, held);
    }

    fn step(&mut self) {
        match self.random.below(15) {
            0..4 => self.decide(),
            4..7 => self.send(),
            7..9 => self.land(),
            9 => self.read(),
            10 => self.arrive(),
            11 => self.hold(),
            12 => {
                let all = self.random.below(3) == 0;
                self.give_up(all);
            }
            13 if self.random.below(4) == 0 => self.reload(),
            _ => self.outbox.retry(None),
        }
    }

    /// Checks that the stored text restores exactly the wanted decisions.
    fn is_kept_as_it_is(&self) {
        let mut next = Outbox::default();
        if let Some(kept) = self.outbox.to_stored() {
            next.restore(&kept);
        }
        for lead in self.server.keys() {
            assert_eq!(next.wanted(lead), self.outbox.wanted(lead), "lead {lead}");
            assert_eq!(next.is_held(lead), self.outbox.is_held(lead), "lead {lead}");
        }
    }

    /// Makes the server work again, and retries until everything is settled.
    fn settle(&mut self) {
        for request in std::mem::take(&mut self.in_flight) {
            for lead in &request.leads {
                self.server.insert(Arc::clone(lead), request.to.into());
            }
            self.outbox.on_result(request.number, &RequestResult::Done);
        }
        let all: Vec<Arc<str>> = self.server.keys().cloned().collect();
        self.outbox.hold(&all, false);
        for _ in 0..100 {
            self.outbox.retry(None);
            let Some(request) = self.outbox.next_request() else {
                break;
            };
            for lead in &request.leads {
                self.server.insert(Arc::clone(lead), request.to.into());
            }
            self.outbox.on_result(request.number, &RequestResult::Done);
        }
        assert!(self.outbox.is_settled());
        while !self.reads.is_empty() {
            self.arrive();
        }
    }
}

#[test]
fn everything_is_delivered_automatically_after_an_outage() {
    let mut retried = 0;
    for seed in 0..2_000 {
        let mut afternoon = Afternoon::new(seed);
        for _ in 0..40 {
            match afternoon.random.below(8) {
                0..3 => afternoon.decide(),
                3 => afternoon.read(),
                4 => afternoon.arrive(),
                5 if afternoon.random.below(8) == 0 => afternoon.reload(),
                _ => {
                    // The server is down: a request may or may not be applied, and never gets a response.
                    afternoon.send();
                    if let Some(request) = afternoon.in_flight.pop() {
                        if afternoon.random.below(2) == 0 {
                            let leads = request.leads.into_iter();
                            afternoon
                                .server
                                .extend(leads.map(|lead| (lead, request.to.into())));
                        }
                        let end = RequestResult::Retry { ambiguous: true };
                        afternoon.outbox.on_result(request.number, &end);
                    }
                }
            }
            retried += afternoon.outbox.count(Phase::Retrying);
            let lost =
                afternoon.outbox.count(Phase::Failed) + afternoon.outbox.count(Phase::Uncertain);
            assert_eq!(lost, 0, "seed {seed}: nothing is stuck");
        }
        while let Some(request) = afternoon.outbox.next_request() {
            let leads = request.leads.into_iter();
            afternoon
                .server
                .extend(leads.map(|lead| (lead, request.to.into())));
            afternoon
                .outbox
                .on_result(request.number, &RequestResult::Done);
        }
        assert!(afternoon.outbox.is_settled(), "seed {seed}");
        for (lead, wanted) in &afternoon.last {
            let truth = &afternoon.server[lead];
            assert_eq!(
                *truth,
                ApprovalStatus::from(*wanted),
                "seed {seed}, lead {lead}"
            );
        }
    }
    assert!(retried > 10_000, "the schedules confirm too few decisions");
}

#[test]
fn every_schedule_converges_to_the_server_state() {
    let mut confirmed = 0;
    for seed in 0..10_000 {
        let mut afternoon = Afternoon::new(seed);
        for _ in 0..60 {
            afternoon.step();
            if seed % 20 == 0 {
                afternoon.is_kept_as_it_is();
            }
        }
        afternoon.settle();
        for (lead, wanted) in &afternoon.last {
            let truth = &afternoon.server[lead];
            assert_eq!(
                *truth,
                ApprovalStatus::from(*wanted),
                "seed {seed}, lead {lead}"
            );
            let decided = afternoon.outbox.shown(lead);
            assert!(
                decided.is_none_or(|shown| shown == *truth),
                "seed {seed}, lead {lead}"
            );
            confirmed += usize::from(afternoon.outbox.phase(lead) == Phase::Confirmed);
        }
        // A fresh read agrees with the screen.
        let sent = afternoon.outbox.start_read();
        for (lead, status) in afternoon.server.clone() {
            assert_eq!(
                afternoon.outbox.on_read(&lead, status.clone(), sent),
                status
            );
        }
        assert_eq!(afternoon.outbox.to_stored(), None);
    }
    assert!(
        confirmed > 10_000,
        "the schedules confirm too few decisions"
    );
}
