//! The interface between a call and the network: a request in, a response out, no policy.

use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use lead_workspace_api::Method;
use wasm_bindgen::JsValue;

use super::headers::ExtraHeaders;

/// A request that is ready to send.
#[derive(Clone, Debug)]
pub struct HttpRequest {
    /// The HTTP method.
    pub method: Method,
    /// The URL, without the query string.
    pub url: String,
    /// The parameters of the query string.
    pub query: Vec<(String, String)>,
    /// The headers that the client sets. Every value is visible ASCII.
    pub headers: Vec<(&'static str, String)>,
    /// The headers that the caller adds.
    pub extra_headers: ExtraHeaders,
    /// The JSON body.
    pub body: Option<String>,
    /// The largest response body to read, in bytes.
    pub body_cap: usize,
}

/// A response whose body was read completely.
#[derive(Clone, Debug, Default)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The `content-type` header.
    pub content_type: Option<String>,
    /// The `x-request-id` header.
    pub request_id: Option<String>,
    /// How long to wait, from `retry-after-ms` or `retry-after`.
    pub retry_after: Option<Duration>,
    /// All headers, as an object of the platform's class `Headers`.
    pub headers: Option<JsValue>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq)]
pub enum TransportError {
    /// The platform does not send such a request, and never will; with its message.
    Refused(String),
    /// The request certainly did not leave this computer.
    NotSent(Exception),
    /// The request timed out.
    Timeout,
    /// The response was a redirect, which is not followed.
    Redirected,
    /// The body is larger than [`HttpRequest::body_cap`].
    TooLarge,
    /// The server could not be reached, or the connection broke.
    Network(Exception),
}

/// What the platform threw when it could not reach the server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exception {
    /// Its message.
    pub message: String,
    /// Whether the request went to another origin, which must allow it. The platform does not say
    /// whether it refused for that reason.
    pub cross_origin: bool,
    /// The exception itself, unless it contains the API key.
    pub value: Option<JsValue>,
}

impl From<&str> for Exception {
    fn from(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            ..Self::default()
        }
    }
}

/// An exchange in progress. Dropping it aborts the request.
pub type ResponseFuture = Pin<Box<dyn Future<Output = Result<HttpResponse, TransportError>>>>;

/// A part of a response that is received while the exchange goes on.
#[derive(Clone, Debug)]
pub enum ResponsePart {
    /// The response without its body. Always first, and only if it is a success (2xx).
    Head(HttpResponse),
    /// The next bytes of the body.
    Bytes(Vec<u8>),
}

/// Receives the parts of a response.
pub type PartReceiver = Rc<dyn Fn(ResponsePart)>;

/// Sends requests.
pub trait Transport: Send + Sync {
    /// Sends one request, once. Retries and timeouts are up to the caller.
    fn send(&self, request: HttpRequest) -> ResponseFuture;

    /// Like [`send`](Self::send), but passes a successful response to `receiver` as it arrives, and does not collect its
    /// body, which may be endless. The exchange ends when the body does. The receiver is called only while the exchange is
    /// polled. Only the stream of changes needs it.
    fn send_streamed(&self, request: HttpRequest, receiver: PartReceiver) -> ResponseFuture {
        let _ = (request, receiver);
        let reason = "this transport cannot receive a response part by part";
        Box::pin(async move { Err(TransportError::Refused(reason.to_owned())) })
    }
}
