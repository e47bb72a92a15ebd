//! The record of a request: one line in the log, and the metrics of requests.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::App;
use super::refusal::Refusal;
use super::request_context::RequestContext;
use crate::metrics::{Counted, OperationLabels, RequestLabels};

/// Status of a request whose client disconnected before the response, as in the logs of nginx.
const CLIENT_CLOSED: u16 = 499;

/// Marks a response whose body has no end. Its record is written when it begins.
#[derive(Clone, Copy)]
pub(super) struct Unending;

/// Written when it is dropped: after the last byte of the response was passed on, or when the
/// client has disconnected.
pub(super) struct RequestRecord {
    app: App,
    context: Arc<RequestContext>,
    started: Instant,
    status: u16,
    bytes: u64,
    _in_flight: Counted,
}

impl RequestRecord {
    pub(super) fn begin(app: App, context: Arc<RequestContext>) -> Self {
        let in_flight = Counted::new(&app.0.metrics.in_flight);
        Self {
            app,
            context,
            started: Instant::now(),
            status: CLIENT_CLOSED,
            bytes: 0,
            _in_flight: in_flight,
        }
    }

    /// Attaches the record to the response.
    pub(super) fn answered(mut self, response: Response) -> Response {
        self.status = response.status().as_u16();
        let metrics = &self.app.0.metrics;
        match response.extensions().get() {
            Some(Refusal::RateLimited) => _ = metrics.rate_limited.inc(),
            Some(Refusal::Shed) => _ = metrics.shed.inc(),
            None => {}
        }
        if response.extensions().get::<Unending>().is_some() {
            return response;
        }
        response.map(|body| Body::new(RecordedBody { body, record: self }))
    }
}

impl Drop for RequestRecord {
    fn drop(&mut self) {
        let operation = self.context.operation();
        let elapsed = self.started.elapsed();
        let caller = self.context.caller();
        tracing::info!(
            request_id = self.context.id,
            operation,
            status = self.status,
            ms = elapsed.as_micros() as f64 / 1000.0,
            workspace = caller.map(|caller| &*caller.workspace),
            key_id = caller.map(|caller| &*caller.key_id),
            bytes = self.bytes,
            "request"
        );
        let metrics = &self.app.0.metrics;
        let labels = RequestLabels {
            operation,
            status: self.status,
        };
        metrics.requests.get_or_create(&labels).inc();
        metrics
            .request_seconds
            .get_or_create(&OperationLabels { operation })
            .observe(elapsed.as_secs_f64());
    }
}

/// The body of a response; counts its bytes.
struct RecordedBody {
    body: Body,
    record: RequestRecord,
}

impl HttpBody for RecordedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.record.bytes += data.len() as u64;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
