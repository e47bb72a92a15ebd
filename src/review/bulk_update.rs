//! `update_many_leads`: sets one status on any number of leads with an outbox of its own.

use std::future::{pending, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::{Either, select};
use lead_workspace_api::{ApprovalStatus, LeadId, NewApprovalStatus, endpoints};

use super::outbox::{DecisionFailure, Outbox, OutboxRequest, Phase, RequestResult};
use super::outbox_sender::{self, Response, Updated};
use crate::client::retry::MonotonicTime;
use crate::client::runtime::{Runtime, Task};
use crate::client::{Call, Client, Error, ErrorKind, TableRow};

/// How long a bulk update without a deadline waits while every request hits the rate limit.
const MAX_RATE_LIMITED: Duration = Duration::from_secs(30 * 60);

/// The outcome of each lead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BulkOutcome {
    /// Certainly changed.
    pub updated: Vec<LeadId>,
    /// Certainly not changed.
    pub failed: Vec<LeadId>,
    /// Possibly changed: no response arrived.
    pub uncertain: Vec<LeadId>,
    /// Why leads are not in `updated`, in the order in which the errors occurred.
    pub errors: Vec<BulkError>,
}

/// Leads that were not changed, or possibly not.
#[derive(Clone, Debug, PartialEq)]
pub struct BulkError {
    /// The leads of the request, and those called off because of it.
    pub ids: Vec<LeadId>,
    /// The reason.
    pub error: Error,
}

/// The progress of a bulk update.
#[derive(Clone, Copy, Debug)]
pub struct BulkProgress<'a> {
    /// Leads whose outcome is determined.
    pub done: usize,
    /// Leads in total.
    pub total: usize,
    /// The outcome so far.
    pub outcome: &'a BulkOutcome,
    /// Why the last leads were not changed, if they were not.
    pub error: Option<&'a Error>,
}

impl Client {
    /// Sets one status for any number of leads, `chunk` ids per request and two requests at a time.
    /// Always returns the outcome of every lead, even if requests fail.
    ///
    /// A chunk that the server refuses because of its ids (404 or 422), or counts fewer leads of, is
    /// sent again in halves until the leads in question are found. The others are updated. After a
    /// low count, this stops once the server turns out to count changes instead of leads.
    ///
    /// While the workspace is over its rate limit, the chunks wait. The client's deadline option
    /// applies to the whole update. Without one, the update ends after 30 minutes in which the
    /// limit let no request through.
    ///
    /// When `cancel` completes, nothing more is sent. Leads in requests in flight are then
    /// uncertain, and leads not sent count as failed. Leads not sent also count as failed after the
    /// key was refused, is missing or has no permission, and after a rate limit that lasts longer
    /// than the time left.
    pub async fn update_many_leads(
        &self,
        ids: impl IntoIterator<Item = LeadId>,
        status: NewApprovalStatus,
        chunk: usize,
        cancel: impl Future<Output = ()>,
        mut progress: impl FnMut(BulkProgress<'_>),
    ) -> BulkOutcome {
        let mut outbox = Outbox::new(chunk);
        for id in ids {
            let lead = Arc::from(id.as_str());
            if outbox.known(&lead).is_none() {
                outbox.decide([(lead, ApprovalStatus::from("unknown"))], status);
            }
        }
        // To be queued or sent is no outcome.
        outbox.changes();
        let update = BulkUpdate {
            total: outbox.open(),
            outbox,
            outcome: BulkOutcome::default(),
            progress: &mut progress,
        };
        update.run(self, pin!(cancel)).await
    }
}

/// A bulk update in progress.
struct BulkUpdate<'a> {
    outbox: Outbox,
    total: usize,
    outcome: BulkOutcome,
    /// Called after each response, and with each error once.
    progress: &'a mut dyn FnMut(BulkProgress<'_>),
}

impl BulkUpdate<'_> {
    async fn run(
        mut self,
        client: &Client,
        mut cancel: Pin<&mut dyn Future<Output = ()>>,
    ) -> BulkOutcome {
        let row = TableRow::of::<endpoints::UpdateLeads>();
        let deadline = client.options().deadline;
        let mut pace = Pace::new(client.runtime(), deadline);
        let mut in_flight = InFlight::default();
        while self.outbox.open() > 0 {
            // Checked before anything is sent: after `cancel` completed, not one more request is sent.
            let cancelled =
                poll_fn(|context| Poll::Ready(cancel.as_mut().poll(context).is_ready()));
            if cancelled.await {
                break;
            }
            if pace.is_over() {
                let leads = self.fail_waiting();
                if !leads.is_empty() {
                    let error = row.error(ErrorKind::Timeout(deadline.unwrap_or_default()));
                    self.report(leads, Some(error));
                    continue;
                }
            }
            while !pace.is_paused()
                && let Some(request) = self.outbox.next_request()
            {
                let client = client.with_deadline_within(row, pace.left());
                let call = outbox_sender::send(&client, &request);
                in_flight.0.push((request, call));
            }
            self.outbox.changes();
            let response = select(&mut in_flight, pace.wait());
            match select(cancel.as_mut(), response).await {
                Either::Left(_) => break,
                Either::Right((Either::Right(_), _)) => {}
                Either::Right((Either::Left(((request, response), _)), _)) => {
                    self.on_response(&request, response, &mut pace);
                }
            }
        }
        // Those in flight may have been applied.
        for (request, _) in &in_flight.0 {
            let lost = DecisionFailure {
                ambiguous: true,
                ..DecisionFailure::default()
            };
            let failed = RequestResult::Failed(lost);
            self.outbox.on_result(request.number, &failed);
        }
        self.fail_waiting();
        self.outcome
    }

    fn on_response(&mut self, request: &OutboxRequest, response: Response, pace: &mut Pace) {
        let retries = pace.waits_for(&response);
        outbox_sender::on_response(&mut self.outbox, request, &response, retries);
        let mut leads = self.record();
        if retries {
            return;
        }
        let error = response.err().filter(|_| !leads.is_empty());
        // All further requests would fail in the same way.
        if let Some(error) = &error
            && let ErrorKind::KeyRefused
            | ErrorKind::NoKey(_)
            | ErrorKind::Forbidden
            | ErrorKind::RateLimited = error.kind
        {
            leads.extend(self.fail_waiting());
        }
        self.report(leads, error);
    }

    /// Adds leads whose outcome is known now. Returns those that failed or are uncertain.
    fn record(&mut self) -> Vec<LeadId> {
        let mut not_updated = Vec::new();
        for lead in self.outbox.changes() {
            let id = LeadId::new(&*lead);
            match self.outbox.phase(&lead) {
                Phase::Confirmed => {
                    self.outcome.updated.push(id);
                    continue;
                }
                Phase::Failed => self.outcome.failed.push(id.clone()),
                Phase::Uncertain => self.outcome.uncertain.push(id.clone()),
                _ => continue,
            }
            not_updated.push(id);
        }
        not_updated
    }

    /// Gives up the leads that wait, and returns them.
    fn fail_waiting(&mut self) -> Vec<LeadId> {
        self.outbox.fail_waiting(&DecisionFailure::default());
        self.record()
    }

    /// Records why leads were not changed, if there is an error, and reports the progress.
    fn report(&mut self, ids: Vec<LeadId>, error: Option<Error>) {
        let is_failure = error.is_some();
        self.outcome
            .errors
            .extend(error.map(|error| BulkError { ids, error }));
        let last = self.outcome.errors.last();
        (self.progress)(BulkProgress {
            done: self.total - self.outbox.open(),
            total: self.total,
            outcome: &self.outcome,
            error: last.filter(|_| is_failure).map(|last| &last.error),
        });
    }
}

/// Decides when the next request may be sent, and when the time for all of them is over.
struct Pace {
    runtime: Rc<dyn Runtime>,
    end: Option<MonotonicTime>,
    paused_until: MonotonicTime,
    limited_since: Option<MonotonicTime>,
}

impl Pace {
    fn new(runtime: Rc<dyn Runtime>, deadline: Option<Duration>) -> Self {
        let now = runtime.now();
        Self {
            end: deadline.map(|deadline| now.saturating_add(deadline)),
            paused_until: now,
            limited_since: None,
            runtime,
        }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| self.runtime.now() >= end)
    }

    fn is_paused(&self) -> bool {
        self.runtime.now() < self.paused_until
    }

    /// Returns the time left, if there is a deadline.
    fn left(&self) -> Option<Duration> {
        let end = self.end?;
        Some(end.saturating_sub(self.runtime.now()))
    }

    /// Completes at the end of the pause or at the deadline. Requests then in flight end on their own.
    fn wait(&self) -> Task {
        let pause = self.is_paused().then_some(self.paused_until);
        let end = self.end.filter(|_| !self.is_over());
        match pause.into_iter().chain(end).min() {
            Some(at) => self.runtime.sleep(at.saturating_sub(self.runtime.now())),
            None => Box::pin(pending()),
        }
    }

    /// Whether a request hit the rate limit and is to be sent again after a pause. Not if the pause
    /// would exceed the deadline.
    fn waits_for(&mut self, response: &Response) -> bool {
        let now = self.runtime.now();
        let error = match response {
            Err(error) if matches!(error.kind, ErrorKind::RateLimited) && !error.ambiguous => error,
            _ => {
                self.limited_since = None;
                return false;
            }
        };
        let since = *self.limited_since.get_or_insert(now);
        if self.end.is_none() && now.saturating_sub(since) >= MAX_RATE_LIMITED {
            return false;
        }
        let until = now.saturating_add(outbox_sender::limit_pause(error));
        if self.end.is_some_and(|end| until >= end) {
            return false;
        }
        self.paused_until = self.paused_until.max(until);
        true
    }
}

/// The requests in flight. Completes when one of them does. There are only a few, so all are polled.
#[derive(Default)]
struct InFlight(Vec<(OutboxRequest, Call<Updated>)>);

impl Future for InFlight {
    type Output = (OutboxRequest, Response);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        for place in 0..self.0.len() {
            if let Poll::Ready(response) = self.0[place].1.as_mut().poll(context) {
                return Poll::Ready((self.0.remove(place).0, response));
            }
        }
        Poll::Pending
    }
}
