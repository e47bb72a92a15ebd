//! Runs one call from its first request to its last, by the policy of [`retry`](super::retry).

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use lead_workspace_api::Retry;
use wasm_bindgen::JsValue;

use super::budget::Budget;
use super::config::Config;
use super::error::{CallFailure, Error, ErrorKind};
use super::extra::Extra;
use super::gate_queue::GateQueue;
use super::key_source::KeyCache;
use super::operation::Operation;
use super::retry::{MonotonicTime, TimeLimits};
use super::running_call::{Next, RunningCall};
use super::runtime::Runtime;
use super::transport::{HttpRequest, Transport};
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

/// The state shared by all calls of a client.
pub(super) struct Shared {
    pub(super) config: Config,
    pub(super) runtime: Rc<dyn Runtime>,
    pub(super) gate_queue: Rc<GateQueue>,
    pub(super) job_polls: JobPolls,
    pub(super) transport: Arc<dyn Transport>,
    pub(super) budget: RefCell<Budget>,
    pub(super) keys: Rc<KeyCache>,
    /// Why the server has no stream of changes, once it is known.
    pub(super) no_changes: RefCell<Option<Error>>,
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
            no_changes: RefCell::default(),
        })
    }

    /// Sends a request until it succeeds or must not be sent again.
    pub(super) async fn call(
        self: Rc<Self>,
        operation: Operation,
        request: Result<HttpRequest, Error>,
        options: CallOptions,
    ) -> Result<ApiResponse, Error> {
        let call = RunningCall::new(Rc::clone(&self), operation, request?, &options);
        self.run(call).await
    }

    /// Runs a call to its end.
    pub(super) async fn run(&self, mut call: RunningCall) -> Result<ApiResponse, Error> {
        loop {
            let deadline = call.attempts.deadline();
            let permit = self.gate_queue.acquire(deadline, call.longest_wait).await;
            let permit = permit.map_err(|until| call.limited(until))?;
            let key = self.timeout_at(Box::pin(self.keys.get()), deadline).await;
            let key = call.key(key)?;
            let attempt = call.send(key.as_ref()).await;
            match call.next(attempt, permit, key) {
                Next::End(result) => return result,
                Next::AtOnce => {}
                Next::After(delay, _waiter) => self.runtime.sleep(delay).await,
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

    /// Returns the result of a future, or `None` once `until` has passed.
    pub(super) fn timeout_at<T>(
        &self,
        mut future: impl Future<Output = T> + Unpin,
        until: MonotonicTime,
    ) -> impl Future<Output = Option<T>> {
        let mut sleep = self.runtime.sleep(until.saturating_sub(self.now()));
        poll_fn(move |context| match Pin::new(&mut future).poll(context) {
            Poll::Ready(value) => Poll::Ready(Some(value)),
            Poll::Pending => sleep.as_mut().poll(context).map(|()| None),
        })
    }

    pub(super) fn now(&self) -> MonotonicTime {
        self.runtime.now()
    }
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
pub(super) fn outcome_unknown(cause: Error) -> Error {
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
