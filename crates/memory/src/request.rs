//! Requests and responses, without a network.

use jiff::Timestamp;

/// The demo leads of a workspace, and the key and tenant that it accepts.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of the demo leads, and of the ids that the workspace makes.
    pub seed: u64,
    /// Number of demo leads.
    pub leads: u64,
    /// The time at which the demo data ends.
    pub now: Timestamp,
    /// The only valid key; `None` accepts any.
    pub api_key: Option<String>,
    /// The id of the workspace, as in the header `x-tenant-id`.
    pub tenant_id: String,
}

/// A request as it arrives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    pub method: &'a str,
    /// The path, still percent-encoded, e.g. `/api/leads/query`.
    pub path: &'a str,
    /// What follows the question mark; empty without one.
    pub query: &'a str,
    pub body: &'a [u8],
    /// The header `authorization`.
    pub authorization: Option<&'a str>,
    /// The header `x-tenant-id`.
    pub tenant_id: Option<&'a str>,
    /// The header `x-request-id`.
    pub request_id: Option<&'a str>,
    /// The header `last-event-id`.
    pub last_event_id: Option<&'a str>,
}

/// The response to a request.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// JSON; empty for status 204. Of the stream of changes, its first events.
    pub body: String,
    /// For the stream of changes: the version after which it goes on with
    /// [`Workspace::part_after`](crate::Workspace::part_after).
    pub stream: Option<i64>,
}
