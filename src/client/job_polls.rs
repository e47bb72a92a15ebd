//! The polls of the jobs that are waited for, and what they returned last.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Duration;

use lead_workspace_api::JobId;

use super::api_response::ApiResponse;
use super::call_options::CallOptions;
use super::error::{Error, ErrorKind};
use super::notify::Notify;
use super::poll_backoff::PollBackoff;
use super::retry::MonotonicTime;

/// A wait ends after the server has responded to every poll with a temporary error for this long.
/// Without a connection, or over the rate limit, it goes on until its deadline.
const MAX_OUTAGE: Duration = Duration::from_secs(5 * 60);

/// The jobs being waited for.
#[derive(Default)]
pub(super) struct JobPolls(RefCell<Vec<(PollKey, Weak<JobPoll>)>>);

/// The key of a shared poll: the job and the options of the request, without a deadline. A short
/// timeout of one wait must not make the polls of others fail.
type PollKey = (JobId, CallOptions);

impl JobPolls {
    pub(super) fn poll(&self, id: &JobId, options: &CallOptions) -> Rc<JobPoll> {
        let options = CallOptions {
            deadline: None,
            ..options.clone()
        };
        let key = (id.clone(), options);
        let mut job_polls = self.0.borrow_mut();
        job_polls.retain(|(_, poll)| poll.strong_count() > 0);
        // There are only a few, so a list is enough.
        let existing = job_polls.iter().find(|(other, _)| *other == key);
        if let Some(poll) = existing.and_then(|(_, poll)| poll.upgrade()) {
            return poll;
        }
        let poll = Rc::new(JobPoll::default());
        job_polls.push((key, Rc::downgrade(&poll)));
        poll
    }
}

/// The state of one job, shared by all its waits.
#[derive(Default)]
pub(super) struct JobPoll {
    has_leader: Cell<bool>,
    pub(super) latest: RefCell<Option<Rc<Result<ApiResponse, Error>>>>,
    pub(super) version: Cell<u64>,
    /// Whether the last poll failed temporarily; such an error is not passed to the waits.
    pub(super) is_failing: Cell<bool>,
    /// Since when every poll had a response with an error.
    broken_since: Cell<Option<MonotonicTime>>,
    pub(super) due: Cell<MonotonicTime>,
    pub(super) backoff: RefCell<PollBackoff>,
    pub(super) changed: Notify,
}

impl JobPoll {
    /// Records the result of a poll at `now`. The next one follows after a pause.
    pub(super) fn on_result(
        &self,
        result: Result<ApiResponse, Error>,
        now: MonotonicTime,
        pause: Duration,
    ) {
        self.due.set(now.saturating_add(pause));
        let is_temporary = match &result {
            Err(error) if matches!(error.kind, ErrorKind::Status) => {
                let since = self.broken_since.get().unwrap_or(now);
                self.broken_since.set(Some(since));
                error.is_transient() && now.saturating_sub(since) < MAX_OUTAGE
            }
            result => {
                self.broken_since.set(None);
                result.as_ref().is_err_and(Error::is_transient)
            }
        };
        self.is_failing.set(is_temporary);
        if !is_temporary {
            *self.latest.borrow_mut() = Some(Rc::new(result));
            self.version.set(self.version.get() + 1);
        }
    }
}

/// The right to poll. Dropping it hands the right to another wait.
pub(super) struct Leader(pub(super) Rc<JobPoll>);

impl Leader {
    pub(super) fn acquire(poll: &Rc<JobPoll>) -> Option<Self> {
        (!poll.has_leader.replace(true)).then(|| Self(Rc::clone(poll)))
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        self.0.has_leader.set(false);
        self.0.changed.notify_all();
    }
}
