//! The worker: does the jobs of the queue. It has one job of each workspace in hand and does a step of
//! each in turn, so that no workspace waits for the large job of another.

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
use crate::store::StoreError;
use crate::store::job_queue::{self, Leased, Step};

/// How often the worker looks whether anything was written at all; only then it asks for a job.
const LOOK: Duration = Duration::from_millis(50);

/// How long to wait after an error of the store that no job can be blamed for.
const RECOVERY: Duration = Duration::from_secs(5);

/// Tries of a step before the job fails.
const TRIES: u32 = 4;

/// Starts the worker of a store. It first takes over what a killed process left, then does every
/// job as it comes, until `shutdown` resolves; the jobs in hand are put back after the current step.
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
        match worker.turn().await {
            Ok(true) => {}
            Ok(false) => sleep(LOOK).await,
            Err(error) => {
                // Not even a failure could be written: take the jobs up again later.
                error!(%error, "scoring cannot go on");
                worker = Worker::new(worker.store);
                sleep(RECOVERY).await;
            }
        }
    }
    worker.put_back().await;
}

struct Worker {
    store: Store,
    /// At most one of each workspace; the next one to do first.
    in_hand: VecDeque<InHand>,
    /// The version of the store when it was last asked for jobs.
    seen: Option<u64>,
}

struct InHand {
    job: Arc<Leased>,
    scorer: Arc<Scorer>,
    /// Tries of the current step that failed.
    tries: u32,
    not_before: Instant,
}

impl Worker {
    const fn new(store: Store) -> Self {
        Self {
            store,
            in_hand: VecDeque::new(),
            seen: None,
        }
    }

    /// Takes up what waits and does one step. False when there is nothing to do.
    async fn turn(&mut self) -> Result<bool, StoreError> {
        if self.seen.is_none() {
            match self.store.write(job_queue::take_over).await? {
                0 => {}
                jobs => info!(jobs, "taking up jobs of a process that ended"),
            }
        }
        let version = self.store.version();
        if self.seen != Some(version) {
            while self.take_up().await? {}
            self.seen = Some(version);
        }
        let now = Instant::now();
        let ready = self.in_hand.iter().position(|held| held.not_before <= now);
        match ready.and_then(|place| self.in_hand.remove(place)) {
            Some(held) => self.step(held).await.map(|()| true),
            None => Ok(false),
        }
    }

    /// Takes up the next job of a workspace that has none in hand. False when there is none.
    async fn take_up(&mut self) -> Result<bool, StoreError> {
        let served: Vec<_> = self.in_hand.iter().map(|held| held.job.tenant).collect();
        // The rules with it: once a job is taken, little may fail, as each attempt counts.
        let waiting = move |connection: &_| {
            let Some((id, tenant)) = job_queue::waiting(connection, &served)? else {
                return Ok(None);
            };
            Ok(Some((id, tenant, read_rules(connection, tenant)?)))
        };
        let Some((id, tenant, rules)) = self.store.read(waiting).await? else {
            return Ok(false);
        };
        let lease = move |connection: &_| job_queue::lease(connection, id);
        let Some(job) = self.store.write_in(tenant, lease).await? else {
            // It was given up, or taken by another; there may be more.
            return Ok(true);
        };
        info!(job_id = job.job_id, kind = job.kind.as_str(), "scoring");
        match rules {
            Ok(rules) => self.in_hand.push_back(InHand {
                job: Arc::new(job),
                scorer: Arc::new(Scorer::new(rules)),
                tries: 0,
                not_before: Instant::now(),
            }),
            Err(problems) => {
                let error = format!(
                    "the scoring rules of this workspace are not valid, nothing was scored. \
                     Correct them with `lead-workspace scoring set FILE` and start again: {problems}"
                );
                self.fail(Arc::new(job), error).await?;
            }
        }
        Ok(true)
    }

    /// Does a step of a job, and puts it behind the others if there is more to do.
    async fn step(&mut self, mut held: InHand) -> Result<(), StoreError> {
        match step(&self.store, &held.job, &held.scorer).await {
            Ok(Step::Finished | Step::Lost) => return Ok(()),
            Ok(Step::More) => held.tries = 0,
            Err(error) => {
                held.tries += 1;
                let job_id = &held.job.job_id;
                warn!(%error, tries = held.tries, job_id, "a step of a scoring job failed");
                if held.tries == TRIES {
                    return self.fail(held.job, error.to_string()).await;
                }
                let wait = Duration::from_millis(100) * 4_u32.pow(held.tries);
                held.not_before = Instant::now() + wait;
            }
        }
        self.in_hand.push_back(held);
        Ok(())
    }

    async fn fail(&self, job: Arc<Leased>, error: String) -> Result<(), StoreError> {
        error!(error, job_id = job.job_id, "a scoring job failed");
        let tenant = job.tenant;
        let fail = move |connection: &_| job.fail(connection, &error);
        self.store.write_in(tenant, fail).await
    }

    /// Puts the jobs in hand back, for the next start.
    async fn put_back(self) {
        for held in self.in_hand {
            let (tenant, job) = (held.job.tenant, held.job);
            let release = move |connection: &_| job.release(connection);
            if let Err(error) = self.store.write_in(tenant, release).await {
                // The next start takes it over all the same.
                warn!(%error, "a scoring job could not be put back");
            }
        }
    }
}
