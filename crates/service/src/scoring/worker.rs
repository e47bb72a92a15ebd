//! The worker: does the jobs of the queue, one after another.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::task::JoinHandle;
use tracing::{error, info, warn};

use super::leads::Scoring;
use super::{Rules, Scorer, read_rules};
use crate::Store;
use crate::store::job_queue::{self, Kind, Leased, Step};
use crate::store::{StoreError, Tenant};
use crate::time::now;

/// Targets of one step. A step holds up other writes, so it stays in the tens of milliseconds.
const LEADS_A_STEP: usize = 200;
const ACCOUNTS_A_STEP: usize = 100;

/// How often the worker looks whether anything was written at all; only then it asks for a job.
const LOOK: Duration = Duration::from_millis(50);

/// Tries of a step before the job fails.
const TRIES: u32 = 4;

/// Starts the worker of a store. It first takes over what a killed process left, then does every
/// job as it comes, until `shutdown` resolves; a job in hand is put back after its current step.
pub fn spawn_worker(
    store: Store,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> JoinHandle<()> {
    let (stop, stopped) = tokio::sync::watch::channel(false);
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

async fn work(store: Store, stopped: tokio::sync::watch::Receiver<bool>) {
    let mut seen = None;
    while !*stopped.borrow() {
        if seen.is_none() {
            match store.write(job_queue::take_over).await {
                Ok(0) => {}
                Ok(jobs) => info!(jobs, "taking up jobs of a process that ended"),
                Err(error) => warn!(%error, "cannot look for jobs of a process that ended"),
            }
        }
        let version = store.version();
        if seen == Some(version) {
            tokio::time::sleep(LOOK).await;
            continue;
        }
        match next(&store).await {
            Ok(Some(job)) => {
                if let Err(error) = run(&store, job, &stopped).await {
                    // Not even the failure could be written: take the job up again later.
                    error!(%error, "a scoring job cannot go on");
                    tokio::time::sleep(Duration::from_secs(5)).await;
                    seen = None;
                }
            }
            Ok(None) => seen = Some(version),
            Err(error) => {
                warn!(%error, "cannot read the job queue");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// The next job. Looks with a read first: an empty look must not cost a commit.
async fn next(store: &Store) -> Result<Option<Leased>, StoreError> {
    let waiting = store
        .read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM jobs WHERE status = 'queued')";
            Ok(connection.query_row(sql, [], |row| row.get::<_, bool>(0))?)
        })
        .await?;
    if waiting {
        store.write(job_queue::lease).await
    } else {
        Ok(None)
    }
}

async fn run(
    store: &Store,
    job: Leased,
    stopped: &tokio::sync::watch::Receiver<bool>,
) -> Result<(), StoreError> {
    let job = Arc::new(job);
    info!(job_id = job.job_id, kind = job.kind.as_str(), "scoring");
    let tenant = job.tenant;
    let rules = store
        .read(move |connection| read_rules(connection, tenant))
        .await?;
    let scorer = match rules {
        Ok(rules) => Arc::new(Scorer::new(rules)),
        Err(problems) => {
            let error = format!(
                "the scoring rules of this workspace are not valid, nothing was scored. \
                 Correct them with `lead-workspace scoring set FILE` and start again: {problems}"
            );
            return fail(store, job, error).await;
        }
    };
    let mut tries = 0;
    loop {
        if *stopped.borrow() {
            return store.write(move |connection| job.release(connection)).await;
        }
        let (held, rules) = (Arc::clone(&job), Arc::clone(&scorer));
        match store
            .write(move |connection| step(connection, &held, &rules))
            .await
        {
            Ok(Step::More) => tries = 0,
            Ok(Step::Finished | Step::Lost) => return Ok(()),
            Err(error) => {
                tries += 1;
                warn!(%error, tries, job_id = job.job_id, "a step of a scoring job failed");
                if tries == TRIES {
                    return fail(store, job, error.to_string()).await;
                }
                tokio::time::sleep(Duration::from_millis(100) * 4_u32.pow(tries)).await;
            }
        }
    }
}

async fn fail(store: &Store, job: Arc<Leased>, error: String) -> Result<(), StoreError> {
    error!(error, job_id = job.job_id, "a scoring job failed");
    store
        .write(move |connection| job.fail(connection, &error))
        .await
}

fn step(
    connection: &rusqlite::Connection,
    job: &Leased,
    scorer: &Scorer,
) -> Result<Step, StoreError> {
    let scored_at = now();
    let scoring = Scoring {
        tenant: job.tenant,
        scorer,
        as_of: job.created_at.parse().unwrap_or_else(|_| Timestamp::now()),
        scored_at: &scored_at,
        job_id: Some(&job.job_id),
    };
    let list = job.payload["list_id"].as_str();
    match job.kind {
        Kind::Leads => job.step(connection, LEADS_A_STEP, |lead| {
            scoring.lead(connection, lead)
        }),
        Kind::Accounts => job.step(connection, ACCOUNTS_A_STEP, |account| {
            scoring.account(connection, account, list)
        }),
    }
}

/// Scores accounts by the default rules as of a time and without a job, for demo data: every one, or
/// those that have no score.
pub(crate) async fn score_demo_accounts(
    store: &Store,
    tenant: Tenant,
    as_of: Timestamp,
    every: bool,
    mut progress: impl FnMut(u64),
) -> Result<(), StoreError> {
    let mut done = 0;
    let scorer = Arc::new(Scorer::new(Rules::default()));
    let mut last = 0;
    loop {
        let scorer = Arc::clone(&scorer);
        let next = store.write(move |connection| {
            let scored_at = crate::time::iso(as_of);
            let scoring = Scoring {
                tenant,
                scorer: &scorer,
                as_of,
                scored_at: &scored_at,
                job_id: None,
            };
            let mut ids = connection.prepare_cached(
                "SELECT id FROM accounts WHERE +tenant = ?1 AND id > ?2 AND (?3 OR icp_score IS NULL)
                 ORDER BY id LIMIT 200",
            )?;
            let ids = ids.query_map(rusqlite::params![tenant.0, last, every], |row| row.get(0))?;
            let ids = ids.collect::<Result<Vec<i64>, _>>()?;
            for id in &ids {
                scoring.account(connection, *id, None)?;
            }
            Ok((ids.last().copied(), ids.len() as u64))
        });
        let (Some(id), scored) = next.await? else {
            return Ok(());
        };
        last = id;
        done += scored;
        progress(done);
    }
}
