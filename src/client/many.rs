//! Sets one status for any number of leads: sends the chunks of [`bulk`](super::bulk).

use std::future::{pending, poll_fn};
use std::ops::RangeInclusive;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::{Either, select};
use lead_workspace_api::json::object;
use lead_workspace_api::{
    LeadId, LeadUpdate, LeadsUpdate, NewApprovalStatus, Request, endpoints, without_mark,
};
use serde_json::Value;

use super::bulk::{Bulk, BulkOutcome, Chunk, ChunkEnd};
use super::error::{Error, ErrorKind};
use super::operation::Operation;
use super::retry::Instant;
use super::runtime::{Runtime, Task};
use super::{Call, Client, TableRow, response};

/// How long a bulk change without a deadline waits while every request hits the rate limit.
const LIMITED: Duration = Duration::from_secs(30 * 60);

/// Bounds of the pause after a rate limit. Within them, the server decides.
const REST: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(5 * 60);

/// The pause if the server requests none.
const USUAL_REST: Duration = Duration::from_secs(10);

/// The progress of a bulk change.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Leads whose outcome is determined.
    pub done: usize,
    /// Leads in total.
    pub total: usize,
    /// The outcome so far.
    pub outcome: &'a BulkOutcome,
    /// Why the last chunk failed, if it did.
    pub error: Option<&'a Error>,
}

impl Client {
    /// Sets one status for any number of leads, `chunk` ids per request and two requests at a time.
    /// Always returns the outcome of every lead, even if requests fail. If the server counts fewer
    /// leads than were sent in a chunk, the chunk is sent again in halves until the missing leads
    /// are found. This stops once the server turns out to count changes instead of leads.
    ///
    /// While the workspace is over its rate limit, the chunks wait. The client's deadline option
    /// applies to the whole change. Without one, the change ends after 30 minutes in which the
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
        mut progress: impl FnMut(Progress<'_>),
    ) -> BulkOutcome {
        let bulk = Bulk::new(ids, chunk);
        self.in_chunks(bulk, status, pin!(cancel), &mut progress)
            .await
    }

    /// Sends a chunk, and returns how many leads the server counted. Only the count is read, as
    /// modules for JavaScript have no other use for the models.
    fn send_chunk(&self, chunk: &Chunk, status: NewApprovalStatus) -> Call<Option<u64>> {
        if let ([id], true) = (chunk.ids.as_slice(), chunk.is_alone()) {
            let row = TableRow::of::<endpoints::UpdateLead>();
            let body = object([("approval_status", status.as_str().into())]);
            let params = self.bind(row, &body, LeadUpdate::check_wire);
            let call = self.exchange(row, &[id.as_str()], params);
            return Box::pin(async move { call.await.map(|_| None) });
        }
        let row = TableRow::of::<endpoints::UpdateLeads>();
        let ids: Vec<Value> = chunk.ids.iter().map(|id| id.as_str().into()).collect();
        let body = object([
            ("lead_ids", ids.into()),
            ("approval_status", status.as_str().into()),
        ]);
        let params = self.bind(row, &body, LeadsUpdate::check_wire);
        let call = self.exchange(row, &[], params);
        let client = self.clone();
        Box::pin(async move {
            let response = call.await?;
            let text = std::str::from_utf8(without_mark(&response.body)).unwrap_or_default();
            match response::parse(text) {
                Some(Value::Object(body)) => Ok(body.get("updated").and_then(Value::as_u64)),
                _ => Err(client.undecodable(row, &response, "the body is not a JSON object")),
            }
        })
    }

    /// Returns the client for a single chunk, which has the usual deadline of a call, but ends no
    /// later than the whole change.
    fn for_chunk(&self, left: Option<Duration>) -> Self {
        let mut options = self.options.clone();
        options.deadline = None;
        if let Some(left) = left {
            let operation = Operation::of::<endpoints::UpdateLeads>();
            let usual = self.shared.limits(operation, &options).deadline;
            options.deadline = Some(usual.min(left));
        }
        self.with_options(options)
    }

    /// Sends every chunk. `progress` is
    /// called after each chunk, and with each error once.
    async fn in_chunks(
        &self,
        mut bulk: Bulk,
        status: NewApprovalStatus,
        mut cancel: Pin<&mut dyn Future<Output = ()>>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> BulkOutcome {
        let runtime = &self.shared.runtime;
        let deadline = self.options.deadline;
        let mut pace = Pace::new(Rc::clone(runtime), deadline);
        let mut flights = Flights::default();
        while bulk.outcome().is_none() {
            // Checked before anything is sent: after `cancel` completed, not one more request is sent.
            let ended = poll_fn(|context| Poll::Ready(cancel.as_mut().poll(context).is_ready()));
            if ended.await {
                bulk.cancel();
                break;
            }
            if pace.is_over() {
                let ids = bulk.call_off();
                if !ids.is_empty() {
                    let limit = ErrorKind::Timeout(deadline.unwrap_or_default());
                    let error = Operation::of::<endpoints::UpdateLeads>().error(limit);
                    note(&mut bulk, ids, Some(error), progress);
                    continue;
                }
            }
            while !pace.rests()
                && let Some(chunk) = bulk.take()
            {
                let call = self.for_chunk(pace.left()).send_chunk(&chunk, status);
                flights.0.push((chunk, call));
            }
            let landed = select(&mut flights, pace.pause());
            let (chunk, answer) = match select(cancel.as_mut(), landed).await {
                Either::Left(_) => {
                    bulk.cancel();
                    break;
                }
                Either::Right((Either::Right(_), _)) => continue,
                Either::Right((Either::Left((landed, _)), _)) => landed,
            };
            if pace.is_put_off(&answer) {
                bulk.put_back(&chunk);
                continue;
            }
            bulk.ended(&chunk, end(&chunk, &answer));
            let error = answer.err();
            let mut ids = chunk.ids;
            // All further requests would fail in the same way.
            if let Some(error) = &error
                && let ErrorKind::KeyRefused
                | ErrorKind::NoKey(_)
                | ErrorKind::Forbidden
                | ErrorKind::RateLimited = error.kind
            {
                ids.extend(bulk.call_off());
            }
            note(&mut bulk, ids, error, progress);
        }
        bulk.into_outcome()
    }
}

fn end(chunk: &Chunk, answer: &Result<Option<u64>, Error>) -> ChunkEnd {
    match answer {
        Ok(updated) => ChunkEnd::Updated(*updated),
        Err(error) if error.ambiguous => ChunkEnd::Uncertain,
        // Not with `==`, which would compile the JSON parser into the module for JavaScript.
        Err(error) if chunk.is_alone() && matches!(error.kind, ErrorKind::NotFound) => {
            ChunkEnd::Failed
        }
        // The earlier request of the lead may have updated it.
        Err(_) if chunk.is_part() => ChunkEnd::Uncertain,
        Err(_) => ChunkEnd::Failed,
    }
}

/// Records why leads were not changed, if there is an error, and reports the progress.
fn note(
    bulk: &mut Bulk,
    ids: Vec<LeadId>,
    error: Option<Error>,
    progress: &mut dyn FnMut(Progress<'_>),
) {
    if let Some(error) = &error {
        bulk.missed(ids, error.clone());
    }
    let (done, total) = bulk.progress();
    progress(Progress {
        done,
        total,
        outcome: bulk.so_far(),
        error: error.as_ref(),
    });
}

/// Decides when the next chunk may be sent, and when the time for all of them is over.
struct Pace {
    runtime: Rc<dyn Runtime>,
    end: Option<Instant>,
    rest: Instant,
    limited_since: Option<Instant>,
}

impl Pace {
    fn new(runtime: Rc<dyn Runtime>, deadline: Option<Duration>) -> Self {
        let now = runtime.now();
        Self {
            end: deadline.map(|deadline| now.saturating_add(deadline)),
            rest: now,
            limited_since: None,
            runtime,
        }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| self.runtime.now() >= end)
    }

    fn rests(&self) -> bool {
        self.runtime.now() < self.rest
    }

    /// Returns the time left, if there is a deadline.
    fn left(&self) -> Option<Duration> {
        let end = self.end?;
        Some(end.saturating_sub(self.runtime.now()))
    }

    /// Completes at the end of the pause or at the deadline. Requests then in flight end on their own.
    fn pause(&self) -> Task {
        let rest = self.rests().then_some(self.rest);
        let end = self.end.filter(|_| !self.is_over());
        match rest.into_iter().chain(end).min() {
            Some(at) => self.runtime.sleep(at.saturating_sub(self.runtime.now())),
            None => Box::pin(pending()),
        }
    }

    /// Whether a chunk hit the rate limit and is to be sent again. Not if the pause would exceed
    /// the deadline.
    fn is_put_off(&mut self, answer: &Result<Option<u64>, Error>) -> bool {
        let now = self.runtime.now();
        let error = match answer {
            Err(error) if matches!(error.kind, ErrorKind::RateLimited) && !error.ambiguous => error,
            _ => {
                self.limited_since = None;
                return false;
            }
        };
        let since = *self.limited_since.get_or_insert(now);
        if self.end.is_none() && now.saturating_sub(since) >= LIMITED {
            return false;
        }
        let rest = error.retry_after.unwrap_or(USUAL_REST);
        let rest = rest.clamp(*REST.start(), *REST.end());
        let rest = now.saturating_add(rest);
        if self.end.is_some_and(|end| rest >= end) {
            return false;
        }
        self.rest = self.rest.max(rest);
        true
    }
}

/// The requests in flight. Completes when one of them does. There are only a few, so all are polled.
#[derive(Default)]
struct Flights(Vec<(Chunk, Call<Option<u64>>)>);

impl Future for Flights {
    type Output = (Chunk, Result<Option<u64>, Error>);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        for place in 0..self.0.len() {
            if let Poll::Ready(answer) = self.0[place].1.as_mut().poll(context) {
                return Poll::Ready((self.0.remove(place).0, answer));
            }
        }
        Poll::Pending
    }
}
