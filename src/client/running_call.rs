//! The state of one call, and what it does before and after each request. Not asynchronous: in an asynchronous
//! function, the compiler keeps every local in memory, and the Wasm is larger. It must not be inlined into one either.

use std::rc::Rc;
use std::time::Duration;

use wasm_bindgen::JsValue;

use super::api_response::ApiResponse;
use super::call_options::CallOptions;
use super::config::Credentials;
use super::error::{Error, ErrorKind, outcome_unknown};
use super::gate_queue::{Permit, WaiterGuard};
use super::hooks::{ObservedRequest, RequestEvent, RetryEvent};
use super::operation::Operation;
use super::response::ResponseReader;
use super::retry::{AttemptError, Attempts, MonotonicTime, RetryDecision, StopReason, TimeLimits};
use super::shared::Shared;
use super::transport::{HttpRequest, HttpResponse, ResponseFuture, TransportError};

/// Sends a request otherwise than with the transport's `send`.
pub(super) type Exchange = Box<dyn Fn(HttpRequest) -> ResponseFuture>;

/// A request that ended.
pub(super) struct Attempt {
    result: Result<HttpResponse, Error>,
    /// For the retry policy, if the result is an error.
    failure: AttemptError,
    /// The platform's `Headers`, if there was a response.
    headers: Option<JsValue>,
}

/// What follows a request.
pub(super) enum Next {
    /// The call ends.
    End(Result<ApiResponse, Error>),
    /// Another request, with another key.
    AtOnce,
    /// Another request after a pause, during which the call may count as waiting.
    After(Duration, Option<WaiterGuard>),
}

/// A call in progress.
pub(super) struct RunningCall {
    shared: Rc<Shared>,
    operation: Operation,
    request: HttpRequest,
    limits: TimeLimits,
    pub(super) attempts: Attempts,
    pub(super) longest_wait: Duration,
    /// Number of requests sent.
    sent: u32,
    is_key_renewed: bool,
    exchange: Option<Exchange>,
}

impl RunningCall {
    #[inline(never)]
    pub(super) fn new(
        shared: Rc<Shared>,
        operation: Operation,
        mut request: HttpRequest,
        options: &CallOptions,
    ) -> Self {
        request.extra_headers = shared.config.extra_headers.with(&options.extra.headers);
        let limits = shared.limits(operation, options);
        let mut policy = shared.config.policy.clone();
        if let Some(retries) = options.retries {
            policy.attempts = retries.saturating_add(1);
        }
        Self {
            longest_wait: policy.longest_wait,
            attempts: Attempts::start(operation.retry, policy, limits, shared.now()),
            shared,
            operation,
            request,
            limits,
            sent: 0,
            is_key_renewed: false,
            exchange: None,
        }
    }

    /// Sets how the requests are sent.
    pub(super) fn with_exchange(mut self, exchange: Exchange) -> Self {
        self.exchange = Some(exchange);
        self
    }

    /// Returns the error of a call that ends before its next request.
    fn unsent(&self, kind: ErrorKind) -> Error {
        let mut error = self.operation.error(kind);
        error.attempts = self.sent;
        error.ambiguous = self.attempts.is_ambiguous();
        error
    }

    /// Returns the error of a call that would wait too long for the gate, which opens at `until`.
    pub(super) fn limited(&self, until: MonotonicTime) -> Error {
        let mut error = self.unsent(ErrorKind::RateLimited);
        error.retry_after = Some(until.saturating_sub(self.shared.now()));
        error
    }

    /// Returns the key to send, if any. `None` means that it did not arrive in time.
    pub(super) fn key(
        &self,
        key: Option<Result<Option<Credentials>, String>>,
    ) -> Result<Option<Credentials>, Error> {
        match key {
            Some(Ok(key)) if self.attempts.has_time(self.shared.now()) => Ok(key),
            Some(Err(reason)) => Err(self.unsent(ErrorKind::NoKey(reason))),
            _ => Err(self.unsent(ErrorKind::Timeout(self.limits.deadline))),
        }
    }

    /// Sends one request.
    pub(super) async fn send(&mut self, key: Option<&Credentials>) -> Attempt {
        self.sent += 1;
        let Shared {
            config,
            runtime,
            transport,
            ..
        } = &*self.shared;
        let now = runtime.now();
        let left = self.attempts.deadline().saturating_sub(now);
        let limit = self.limits.attempt.min(left);
        let mut request = self.request.clone();
        request.headers = config.headers(key);
        let event = RequestEvent {
            operation: self.operation.name,
            method: self.operation.method.as_str(),
            url: &self.request.url,
            attempt: self.sent,
        };
        let observed = ObservedRequest::start(config.hooks.as_deref(), &**runtime, event);
        // Dropping the exchange aborts the request.
        let exchange = match &self.exchange {
            Some(exchange) => exchange(request),
            None => transport.send(request),
        };
        let until = now.saturating_add(limit);
        let response = self.shared.timeout_at(exchange, until).await;
        let attempt = self.read(key, limit, response);
        observed.ended(attempt.result.as_ref());
        attempt
    }

    #[inline(never)]
    fn read(
        &self,
        key: Option<&Credentials>,
        limit: Duration,
        response: Option<Result<HttpResponse, TransportError>>,
    ) -> Attempt {
        let mut response = response.unwrap_or(Err(TransportError::Timeout));
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
            operation: self.operation,
            key,
            cap: self.shared.config.body_cap,
            limit,
        };
        let result = reader.read(response).map_err(|mut error| {
            // A request that the platform refused was not sent.
            error.attempts = self.sent - u32::from(failure == AttemptError::Refused);
            error.ambiguous = self.operation.writes() && failure.is_ambiguous();
            error
        });
        Attempt {
            result,
            failure,
            headers,
        }
    }

    /// Decides what follows a request, and reports it to gate, budget and hooks.
    #[inline(never)]
    pub(super) fn next(
        &mut self,
        attempt: Attempt,
        permit: Permit,
        key: Option<Credentials>,
    ) -> Next {
        let Shared {
            config,
            gate_queue,
            budget,
            runtime,
            keys,
            ..
        } = &*self.shared;
        let failure = attempt.failure;
        let mut error = match attempt.result {
            Ok(response) => {
                permit.on_response();
                budget.borrow_mut().refund();
                return Next::End(Ok(ApiResponse {
                    body: response.body,
                    status: Some(response.status),
                    request_id: response.request_id,
                    attempts: self.sent,
                    headers: response.headers,
                }));
            }
            Err(error) => error,
        };
        if matches!(error.kind, ErrorKind::NotFound) && self.attempts.not_found_is_success() {
            permit.on_response();
            return Next::End(Ok(ApiResponse {
                body: Vec::new(),
                status: error.status,
                request_id: error.request_id.take(),
                attempts: self.sent,
                headers: attempt.headers,
            }));
        }
        // A request with a refused key has no effect, so even a start may be sent again with another key.
        if error.is_key_refused() && !self.is_key_renewed {
            self.is_key_renewed = true;
            if key.is_some_and(|key| keys.on_refused(&key)) {
                permit.on_response();
                return Next::AtOnce;
            }
        }

        let now = runtime.now();
        let random = runtime.random();
        let next_start = self.attempts.next_start(failure, now, random);
        let decision = self
            .attempts
            .failed(failure, now, random, &mut budget.borrow_mut());
        error.ambiguous = self.attempts.is_ambiguous();
        let mut waiter = None;
        if failure.is_rate_limited() {
            permit.on_rate_limited(next_start);
            waiter = Some(gate_queue.add_waiter());
        } else if failure.has_response() {
            permit.on_response();
        } else {
            drop(permit);
        }
        match decision {
            RetryDecision::Again(at) => {
                let delay = at.saturating_sub(now);
                if let Some(hooks) = &config.hooks {
                    hooks.on_retry(&RetryEvent {
                        operation: self.operation.name,
                        attempt: self.sent,
                        delay,
                        error: &error,
                    });
                }
                Next::After(delay, waiter)
            }
            RetryDecision::Fail(reason) => Next::End(Err(with_outcome(error, reason, now))),
        }
    }
}

/// Classifies a failure for the retry policy.
fn classify(response: &Result<HttpResponse, TransportError>) -> AttemptError {
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
        Err(TransportError::Refused(_)) => AttemptError::Refused,
        Err(TransportError::NotSent(_)) => AttemptError::NotSent,
        Err(TransportError::Timeout) => AttemptError::TimedOut,
        Err(TransportError::Network(_)) => AttemptError::Network,
        Err(TransportError::TooLarge) => AttemptError::Unreadable,
        Err(TransportError::Redirected) => AttemptError::Status {
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
