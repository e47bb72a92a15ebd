//! The worker, which runs the queued jobs.
//!
//! It holds one job per workspace and runs their steps in turn, so that no workspace waits for a
//! large job of another.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tracing::{error, info, warn};

use super::step::step;
use super::{Scorer, read_rules};
use crate::failpoint::Failpoint;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::db::Db;
use crate::store::job_queue::{self, LeasedJob, StepOutcome};
use crate::store::lease::RENEWAL;

/// How often the worker looks whether this process has written something. Only then there may be new jobs.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How often it looks for the jobs of other processes, if there may be any.
const SHARED_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Delay after a store error that is not caused by a job.
const ERROR_DELAY: Duration = Duration::from_secs(5);

/// Attempts at a step before the job fails.
const MAX_ATTEMPTS: u32 = 4;

/// Starts the worker of a store, which runs until `shutdown` resolves.
///
/// It runs every job in the queue, those that a dead process has left, too. In a database that several processes share,
/// it also ends the imports of dead ones. At shutdown it finishes the current step and puts its jobs back.
pub fn spawn_worker(
    store: Store,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> JoinHandle<()> {
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        let work = work(store, stopped);
        tokio::pin!(work);
        tokio::select! {
            () = &mut work => return,
            () = shutdown => {}
        }
        let _ = stop.send(true);
        work.await;
    })
}

async fn work(store: Store, stopped: watch::Receiver<bool>) {
    let mut worker = Worker::new(store);
    while !*stopped.borrow() {
        match worker.run_one_step().await {
            Ok(true) => {}
            Ok(false) => sleep(POLL_INTERVAL).await,
            Err(error) => {
                error!(%error, "scoring failed; trying again later");
                sleep(ERROR_DELAY).await;
            }
        }
    }
    worker.put_back().await;
}

struct Worker {
    store: Store,
    /// Whether other processes may use the database, too.
    is_shared: bool,
    /// Whether the jobs of an earlier process have been queued again.
    has_resumed: bool,
    /// At most one job per workspace; the front is next. All jobs that this worker holds are here.
    running: VecDeque<RunningJob>,
    /// When their leases were last renewed.
    renewed: Instant,
    /// The version of the store at the last query for jobs, and when that was.
    polled: Option<(u64, Instant)>,
}

struct RunningJob {
    job: Arc<LeasedJob>,
    scorer: Arc<Scorer>,
    /// Failed attempts at the current step.
    attempts: u32,
    not_before: Instant,
}

impl Worker {
    fn new(store: Store) -> Self {
        Self {
            is_shared: store.is_shared(),
            has_resumed: false,
            running: VecDeque::new(),
            renewed: Instant::now(),
            polled: None,
            store,
        }
    }

    /// Takes jobs and runs one step; returns false if there is nothing to do.
    async fn run_one_step(&mut self) -> Result<bool, StoreError> {
        self.renew_leases().await?;
        self.poll().await?;
        let now = Instant::now();
        let ready = self
            .running
            .iter()
            .position(|running_job| running_job.not_before <= now);
        match ready.and_then(|place| self.running.remove(place)) {
            Some(running_job) => self.step(running_job).await.map(|()| true),
            None => Ok(false),
        }
    }

    /// Renews the leases of all jobs from time to time: a step renews that of its job only, and a job may wait for
    /// many steps of others.
    async fn renew_leases(&mut self) -> Result<(), StoreError> {
        if self.renewed.elapsed() >= RENEWAL {
            let jobs = self.running.iter().map(|running| Arc::clone(&running.job));
            let jobs: Vec<_> = jobs.collect();
            if !jobs.is_empty() {
                self.store.renew_leases(jobs).await?;
            }
            self.renewed = Instant::now();
        }
        Ok(())
    }

    /// Takes all jobs that can be taken, if there may be some since the last time.
    async fn poll(&mut self) -> Result<(), StoreError> {
        let version = self.store.version();
        let is_due = |at: Instant| self.is_shared && at.elapsed() >= SHARED_POLL_INTERVAL;
        let is_known = |(known, at)| known == version && !is_due(at);
        if self.polled.is_some_and(is_known) {
            return Ok(());
        }
        if self.is_shared {
            self.store.end_expired_imports().await?;
        } else if !self.has_resumed {
            match self.store.write(job_queue::requeue_running).await? {
                0 => {}
                jobs => info!(jobs, "resuming jobs of an earlier process"),
            }
            self.has_resumed = true;
        }
        while self.take_next().await? {}
        self.polled = Some((version, Instant::now()));
        Ok(())
    }

    /// Takes the next job of a workspace that has none in progress; returns false if there is none.
    async fn take_next(&mut self) -> Result<bool, StoreError> {
        let served: Vec<_> = self
            .running
            .iter()
            .map(|running_job| running_job.job.tenant)
            .collect();
        // Reads the rules before taking the job: a failure after that would count as an attempt.
        let waiting = move |db: Db<'_>, only| {
            let next = job_queue::next_job(db, &served, only)?;
            let with_rules = |(id, tenant)| Ok((id, tenant, read_rules(db, tenant)?));
            next.into_iter().map(with_rules).collect()
        };
        let waiting = self.store.read_each(waiting).await?;
        let oldest = waiting.into_iter().min_by_key(|(id, ..)| *id);
        let Some((id, tenant, rules)) = oldest else {
            return Ok(false);
        };
        let scorer = rules.map(|rules| Arc::new(Scorer::new(rules)));
        let scorer = scorer.map_err(|problems| {
            format!(
                "the scoring rules of this workspace are not valid. Nothing was scored. \
                 Correct them with `lead-workspace scoring set FILE` and start again: {problems}"
            )
        });
        let take = move |db: Db<'_>| {
            let Some(job) = job_queue::lease(db, tenant, id)? else {
                return Ok(None);
            };
            match &scorer {
                Ok(scorer) => Ok(Some((job, Arc::clone(scorer)))),
                Err(error) => fail(db, &job, error).map(|()| None),
            }
        };
        let (job, scorer) = match self.store.write_in(tenant, take).await {
            Ok(Some(taken)) => taken,
            // The job has failed, or another process has taken it; there may be more.
            Ok(None) | Err(StoreError::WorkspaceDeleted) => return Ok(true),
            // The next look at the queue leaves its server out.
            Err(StoreError::NodeLost { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        Failpoint::Lease.reach();
        info!(job_id = job.job_id, kind = job.kind.as_str(), "scoring");
        self.running.push_back(RunningJob {
            job: Arc::new(job),
            scorer,
            attempts: 0,
            not_before: Instant::now(),
        });
        Ok(true)
    }

    /// Runs a step of a job, and moves it behind the others if there is more to do.
    async fn step(&mut self, mut running_job: RunningJob) -> Result<(), StoreError> {
        let result = match step(&self.store, &running_job.job, &running_job.scorer).await {
            Ok(StepOutcome::Finished | StepOutcome::Lost) | Err(StoreError::WorkspaceDeleted) => {
                return Ok(());
            }
            Ok(StepOutcome::More) => {
                running_job.attempts = 0;
                Ok(())
            }
            // Jobs of workspaces on other servers go on.
            Err(StoreError::NodeLost { .. }) => {
                running_job.not_before = Instant::now() + ERROR_DELAY;
                Ok(())
            }
            // The job may be all right.
            Err(error) if is_of_the_server(&error) => Err(error),
            Err(error) => {
                running_job.attempts += 1;
                let job_id = &running_job.job.job_id;
                warn!(%error, attempts = running_job.attempts, job_id, "a step of a scoring job failed");
                let wait = Duration::from_millis(100) * 4_u32.pow(running_job.attempts.min(4));
                running_job.not_before = Instant::now() + wait;
                if running_job.attempts >= MAX_ATTEMPTS {
                    let job = Arc::clone(&running_job.job);
                    let (tenant, error) = (job.tenant, error.to_string());
                    let failed = move |db: Db<'_>| fail(db, &job, &error);
                    let written = self.store.write_in(tenant, failed).await;
                    if written.is_ok() {
                        return Ok(());
                    }
                    written
                } else {
                    Ok(())
                }
            }
        };
        self.running.push_back(running_job);
        result
    }

    /// Puts the jobs back into the queue, for another process or the next start.
    async fn put_back(self) {
        for running_job in self.running {
            let (tenant, job) = (running_job.job.tenant, running_job.job);
            let release = move |db: Db<'_>| job.release(db);
            if let Err(error) = self.store.write_in(tenant, release).await {
                // The next start requeues it anyway, or another process takes it when its lease has run out.
                warn!(%error, "could not return a scoring job to the queue");
            }
        }
    }
}

fn fail(db: Db<'_>, job: &LeasedJob, error: &str) -> Result<(), StoreError> {
    error!(error, job_id = job.job_id, "a scoring job failed");
    job.fail(db, error)
}

/// Whether the database server was away.
fn is_of_the_server(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Unreachable { .. }
            | StoreError::ConnectionLost { .. }
            | StoreError::CommitUnknown { .. }
    )
}

#[cfg(test)]
mod tests;
