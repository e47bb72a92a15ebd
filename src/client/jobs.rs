//! Waiting for a job to end. However many wait for one job, one of them looks at a time.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Duration;

use lead_workspace_api::{Decode, Job, JobId, JobState, endpoints};

use super::bell::Bell;
use super::call::Shared;
use super::error::{Error, ErrorKind};
use super::operation::Operation;
use super::poll::Rhythm;
use super::retry::Moment;
use super::{Answer, CallOptions, Client, Parameters, TableRow};

/// How long a wait may take, unless told otherwise: 30 minutes.
pub const DEADLINE: Duration = Duration::from_secs(30 * 60);

/// A job that was just started may not be known everywhere yet: for this long "not found" means
/// "not yet".
const NOT_YET: Duration = Duration::from_secs(10);

/// Looks that may fail in a row, each with its own retries, before the wait fails.
const PATIENCE: u32 = 3;

/// Reads an answer about a job: what to end with, or that the job goes on.
type Read<'a, T, E> = dyn FnMut(Result<&Answer, &Error>) -> Result<Option<T>, E> + 'a;

impl Client {
    /// Waits until a job has ended, whichever way; `progress` sees it each time somebody looked.
    /// Looks every second at first, every 10 s later, and not while nobody can see the page.
    ///
    /// The client's deadline option is that of the wait, 30 minutes unless set; timeout and retries
    /// are those of a single look.
    ///
    /// # Errors
    /// `Timeout` when the job has not ended by then (it goes on all the same), and whatever keeps
    /// the job from being read.
    pub async fn wait_for_job(
        &self,
        id: &JobId,
        mut progress: impl FnMut(&Job),
    ) -> Result<Job, Error> {
        let row = TableRow::of::<endpoints::GetJob>();
        let mut read = |seen: Result<&Answer, &Error>| {
            let answer = seen.map_err(Error::clone)?;
            let job = Job::decode(&answer.body)
                .map_err(|problem| self.undecodable(row, answer, &problem.reason))?;
            progress(&job);
            Ok((job.state() != JobState::Running).then_some(job))
        };
        self.watch_job(id, &mut read).await
    }

    /// Waits until `read` gives the job, which it does once that has ended, or fails, as it does
    /// with an error. It sees each answer.
    pub(crate) async fn watch_job<T, E: From<Error>>(
        &self,
        id: &JobId,
        read: &mut Read<'_, T, E>,
    ) -> Result<T, E> {
        let shared = &self.shared;
        let watch = shared.watches.of(id);
        let start = shared.runtime.now();
        let patience = self.options.deadline.unwrap_or(DEADLINE);
        let deadline = start.saturating_add(patience);
        let mut known = 0;
        loop {
            let changed = watch.changed.next();
            if watch.version.get() > known {
                known = watch.version.get();
                let seen = watch.seen.borrow().clone();
                match seen.as_deref() {
                    Some(Err(error)) if self.is_not_yet(error, start) => {}
                    Some(seen) => {
                        if let Some(job) = read(seen.as_ref())? {
                            return Ok(job);
                        }
                    }
                    None => {}
                }
            }
            let over = match Turn::take(&watch) {
                Some(turn) => shared.within(self.look(id, turn), deadline).await,
                None => shared.within(changed, deadline).await,
            };
            if over.is_none() {
                let mut error =
                    Operation::of::<endpoints::GetJob>().error(ErrorKind::Timeout(patience));
                error.operation = "wait_for_job";
                return Err(error.into());
            }
        }
    }

    fn is_not_yet(&self, error: &Error, start: Moment) -> bool {
        let waited = self.shared.runtime.now().saturating_sub(start);
        matches!(error.kind, ErrorKind::NotFound) && waited < NOT_YET
    }

    /// Looks once, when it is time, for everybody who waits.
    async fn look(&self, id: &JobId, turn: Turn) {
        let Shared { runtime, .. } = &*self.shared;
        let watch = &turn.0;
        let wait = watch.due.get().saturating_sub(runtime.now());
        if !wait.is_zero() {
            runtime.sleep(wait).await;
        }
        if let Some(seen) = runtime.until_seen() {
            seen.await;
        }
        let options = CallOptions {
            deadline: None,
            ..self.options.clone()
        };
        let row = TableRow::of::<endpoints::GetJob>();
        let call =
            self.with_options(options)
                .exchange(row, &[id.as_str()], Ok(Parameters::default()));
        let result = call.await;
        let pause = watch.rhythm.borrow_mut().next(runtime.dice());
        watch.due.set(runtime.now().saturating_add(pause));
        match &result {
            Err(error) if error.is_passing() && watch.failures.get() + 1 < PATIENCE => {
                watch.failures.set(watch.failures.get() + 1);
            }
            _ => {
                watch.failures.set(0);
                *watch.seen.borrow_mut() = Some(Rc::new(result));
                watch.version.set(watch.version.get() + 1);
            }
        }
    }
}

/// The jobs that somebody waits for.
#[derive(Default)]
pub(super) struct Watches(RefCell<Vec<(JobId, Weak<Watch>)>>);

impl Watches {
    fn of(&self, id: &JobId) -> Rc<Watch> {
        let mut watches = self.0.borrow_mut();
        watches.retain(|(_, watch)| watch.strong_count() > 0);
        // A handful at the most, so a list does.
        let known = watches.iter().find(|(known, _)| known == id);
        if let Some(watch) = known.and_then(|(_, watch)| watch.upgrade()) {
            return watch;
        }
        let watch = Rc::new(Watch::default());
        watches.push((id.clone(), Rc::downgrade(&watch)));
        watch
    }
}

/// What is known of one job, by all who wait for it.
#[derive(Default)]
struct Watch {
    looking: Cell<bool>,
    seen: RefCell<Option<Rc<Result<Answer, Error>>>>,
    version: Cell<u64>,
    failures: Cell<u32>,
    due: Cell<Moment>,
    rhythm: RefCell<Rhythm>,
    changed: Bell,
}

/// The turn to look. Whoever gives it up, by ending or by being dropped, lets another have it.
struct Turn(Rc<Watch>);

impl Turn {
    fn take(watch: &Rc<Watch>) -> Option<Self> {
        (!watch.looking.replace(true)).then(|| Self(Rc::clone(watch)))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.looking.set(false);
        self.0.changed.ring();
    }
}
