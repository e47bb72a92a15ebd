//! The seam between a call and the wire: a request in, a response out, no policy.

use std::pin::Pin;
use std::time::Duration;

use lead_workspace_api::Method;

/// A request, ready to leave.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// The address, without the query string.
    pub url: String,
    /// The query string's parameters.
    pub query: Vec<(String, String)>,
    /// The headers. Every value is visible ASCII.
    pub headers: Vec<(&'static str, String)>,
    /// The JSON body.
    pub body: Option<String>,
    /// The largest body to read, in bytes.
    pub body_cap: usize,
}

/// A response, read to its end.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The `content-type` header.
    pub content_type: Option<String>,
    /// The `x-request-id` header.
    pub request_id: Option<String>,
    /// How long to wait, from `retry-after-ms` or `retry-after`.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The platform makes no such request, however often it is asked; with its words.
    Refused(String),
    /// Nothing left this computer, for certain; with the platform's words.
    NotSent(String),
    /// The transport gave up waiting.
    Timeout,
    /// It was a redirect, which is not followed.
    Redirected,
    /// The body is larger than [`Outgoing::body_cap`].
    TooLarge,
    /// The server could not be reached, or the connection broke; with the platform's words.
    Network(String),
}

/// An exchange under way. Dropping it ends it.
pub type Exchange = Pin<Box<dyn Future<Output = Result<Reply, Trouble>>>>;

/// Sends requests.
pub trait Transport: Send + Sync {
    /// Sends one request, once. Repeating and giving up are not the transport's business.
    fn send(&self, request: Outgoing) -> Exchange;
}
