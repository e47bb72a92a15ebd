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
use crate::Store;
use crate::failpoint::Failpoint;
use crate::store::StoreError;
use crate::store::db::Db;
use crate::store::job_queue::{self, LeasedJob, StepOutcome};

/// Polling interval. The worker only queries for jobs if something was written.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Delay after a store error that is not caused by a job.
const ERROR_DELAY: Duration = Duration::from_secs(5);

/// Attempts at a step before the job fails.
const MAX_ATTEMPTS: u32 = 4;

/// Starts the worker of a store, which runs until `shutdown` resolves.
///
/// It first requeues the jobs of a killed process, then runs every job in the queue. At shutdown it
/// finishes the current step and puts its jobs back.
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
                // The failure of the job could not be written: take the jobs again later.
                error!(%error, "scoring failed; trying again later");
                worker = Worker::new(worker.store);
                sleep(ERROR_DELAY).await;
            }
        }
    }
    worker.put_back().await;
}

struct Worker {
    store: Store,
    /// At most one job per workspace; the front is next.
    running: VecDeque<RunningJob>,
    /// The version of the store at the last query for jobs.
    polled_version: Option<u64>,
}

struct RunningJob {
    job: Arc<LeasedJob>,
    scorer: Arc<Scorer>,
    /// Failed attempts at the current step.
    attempts: u32,
    not_before: Instant,
}

impl Worker {
    const fn new(store: Store) -> Self {
        Self {
            store,
            running: VecDeque::new(),
            polled_version: None,
        }
    }

    /// Takes queued jobs and runs one step; returns false if there is nothing to do.
    async fn run_one_step(&mut self) -> Result<bool, StoreError> {
        if self.polled_version.is_none() {
            match self.store.write(job_queue::requeue_running).await? {
                0 => {}
                jobs => info!(jobs, "resuming jobs of an earlier process"),
            }
        }
        let version = self.store.version();
        if self.polled_version != Some(version) {
            while self.take_next().await? {}
            self.polled_version = Some(version);
        }
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

    /// Takes the next job of a workspace that has none in progress; returns false if there is none.
    async fn take_next(&mut self) -> Result<bool, StoreError> {
        let served: Vec<_> = self
            .running
            .iter()
            .map(|running_job| running_job.job.tenant)
            .collect();
        // Reads the rules before taking the job: a failure after that would count as an attempt.
        let waiting = move |db: Db<'_>| {
            let Some((id, tenant)) = job_queue::next_queued(db, &served)? else {
                return Ok(None);
            };
            Ok(Some((id, tenant, read_rules(db, tenant)?)))
        };
        let Some((id, tenant, rules)) = self.store.read(waiting).await? else {
            return Ok(false);
        };
        let lease = move |db: Db<'_>| job_queue::lease(db, tenant, id);
        let job = match self.store.write_in(tenant, lease).await {
            Ok(Some(job)) => job,
            // The job was failed or is no longer queued; there may be more.
            Ok(None) | Err(StoreError::WorkspaceDeleted) => return Ok(true),
            Err(error) => return Err(error),
        };
        Failpoint::Lease.reach();
        info!(job_id = job.job_id, kind = job.kind.as_str(), "scoring");
        match rules {
            Ok(rules) => self.running.push_back(RunningJob {
                job: Arc::new(job),
                scorer: Arc::new(Scorer::new(rules)),
                attempts: 0,
                not_before: Instant::now(),
            }),
            Err(problems) => {
                let error = format!(
                    "the scoring rules of this workspace are not valid. Nothing was scored. \
                     Correct them with `lead-workspace scoring set FILE` and start again: {problems}"
                );
                self.fail(Arc::new(job), error).await?;
            }
        }
        Ok(true)
    }

    /// Runs a step of a job, and moves it behind the others if there is more to do.
    async fn step(&mut self, mut running_job: RunningJob) -> Result<(), StoreError> {
        match step(&self.store, &running_job.job, &running_job.scorer).await {
            Ok(StepOutcome::Finished | StepOutcome::Lost) | Err(StoreError::WorkspaceDeleted) => {
                return Ok(());
            }
            Ok(StepOutcome::More) => running_job.attempts = 0,
            Err(error) => {
                running_job.attempts += 1;
                let job_id = &running_job.job.job_id;
                warn!(%error, attempts = running_job.attempts, job_id, "a step of a scoring job failed");
                if running_job.attempts == MAX_ATTEMPTS {
                    return self.fail(running_job.job, error.to_string()).await;
                }
                let wait = Duration::from_millis(100) * 4_u32.pow(running_job.attempts);
                running_job.not_before = Instant::now() + wait;
            }
        }
        self.running.push_back(running_job);
        Ok(())
    }

    async fn fail(&self, job: Arc<LeasedJob>, error: String) -> Result<(), StoreError> {
        error!(error, job_id = job.job_id, "a scoring job failed");
        let tenant = job.tenant;
        let fail = move |db: Db<'_>| job.fail(db, &error);
        self.store.write_in(tenant, fail).await
    }

    /// Puts the jobs back into the queue, for the next start.
    async fn put_back(self) {
        for running_job in self.running {
            let (tenant, job) = (running_job.job.tenant, running_job.job);
            let release = move |db: Db<'_>| job.release(db);
            if let Err(error) = self.store.write_in(tenant, release).await {
                // The next start requeues it anyway.
                warn!(%error, "could not return a scoring job to the queue");
            }
        }
    }
}
