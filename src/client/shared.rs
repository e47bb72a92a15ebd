//! What all calls of a client share.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use lead_workspace_api::Retry;

use super::api_response::ApiResponse;
use super::budget::Budget;
use super::call_options::CallOptions;
use super::config::Config;
use super::error::{Error, ErrorKind, outcome_unknown};
use super::gate_queue::GateQueue;
use super::job_polls::JobPolls;
use super::key_cache::KeyCache;
use super::operation::Operation;
use super::retry::{MonotonicTime, TimeLimits};
use super::runtime::Runtime;
use super::transport::Transport;

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
