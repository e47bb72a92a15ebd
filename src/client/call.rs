//! Runs one call from its first request to its last, by the policy of [`retry`](super::retry).

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use lead_workspace_api::Retry;
use wasm_bindgen::JsValue;

use super::budget::Budget;
use super::config::{Config, Credentials};
use super::error::{CallFailure, Error, ErrorKind};
use super::extra::Extra;
use super::gate_queue::GateQueue;
use super::hooks::{ObservedRequest, RequestEvent, RetryEvent};
use super::key_source::KeyCache;
use super::operation::Operation;
use super::response::ResponseReader;
use super::retry::{AttemptError, Attempts, MonotonicTime, RetryDecision, StopReason, TimeLimits};
use super::runtime::Runtime;
use super::transport::{self, HttpRequest, HttpResponse, Transport};
use super::wait_for_job::JobPolls;

/// Overrides of the client's settings for single calls. A duration of zero ends the call at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallOptions {
    /// The time limit of one attempt.
    pub timeout: Option<Duration>,
    /// The time limit of the call, with its waits.
    pub deadline: Option<Duration>,
    /// How often the request may be sent again: `n` means at most `n + 1` requests. One more is
    /// sent after the key was refused and the source can supply another one, as a refused request
    /// has no effect.
    pub retries: Option<u32>,
    /// What the call sends beyond the contract.
    pub extra: Rc<Extra>,
}

/// The response to a call that succeeded on the wire.
#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) body: Vec<u8>,
    pub(crate) status: Option<u16>,
    pub(crate) request_id: Option<String>,
    pub(crate) attempts: u32,
    /// The platform's `Headers`.
    #[cfg_attr(
        not(feature = "js"),
        expect(dead_code, reason = "only read for JavaScript")
    )]
    pub(crate) headers: Option<JsValue>,
}

/// A request that ended.
struct Attempt {
    result: Result<HttpResponse, Error>,
    /// For the retry policy, if the result is an error.
    failure: AttemptError,
    /// The platform's `Headers`, if there was a response.
    headers: Option<JsValue>,
}

/// The state shared by all calls of a client.
pub(super) struct Shared {
    pub(super) config: Config,
    pub(super) runtime: Rc<dyn Runtime>,
    pub(super) gate_queue: Rc<GateQueue>,
    pub(super) job_polls: JobPolls,
    transport: Arc<dyn Transport>,
    budget: RefCell<Budget>,
    keys: Rc<KeyCache>,
}

impl Shared {
    pub(super) fn new(
        config: Config,
        transport: Arc<dyn Transport>,
        runtime: Rc<dyn Runtime>,
    ) -> Rc<Self> {
        let gate_queue = GateQueue::new(
            &config.workspace(),
            Rc::clone(&runtime),
            config.hooks.clone(),
        );
        Rc::new(Self {
            keys: KeyCache::new(&config, Rc::clone(&runtime)),
            config,
            runtime,
            gate_queue,
            job_polls: JobPolls::default(),
            transport,
            budget: RefCell::default(),
        })
    }

    /// Sends a request until it succeeds or must not be sent again.
    pub(super) async fn call(
        self: Rc<Self>,
        operation: Operation,
        request: Result<HttpRequest, Error>,
        options: CallOptions,
    ) -> Result<ApiResponse, Error> {
        let mut request = request?;
        request.extra_headers = self.config.extra_headers.with(&options.extra.headers);
        let limits = self.limits(operation, &options);
        let mut policy = self.config.policy.clone();
        if let Some(retries) = options.retries {
            policy.attempts = retries.saturating_add(1);
        }
        let max_wait = policy.longest_wait;
        let mut call = Attempts::start(operation.retry, policy, limits, self.now());
        let mut sent = 0;
        let mut is_key_renewed = false;
        loop {
            let unsent = |kind| unsent(operation, kind, sent, &call);
            let closed = |until: MonotonicTime| {
                let mut error = unsent(ErrorKind::RateLimited);
                error.retry_after = Some(until.saturating_sub(self.now()));
                error
            };
            let permit = self.gate_queue.acquire(call.deadline(), max_wait).await;
            let permit = permit.map_err(closed)?;
            let timeout = ErrorKind::Timeout(limits.deadline);
            let key = match self.timeout_at(self.keys.get(), call.deadline()).await {
                Some(Ok(key)) => key,
                Some(Err(reason)) => return Err(unsent(ErrorKind::NoKey(reason))),
                None => return Err(unsent(timeout)),
            };
            if !call.has_time(self.now()) {
                return Err(unsent(timeout));
            }

            sent += 1;
            let limit = limits
                .attempt
                .min(call.deadline().saturating_sub(self.now()));
            let attempt = self
                .send(operation, &request, key.as_ref(), sent, limit)
                .await;
            let attempt_error = attempt.failure;
            let mut error = match attempt.result {
                Ok(response) => {
                    permit.on_response();
                    self.budget.borrow_mut().refund();
                    return Ok(ApiResponse {
                        body: response.body,
                        status: Some(response.status),
                        request_id: response.request_id,
                        attempts: sent,
                        headers: response.headers,
                    });
                }
                Err(error) => error,
            };
            if matches!(error.kind, ErrorKind::NotFound) && call.not_found_is_success() {
                permit.on_response();
                return Ok(ApiResponse {
                    body: Vec::new(),
                    status: error.status,
                    request_id: error.request_id.take(),
                    attempts: sent,
                    headers: attempt.headers,
                });
            }
            // A request with a refused key has no effect, so even a start may be sent again with another key.
            if error.is_key_refused() && !is_key_renewed {
                is_key_renewed = true;
                if key.is_some_and(|key| self.keys.on_refused(&key)) {
                    permit.on_response();
                    continue;
                }
            }

            let now = self.now();
            let random = self.runtime.random();
            let next_start = call.next_start(attempt_error, now, random);
            let next = call.failed(attempt_error, now, random, &mut self.budget.borrow_mut());
            error.ambiguous = call.is_ambiguous();
            let mut waiter = None;
            if attempt_error.is_rate_limited() {
                permit.on_rate_limited(next_start);
                waiter = Some(self.gate_queue.add_waiter());
            } else if attempt_error.has_response() {
                permit.on_response();
            } else {
                drop(permit);
            }
            match next {
                RetryDecision::Again(at) => {
                    let delay = at.saturating_sub(now);
                    if let Some(hooks) = &self.config.hooks {
                        hooks.on_retry(&RetryEvent {
                            operation: operation.name,
                            attempt: sent,
                            delay,
                            error: &error,
                        });
                    }
                    self.runtime.sleep(delay).await;
                    drop(waiter);
                }
                RetryDecision::Fail(reason) => return Err(with_outcome(error, reason, now)),
            }
        }
    }

    pub(super) fn limits(&self, operation: Operation, options: &CallOptions) -> TimeLimits {
        let defaults = TimeLimits::for_class(operation.retry);
        let timeout = options.timeout.or(self.config.timeout);
        let attempt = timeout.unwrap_or(defaults.attempt);
        let deadline = options.deadline.or(self.config.deadline);
        TimeLimits {
            attempt,
            // A timeout longer than the default deadline extends the deadline, too.
            deadline: deadline
                .unwrap_or_else(|| defaults.deadline.max(timeout.unwrap_or_default())),
        }
    }

    async fn send(
        &self,
        operation: Operation,
        request: &HttpRequest,
        key: Option<&Credentials>,
        attempt: u32,
        limit: Duration,
    ) -> Attempt {
        let mut request = request.clone();
        request.headers = self.config.headers(key);
        let url = request.url.clone();
        let event = RequestEvent {
            operation: operation.name,
            method: operation.method.as_str(),
            url: &url,
            attempt,
        };
        let observed = ObservedRequest::start(self.config.hooks.as_deref(), &*self.runtime, event);
        let until = self.now().saturating_add(limit);
        // Dropping the exchange aborts the request.
        let response = self.timeout_at(self.transport.send(request), until).await;
        let mut response = response.unwrap_or(Err(transport::TransportError::Timeout));
        if let (Ok(response), Some(key)) = (&mut response, key) {
            // A server may echo the key in any header, and these two end up in hooks and errors.
            for text in [&mut response.request_id, &mut response.content_type] {
                *text = text.take().map(|text| key.redact(&text));
            }
        }
        let failure = classify(&response);
        let headers = response
            .as_ref()
            .ok()
            .and_then(|response| response.headers.clone());
        let reader = ResponseReader {
            operation,
            key,
            cap: self.config.body_cap,
            limit,
        };
        let result = reader.read(response).map_err(|mut error| {
            // A request that the platform refused was not sent.
            error.attempts = attempt - u32::from(failure == AttemptError::Refused);
            error.ambiguous = operation.writes() && failure.is_ambiguous();
            error
        });
        observed.ended(result.as_ref());
        Attempt {
            result,
            failure,
            headers,
        }
    }

    /// Returns the result of a future, or `None` once `until` has passed.
    pub(super) async fn timeout_at<T>(
        &self,
        future: impl Future<Output = T>,
        until: MonotonicTime,
    ) -> Option<T> {
        let wait = until.saturating_sub(self.now());
        let mut future = std::pin::pin!(future);
        let mut sleep = self.runtime.sleep(wait);
        poll_fn(|context| match future.as_mut().poll(context) {
            Poll::Ready(value) => Poll::Ready(Some(value)),
            Poll::Pending => sleep.as_mut().poll(context).map(|()| None),
        })
        .await
    }

    fn now(&self) -> MonotonicTime {
        self.runtime.now()
    }
}

/// Returns the error of a call that ended before its next request.
fn unsent(operation: Operation, kind: ErrorKind, sent: u32, call: &Attempts) -> Error {
    let mut error = operation.error(kind);
    error.attempts = sent;
    error.ambiguous = call.is_ambiguous();
    error
}

/// Classifies a failure for the retry policy.
fn classify(response: &Result<HttpResponse, transport::TransportError>) -> AttemptError {
    match response {
        Ok(HttpResponse {
            status,
            retry_after,
            ..
        }) => match *status {
            // A success that cannot be read; the server did the work nevertheless.
            200..300 => AttemptError::Unreadable,
            status => AttemptError::Status {
                status,
                retry_after: *retry_after,
            },
        },
        Err(transport::TransportError::Refused(_)) => AttemptError::Refused,
        Err(transport::TransportError::NotSent(_)) => AttemptError::NotSent,
        Err(transport::TransportError::Timeout) => AttemptError::TimedOut,
        Err(transport::TransportError::Network(_)) => AttemptError::Network,
        Err(transport::TransportError::TooLarge) => AttemptError::Unreadable,
        Err(transport::TransportError::Redirected) => AttemptError::Status {
            status: 302,
            retry_after: None,
        },
    }
}

/// Completes the error of a call with what is known of its effect.
fn with_outcome(mut error: Error, reason: StopReason, now: MonotonicTime) -> Error {
    match reason {
        StopReason::OutcomeUnknown => return outcome_unknown(error),
        StopReason::WaitTooLong { until } => error.retry_after = Some(until.saturating_sub(now)),
        StopReason::NoBudget => return error.with_exhausted_budget(),
        StopReason::Final | StopReason::Exhausted | StopReason::Deadline => {}
    }
    error
}

impl Shared {
    /// Returns the error for a successful response whose body cannot be decoded. A write has
    /// presumably taken effect.
    pub(super) fn undecodable(
        &self,
        operation: Operation,
        response: &ApiResponse,
        reason: &str,
    ) -> Error {
        let mut error = operation.error(ErrorKind::Decode(self.keys.redact(reason)));
        error.status = response.status;
        error.request_id = response.request_id.clone();
        error.attempts = response.attempts;
        error.ambiguous = operation.writes();
        if operation.retry == Retry::Start {
            outcome_unknown(error)
        } else {
            error
        }
    }
}

/// Wraps the error of a start whose outcome is unknown.
fn outcome_unknown(cause: Error) -> Error {
    Error::from(CallFailure {
        operation: cause.operation,
        writes: cause.writes,
        status: cause.status,
        request_id: cause.request_id.clone(),
        retry_after: cause.retry_after,
        ambiguous: cause.ambiguous,
        attempts: cause.attempts,
        kind: ErrorKind::OutcomeUnknown(cause),
    })
}
