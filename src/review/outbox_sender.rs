//! Sends the requests of an outbox, and passes the responses back to it. Used by the review app and by
//! [`Client::update_many_leads`].

use std::ops::RangeInclusive;
use std::time::Duration;

use lead_workspace_api::json::object;
use lead_workspace_api::{ApprovalStatus, LeadUpdate, LeadsUpdate, Request, endpoints};
use serde_json::{Map, Value};

use super::outbox::{DecisionFailure, Outbox, OutboxRequest, RequestResult, Saved};
use crate::client::gate::Gate;
use crate::client::{Call, Client, Error, ErrorKind, TableRow};

/// The pause after a rate limit whose response has no wait time.
const DEFAULT_PAUSE: Duration = Duration::from_secs(10);

/// Bounds of the pause after a rate limit. Within them, the server decides.
const PAUSES: RangeInclusive<Duration> = Duration::from_secs(1)..=Gate::MAX_CLOSED;

/// The body of a response. Not decoded, as little of it is used.
#[derive(Clone, Debug)]
pub struct Updated(Map<String, Value>);

impl Updated {
    /// Returns the number of updated leads, if the server sent one.
    fn count(&self) -> Option<u64> {
        self.0.get("updated")?.as_u64()
    }

    /// Returns the status of a single lead, if the server sent one.
    pub fn status(&self) -> Option<ApprovalStatus> {
        let status = self.0.get("approval_status")?.as_str()?;
        Some(ApprovalStatus::from(status))
    }
}

/// The response to a request of an outbox.
pub type Response = Result<Updated, Error>;

/// Sends a request.
pub fn send(client: &Client, request: &OutboxRequest) -> Call<Updated> {
    let status = request.to.as_str();
    let call = if let [lead] = request.leads.as_slice() {
        let body = object([("approval_status", status.into())]);
        let row = TableRow::of::<endpoints::UpdateLead>();
        client.call_untyped(row, &[lead], &body, LeadUpdate::check_wire)
    } else {
        let leads: Vec<Value> = request.leads.iter().map(|lead| (&**lead).into()).collect();
        let body = object([
            ("lead_ids", leads.into()),
            ("approval_status", status.into()),
        ]);
        let row = TableRow::of::<endpoints::UpdateLeads>();
        client.call_untyped(row, &[], &body, LeadsUpdate::check_wire)
    };
    Box::pin(async move { call.await.map(Updated) })
}

/// What a response changed in the outbox.
#[derive(Debug)]
pub struct Effect {
    /// The decisions that the server saved.
    pub saved: Vec<Saved>,
    /// Whether the server certainly applied nothing, and its leads are not sent again.
    pub is_refused: bool,
    /// How long to pause before the next request.
    pub pause: Option<Duration>,
}

/// Passes a response to the outbox. `retries`: whether requests without a response, or beyond the rate
/// limit, are sent again; otherwise they fail.
pub fn on_response(
    outbox: &mut Outbox,
    request: &OutboxRequest,
    response: &Response,
    retries: bool,
) -> Effect {
    let mut result = result(request, response, outbox.may_split());
    if let (RequestResult::Retry { .. }, Err(error), false) = (&result, response, retries) {
        result = RequestResult::Failed(failure(error));
    }
    let saved = outbox.on_result(request.number, &result);
    let is_refused = result.is_refused();
    let pause = match (&result, response) {
        (RequestResult::Retry { ambiguous: true }, Err(error)) => {
            let pause = Duration::from_secs(outbox.pause());
            Some(pause.max(error.retry_after.unwrap_or_default()))
        }
        (RequestResult::Retry { .. }, Err(error)) => Some(limit_pause(error)),
        _ => None,
    };
    Effect {
        saved,
        is_refused,
        pause,
    }
}

/// Returns how long to pause after a rate limit.
pub fn limit_pause(error: &Error) -> Duration {
    let pause = error.retry_after.unwrap_or(DEFAULT_PAUSE);
    pause.clamp(*PAUSES.start(), *PAUSES.end())
}

fn result(request: &OutboxRequest, response: &Response, may_split: bool) -> RequestResult {
    let all = request.leads.len() as u64;
    let error = match response {
        // A server that does not report a count is assumed to have updated all.
        Ok(updated) => {
            return match updated.count() {
                Some(count) if count < all && all > 1 => RequestResult::Counted(count),
                _ => RequestResult::Done,
            };
        }
        Err(error) => error,
    };
    match error.kind {
        ErrorKind::RateLimited => RequestResult::Retry {
            ambiguous: error.ambiguous,
        },
        // Setting a status is idempotent, so it is sent again until the server responds.
        ErrorKind::Network(_) | ErrorKind::Timeout(_) => RequestResult::Retry { ambiguous: true },
        ErrorKind::Status if error.is_unavailable() => RequestResult::Retry { ambiguous: true },
        ErrorKind::NotFound if all == 1 => RequestResult::NotFound,
        ErrorKind::NotFound | ErrorKind::Validation(_) if all > 1 && may_split => {
            RequestResult::Refused {
                ambiguous: error.ambiguous,
            }
        }
        _ => RequestResult::Failed(failure(error)),
    }
}

fn failure(error: &Error) -> DecisionFailure {
    let reason = if error.ambiguous {
        format!("{}. {}.", error.summary(), error.side_effect())
    } else {
        format!("{}.", error.summary())
    };
    DecisionFailure {
        reason,
        ambiguous: error.ambiguous,
        key_refused: error.is_key_refused(),
    }
}
