//! A screen: the list of pending leads, its outbox and what it takes from the stream. What the app does around the models is
//! done here in the same way; requests and events are values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fastrand::Rng;
use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::app::model::decided_rows::DecidedRows;
use lead_workspace::app::model::list_drift::ListDrift;
use lead_workspace::app::model::live::conflicts::Conflict;
use lead_workspace::app::model::live::{LiveEvent, LiveModel, OwnEffect, Screen};
use lead_workspace::app::model::page_cache::PageCache;
use lead_workspace::app::model::page_read::PageRead;
use lead_workspace::review::history::{Change, History};
use lead_workspace::review::outbox::{
    DELETED, Outbox, OutboxRequest, RequestResult, SequenceNumber,
};

use super::server::Server;

mod end;
mod list;
mod stream;

const SIZE: u32 = 4;

/// The time for the drift of the list. It stands still: an event may arrive long after its change, in steps of a schedule.
const NOW: u64 = 0;

/// Rows in view.
const VIEW: u64 = 6;

#[derive(Clone, Debug, PartialEq)]
struct Row {
    id: String,
    /// The status that the list was read with.
    status: ApprovalStatus,
}

/// A read of a page.
struct Read {
    page: PageRead<Row>,
    sent: SequenceNumber,
    /// Whether it replaces all pages.
    is_fresh: bool,
    /// The server's list.
    served: Option<Vec<Row>>,
}

/// A request whose response was not taken yet.
struct Sent {
    request: OutboxRequest,
    /// The response, once the server has applied it.
    response: Option<RequestResult>,
}

pub struct ListScreen {
    number: usize,
    outbox: Outbox,
    history: History,
    model: LiveModel,
    pages: PageCache<Row>,
    decided: DecidedRows,
    drift: ListDrift,
    /// Where the view begins.
    top: u64,
    made: u64,
    clock: u64,
    /// When leads were decided last that had no unsaved decision.
    decided_at: BTreeMap<Arc<str>, u64>,
    in_flight: Vec<Sent>,
    /// Leads of requests whose response was lost, or did not say which leads were updated. Whose decision an event tells is not known then.
    lost: BTreeSet<Arc<str>>,
    /// Leads whose decision failed because they were deleted. Their rows say so.
    not_found: BTreeSet<Arc<str>>,
    reads: Vec<Read>,
    stream: Option<i64>,
    /// What is to be read again.
    pending: Option<()>,
    pub marks: usize,
    pub conflicts: Vec<Conflict>,
    /// Rows that others took out of the list.
    pub departed: usize,
    pub read_again: usize,
}

/// What the model asks about.
struct Known<'a> {
    outbox: &'a Outbox,
    pages: &'a PageCache<Row>,
}

impl Screen for Known<'_> {
    fn has(&self, lead: &str) -> bool {
        self.pages.rows().any(|(_, row)| row.id == lead)
    }

    fn known(&self, lead: &str) -> Option<ApprovalStatus> {
        let listed = || {
            let row = self.pages.rows().find(|(_, row)| row.id == lead);
            row.map(|(_, row)| row.status.clone())
        };
        self.outbox.known(lead).cloned().or_else(listed)
    }

    fn unsaved(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.outbox.unanswered(lead)
    }

    fn unconfirmed(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.outbox.unconfirmed(lead)
    }

    fn in_flight(&self, to: &ApprovalStatus) -> u64 {
        self.outbox.count_in_flight(to)
    }
}

impl ListScreen {
    pub fn new(number: usize, server: &Server) -> Self {
        let mut screen = Self {
            number,
            outbox: Outbox::default(),
            history: History::default(),
            model: LiveModel::default(),
            pages: PageCache::new(SIZE),
            decided: DecidedRows::default(),
            drift: ListDrift::default(),
            top: 0,
            made: 0,
            clock: 0,
            decided_at: BTreeMap::new(),
            in_flight: Vec::new(),
            lost: BTreeSet::new(),
            not_found: BTreeSet::new(),
            reads: Vec::new(),
            stream: None,
            pending: None,
            marks: 0,
            conflicts: Vec::new(),
            departed: 0,
            read_again: 0,
        };
        screen.request(0, true);
        screen.serve(0, server);
        screen.take(0);
        screen
    }

    /// Opens the stream, after the last event that it knows.
    pub fn connect(&mut self, server: &Server) {
        if self.stream.is_none() {
            let since = self.model.position().unwrap_or_else(|| server.version());
            self.take_live(&LiveEvent::Open(since));
            self.stream = self.model.position();
        }
    }

    pub fn disconnect(&mut self) {
        self.stream = None;
    }

    /// The service was killed: requests in flight may have had an effect, reads fail, and the stream ends. A list that was
    /// being read anew is requested again, and nothing else until then.
    pub fn lose_connections(&mut self, server: &mut Server, random: &mut Rng) {
        self.disconnect();
        for Sent { request, response } in std::mem::take(&mut self.in_flight) {
            if response.is_none() && random.bool() {
                self.update(server, &request);
            }
            self.finish(&request, &RequestResult::Retry { ambiguous: true });
        }
        let is_fresh = self.reads.iter().any(|read| read.is_fresh);
        self.reads.clear();
        if is_fresh {
            self.request(self.top / u64::from(SIZE), true);
        }
    }

    fn update(&self, server: &mut Server, request: &OutboxRequest) -> RequestResult {
        let leads: Vec<String> = request.leads.iter().map(|lead| lead.to_string()).collect();
        match (
            server.update(self.number, &leads, request.to),
            request.leads.len() as u64,
        ) {
            (0, 1) => RequestResult::NotFound,
            (count, leads) if count == leads => RequestResult::Done,
            (count, _) => RequestResult::Counted(count),
        }
    }

    pub fn decide(&mut self, random: &mut Rng) {
        let rows: Vec<(u64, Row)> = self
            .pages
            .rows()
            .map(|(index, row)| (index, row.clone()))
            .collect();
        let Some(at) = random.choice(0..rows.len()) else {
            return;
        };
        let (index, row) = rows[at].clone();
        let (id, to): (Arc<str>, _) = (row.id.as_str().into(), status(random));
        let shown = self.shown(&row);
        if shown.known() == Some(to) || shown.as_str() == DELETED {
            return;
        }
        self.decided.add([(index, Arc::clone(&id))].into_iter());
        self.on_deciding(&id);
        let change = Change {
            lead: Arc::clone(&id),
            from: shown.clone(),
        };
        self.history.push(to, "".into(), vec![change], self.clock);
        self.outbox.decide([(id, shown)], to);
        self.made += 1;
    }

    pub fn undo(&mut self) {
        let Some(step) = self.history.undo() else {
            return;
        };
        for change in step.changes {
            if let Some(to) = change.from.known() {
                self.on_deciding(&change.lead);
                let shown = self.outbox.shown(&change.lead);
                self.outbox
                    .decide([(change.lead, shown.unwrap_or(step.to.into()))], to);
                self.made += 1;
            }
        }
    }

    fn on_deciding(&mut self, lead: &Arc<str>) {
        self.clock += 1_000;
        self.outbox.set_clock(self.clock);
        let is_unsaved = self.known_leads().unsaved(lead).is_some();
        if !is_unsaved {
            self.decided_at.insert(Arc::clone(lead), self.clock);
        }
        self.model.on_deciding(&[Arc::clone(lead)], &|_| is_unsaved);
    }

    fn known_leads(&self) -> Known<'_> {
        Known {
            outbox: &self.outbox,
            pages: &self.pages,
        }
    }

    pub fn send(&mut self) {
        let request = self.outbox.next_request();
        self.in_flight.extend(request.map(|request| Sent {
            request,
            response: None,
        }));
    }

    /// A request reaches the server. Events may tell what it did before its response arrives.
    pub fn arrive(&mut self, server: &mut Server, random: &mut Rng) {
        if let Some(at) = random.choice(0..self.in_flight.len())
            && self.in_flight[at].response.is_none()
        {
            let response = self.update(server, &self.in_flight[at].request);
            self.in_flight[at].response = Some(response);
        }
    }

    pub fn answer(&mut self, server: &mut Server, random: &mut Rng) {
        if let Some(at) = random.choice(0..self.in_flight.len()) {
            let Sent { request, response } = self.in_flight.swap_remove(at);
            let response = response.unwrap_or_else(|| self.update(server, &request));
            self.finish(&request, &response);
        }
    }

    fn finish(&mut self, request: &OutboxRequest, result: &RequestResult) {
        if matches!(
            result,
            RequestResult::Retry { .. } | RequestResult::Counted(_)
        ) {
            self.lost.extend(request.leads.iter().cloned());
        }
        for saved in self.outbox.on_result(request.number, result) {
            let (lead, now) = (&saved.lead, self.clock);
            let has_later = self.known_leads().unsaved(lead).is_some();
            let at = Some(saved.at);
            let effect = self.model.on_own(lead, saved.to, at, true, has_later, now);
            if let OwnEffect::Conflict(conflict) = &effect {
                self.conflicts.push(conflict.clone());
                let decided_at = self.decided_at[&conflict.lead];
                assert!(decided_at <= conflict.at, "it was decided in knowledge");
                let shown = self.outbox.shown(lead);
                assert_ne!(shown, Some(conflict.theirs.clone()), "it was taken back");
            }
            if effect != OwnEffect::None {
                self.pending = Some(());
            }
            let is_loaded = self.pages.rows().any(|(_, row)| row.id == *saved.lead);
            if saved.to == NewApprovalStatus::PendingApproval && !is_loaded {
                self.add_drift(true, false);
            }
        }
    }

    pub fn save_all(&mut self, server: &mut Server) {
        loop {
            self.outbox.retry(None);
            self.send();
            let Some(Sent { request, response }) = self.in_flight.pop() else {
                break;
            };
            let result = response.unwrap_or_else(|| self.update(server, &request));
            self.finish(&request, &result);
            if result == RequestResult::NotFound {
                self.not_found.extend(request.leads.iter().cloned());
                self.outbox.revert(Some(&request.leads));
            }
        }
    }
}

/// Returns what a reviewer chooses: half of all leads are approved.
fn status(random: &mut Rng) -> NewApprovalStatus {
    use NewApprovalStatus::{Approved, PendingApproval, Rejected};
    [Approved, Approved, Rejected, PendingApproval][random.usize(..4)]
}
