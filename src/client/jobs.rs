//! Waiting for a job to end. However many wait for one job, one of them looks at a time.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Duration;

use futures_util::future::select;
use lead_workspace_api::{Decode, Job, JobId, JobState, endpoints};

use super::bell::Bell;
use super::call::Shared;
use super::error::{Error, ErrorKind};
use super::operation::Operation;
use super::poll::Rhythm;
use super::retry::Moment;
use super::{Answer, Call, CallOptions, Client, Parameters, TableRow};

/// How long a wait may take, unless told otherwise: 30 minutes.
pub const DEADLINE: Duration = Duration::from_secs(30 * 60);

/// A job that was just started may not be known everywhere yet: for this long "not found" means
/// "not yet".
const NOT_YET: Duration = Duration::from_secs(10);

/// While the server answers every look with a passing error, a wait goes on for this long. Without a
/// connection, and over the rate limit, it goes on until its deadline.
const BROKEN: Duration = Duration::from_secs(5 * 60);

/// In a page that nobody can see, the pause before a look: browsers wake such a page once a minute at best.
const HIDDEN: Duration = Duration::from_secs(60);

/// How long the look at the end of a wait may take.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// Reads an answer about a job: what to end with, or that the job goes on.
type Read<'a, T, E> = dyn FnMut(Result<&Answer, &Error>) -> Result<Option<T>, E> + 'a;

impl Client {
    /// Waits until a job has ended, whichever way; `progress` sees it each time somebody looked.
    /// Looks every second at first, every 10 s later, and about once a minute while nobody can see the page.
    ///
    /// The client's deadline option is that of the wait, 30 minutes unless set; timeout and retries
    /// are those of a single look. Those who wait with the same timeout and retries share the looks.
    /// A look that fails for want of a connection, or over the rate limit, does not end the wait. Before the
    /// wait ends without a result it looks once more, which may take 10 s on top.
    ///
    /// # Errors
    /// `Timeout` when the job has not ended by then (it goes on all the same), the reason why it could not be
    /// read at the end, and whatever keeps the job from being read at all. A server that answers with
    /// passing errors alone for 5 minutes counts as that.
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
        let watch = shared.watches.of(id, &self.options);
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
                break;
            }
        }
        // The last look may be long ago: the page was hidden, or there was no connection.
        let last = self.ask(id, Some(0), Some(LAST_LOOK)).await;
        match &last {
            Err(error) if error.is_passing() && watch.fails.get() => {
                return Err(error.clone().into());
            }
            Err(error) if error.is_passing() || self.is_not_yet(error, start) => {}
            _ => {
                if let Some(job) = read(last.as_ref())? {
                    return Ok(job);
                }
            }
        }
        let mut error = Operation::of::<endpoints::GetJob>().error(ErrorKind::Timeout(patience));
        error.operation = "wait_for_job";
        Err(error.into())
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
            select(seen, runtime.sleep(HIDDEN)).await;
        }
        let result = self.ask(id, self.options.retries, None).await;
        let pause = watch.rhythm.borrow_mut().next(runtime.dice());
        let now = runtime.now();
        watch.due.set(now.saturating_add(pause));
        let goes_on = match &result {
            Err(error) if matches!(error.kind, ErrorKind::Status(_)) => {
                let since = watch.broken_since.get().unwrap_or(now);
                watch.broken_since.set(Some(since));
                error.is_passing() && now.saturating_sub(since) < BROKEN
            }
            Err(error) => error.is_passing(),
            Ok(_) => {
                watch.broken_since.set(None);
                false
            }
        };
        watch.fails.set(goes_on);
        if !goes_on {
            *watch.seen.borrow_mut() = Some(Rc::new(result));
            watch.version.set(watch.version.get() + 1);
        }
    }

    /// Asks for the job.
    fn ask(&self, id: &JobId, retries: Option<u32>, deadline: Option<Duration>) -> Call<Answer> {
        let options = CallOptions {
            deadline,
            retries,
            ..self.options.clone()
        };
        let row = TableRow::of::<endpoints::GetJob>();
        self.with_options(options)
            .exchange(row, &[id.as_str()], Ok(Parameters::default()))
    }
}

/// The jobs that somebody waits for.
#[derive(Default)]
pub(super) struct Watches(RefCell<Vec<(Looks, Weak<Watch>)>>);

/// What those have in common who share the looks: the job, and how it is looked at. So nobody's short
/// timeout fails the looks of others.
type Looks = (JobId, Option<Duration>, Option<u32>);

impl Watches {
    fn of(&self, id: &JobId, options: &CallOptions) -> Rc<Watch> {
        let looks = (id.clone(), options.timeout, options.retries);
        let mut watches = self.0.borrow_mut();
        watches.retain(|(_, watch)| watch.strong_count() > 0);
        // A handful at the most, so a list does.
        let known = watches.iter().find(|(known, _)| *known == looks);
        if let Some(watch) = known.and_then(|(_, watch)| watch.upgrade()) {
            return watch;
        }
        let watch = Rc::new(Watch::default());
        watches.push((looks, Rc::downgrade(&watch)));
        watch
    }
}

/// What is known of one job, by all who wait for it.
#[derive(Default)]
struct Watch {
    looking: Cell<bool>,
    seen: RefCell<Option<Rc<Result<Answer, Error>>>>,
    version: Cell<u64>,
    /// Whether the last look failed in passing, which is told to none of them.
    fails: Cell<bool>,
    /// Since when the server answers with errors alone.
    broken_since: Cell<Option<Moment>>,
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
