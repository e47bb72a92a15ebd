//! Waits for jobs to end. Waits for the same job share the polling: one of them polls at a time.

use std::time::Duration;

use futures_util::future::select;
use lead_workspace_api::endpoints::{self, NoParams};
use lead_workspace_api::json::object;
use lead_workspace_api::{Decode, Job, JobId, JobState, Request};

use super::error::{Error, ErrorKind};
use super::job_polls::Leader;
use super::operation::Operation;
use super::retry::MonotonicTime;
use super::shared::Shared;
use super::{ApiResponse, Call, CallOptions, Client, TableRow};

/// Default deadline of a wait: 30 minutes.
pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(30 * 60);

/// A job that was just started may not be visible everywhere yet. For this long, "not found" means "not yet".
const NOT_FOUND_GRACE: Duration = Duration::from_secs(10);

/// The pause before a poll in a hidden page. Browsers wake such a page once a minute at best.
const HIDDEN_INTERVAL: Duration = Duration::from_secs(60);

/// Deadline of the last poll at the end of a wait.
const FINAL_POLL_TIMEOUT: Duration = Duration::from_secs(10);

/// Reads a response about a job: the final result, or `None` while the job runs.
type ReadJob<'a, T, E> = dyn FnMut(Result<&ApiResponse, &Error>) -> Result<Option<T>, E> + 'a;

impl Client {
    /// Waits until a job has ended, successfully or not. `progress` is called with the job after
    /// each successful poll. Polls every second at first, every 10 s later, and about once a minute
    /// while the page is hidden.
    ///
    /// The client's deadline option applies to the whole wait, 30 minutes unless set; timeout and
    /// retries apply to a single poll. Waits for the same job with the same timeout and retries
    /// share their polls. A poll that fails for lack of a connection or because of the rate limit
    /// does not end the wait. Before the wait ends without a result, it polls once more, which may
    /// take up to 10 s longer.
    ///
    /// # Errors
    /// `Timeout` if the job has not ended by the deadline; the job itself continues. A temporary
    /// error if the last poll and the one before it failed. Any error that prevents reading the job
    /// at all; a server that responds with nothing but temporary errors for 5 minutes counts as
    /// that.
    pub async fn wait_for_job(
        &self,
        id: &JobId,
        mut progress: impl FnMut(&Job),
    ) -> Result<Job, Error> {
        let row = TableRow::of::<endpoints::GetJob>();
        let mut read = |result: Result<&ApiResponse, &Error>| {
            let response = result.map_err(Error::clone)?;
            let job = Job::decode(&response.body)
                .map_err(|problem| self.undecodable(row, response, &problem.reason))?;
            progress(&job);
            Ok((job.state() != JobState::Running).then_some(job))
        };
        self.watch_job(id, &mut read).await
    }

    /// Waits until `read` returns a result, which it does once the job has ended, or fails, which
    /// it does with an error. `read` is called with each response.
    pub(crate) async fn watch_job<T, E: From<Error>>(
        &self,
        id: &JobId,
        read: &mut ReadJob<'_, T, E>,
    ) -> Result<T, E> {
        let shared = &self.shared;
        let poll = shared.job_polls.poll(id, &self.options);
        let start = shared.runtime.now();
        let limit = self.options.deadline.unwrap_or(DEFAULT_DEADLINE);
        let deadline = start.saturating_add(limit);
        let mut seen_version = 0;
        loop {
            let changed = poll.changed.notified();
            if poll.version.get() > seen_version {
                seen_version = poll.version.get();
                let latest = poll.latest.borrow().clone();
                if let Some(result) = latest.as_deref()
                    && !self.is_not_found_yet(result, start)
                    && let Some(job) = read(result.as_ref())?
                {
                    return Ok(job);
                }
            }
            let step = match Leader::acquire(&poll) {
                Some(leader) => {
                    let poll = Box::pin(self.poll_once(id, leader));
                    shared.timeout_at(poll, deadline).await
                }
                None => shared.timeout_at(changed, deadline).await,
            };
            if step.is_none() {
                break;
            }
        }
        // The last poll may be long ago, because the page was hidden or there was no connection.
        let final_result = self
            .request_job(id, Some(0), Some(FINAL_POLL_TIMEOUT))
            .await;
        match final_result {
            Err(error) if error.is_transient() && poll.is_failing.get() => {
                return Err(error.into());
            }
            Err(error) if error.is_transient() => {}
            result if self.is_not_found_yet(&result, start) => {}
            result => {
                if let Some(job) = read(result.as_ref())? {
                    return Ok(job);
                }
            }
        }
        let mut error = Operation::of::<endpoints::GetJob>().error(ErrorKind::Timeout(limit));
        error.operation = "wait_for_job";
        Err(error.into())
    }

    /// Whether the job may appear later.
    fn is_not_found_yet(&self, result: &Result<ApiResponse, Error>, start: MonotonicTime) -> bool {
        let waited = self.shared.runtime.now().saturating_sub(start);
        let is_not_found =
            matches!(result, Err(error) if matches!(error.kind, ErrorKind::NotFound));
        is_not_found && waited < NOT_FOUND_GRACE
    }

    /// Polls once, when it is time, for all waits of the job.
    async fn poll_once(&self, id: &JobId, leader: Leader) {
        let Shared { runtime, .. } = &*self.shared;
        let poll = &leader.0;
        let wait = poll.due.get().saturating_sub(runtime.now());
        if !wait.is_zero() {
            runtime.sleep(wait).await;
        }
        if let Some(visible) = runtime.until_visible() {
            select(visible, runtime.sleep(HIDDEN_INTERVAL)).await;
        }
        let result = self.request_job(id, self.options.retries, None).await;
        let pause = poll.backoff.borrow_mut().next(runtime.random());
        poll.on_result(result, runtime.now(), pause);
    }

    /// Requests the job.
    fn request_job(
        &self,
        id: &JobId,
        retries: Option<u32>,
        deadline: Option<Duration>,
    ) -> Call<ApiResponse> {
        let options = CallOptions {
            deadline,
            retries,
            ..self.options.clone()
        };
        let row = TableRow::of::<endpoints::GetJob>();
        let params = self.bind(row, &object([]), NoParams::check_wire);
        self.with_options(options)
            .exchange(row, &[id.as_str()], params)
    }
}
