//! One step of a job: its targets are read and scored outside of the writer, then written.

use std::sync::Arc;

use super::Scorer;
use super::account_score::{AccountScore, write_accounts};
use super::lead_scores::{LeadScores, ScoringRun, write_leads};
use crate::failpoint::Failpoint;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::db::Db;
use crate::store::job_queue::{JobKind, LeasedJob, StepOutcome, Targets};
use crate::time::{current, now};

/// A step takes no further account once those that it has have so many leads: one may have thousands.
const LEADS_PER_STEP: i64 = 5_000;

enum Scores {
    Leads(Vec<LeadScores>),
    Accounts(Vec<AccountScore>),
}

/// Runs the next step of a job.
pub(super) async fn step(
    store: &Store,
    job: &Arc<LeasedJob>,
    scorer: &Arc<Scorer>,
) -> Result<StepOutcome, StoreError> {
    let scoring = Arc::new(ScoringRun {
        tenant: job.tenant,
        scorer: Arc::clone(scorer),
        as_of: job.created_at.parse().unwrap_or_else(|_| current()),
        scored_at: now(),
        job_id: Some(job.job_id.clone()),
    });
    let (leased, run) = (Arc::clone(job), Arc::clone(&scoring));
    // A read of its workspace, so that it does not delay other workspaces.
    let compute = move |db: Db<'_>| compute(db, &leased, &run);
    let computed = store.read_in(job.tenant, compute);
    let Some((targets, scores)) = computed.await? else {
        return Ok(StepOutcome::Lost);
    };
    Failpoint::Step.reach();
    let leased = Arc::clone(job);
    let write = move |db: Db<'_>| leased.step(db, &targets, || write(db, &scores, &scoring));
    store.write_in(job.tenant, write).await
}

fn compute(
    db: Db<'_>,
    job: &LeasedJob,
    scoring: &ScoringRun,
) -> Result<Option<(Targets, Scores)>, StoreError> {
    let list = job.payload.list_id.as_deref();
    let Some(targets) = job.targets(db, job.kind.step())? else {
        return Ok(None);
    };
    Ok(Some(match job.kind {
        JobKind::Leads => {
            let scores = targets.ids.iter().map(|lead| scoring.lead(db, *lead));
            let scores: Vec<_> = scores.collect::<Result<_, _>>()?;
            (
                targets,
                Scores::Leads(scores.into_iter().flatten().collect()),
            )
        }
        JobKind::Accounts => {
            let count = scoring.accounts_with_leads(db, &targets.ids, LEADS_PER_STEP)?;
            let targets = targets.first(count);
            let scores = scoring.accounts(db, &targets.ids, list)?;
            (targets, Scores::Accounts(scores))
        }
    }))
}

/// Writes the computed scores and returns how many targets still existed.
fn write(db: Db<'_>, scores: &Scores, scoring: &ScoringRun) -> Result<i64, StoreError> {
    let written = match scores {
        Scores::Leads(leads) => write_leads(db, scoring, leads)?,
        Scores::Accounts(accounts) => write_accounts(db, scoring, accounts)?,
    };
    Ok(i64::try_from(written).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lead_workspace_api::LeadScoring;

    use super::{Scores, ScoringRun, step, write};
    use crate::scoring::{Rules, Scorer};
    use crate::store::db::Db;
    use crate::store::{SharedDatabase, Store, StoreError, Tenant, job_queue, workspaces};

    fn run() -> Arc<ScoringRun> {
        Arc::new(ScoringRun {
            tenant: Tenant(1),
            scorer: Arc::new(Scorer::new(Rules::default())),
            as_of: jiff::Timestamp::now(),
            scored_at: crate::time::now(),
            job_id: None,
        })
    }

    #[tokio::test]
    async fn a_step_limits_the_leads_it_reads() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let scoring = run();
        let fits = move |db: Db<'_>| {
            db.sqlite().execute_batch(
                "INSERT INTO accounts (id, tenant, account_id, created_at)
                   SELECT value, 1, value, '' FROM json_each('[1,2,3,4]');
                 INSERT INTO leads (tenant, account, lead_id, created_at)
                   SELECT 1, value, key, '' FROM json_each('[1,1,1,3,3,3,4]');",
            )?;
            [1, 3, 4, 6, 7, 8]
                .into_iter()
                .map(|leads| scoring.accounts_with_leads(db, &[1, 2, 3, 4], leads))
                .collect::<Result<Vec<_>, _>>()
        };
        // A very large account is scored alone in its step.
        assert_eq!(store.write(fits).await.unwrap(), [1, 1, 3, 3, 4, 4]);
    }

    /// The workspace is deleted while a worker holds its job.
    #[tokio::test]
    async fn a_step_in_a_deleted_workspace_writes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let job = store.write(|db| {
            let north = Tenant::ensure(db, "north")?;
            let sql = "INSERT INTO leads (tenant, lead_id, created_at) VALUES (?1, 'l', '')";
            db.sqlite().execute(sql, [north.0])?;
            for _ in 0..2 {
                job_queue::enqueue_lead_scoring(db, north, &LeadScoring::default())?;
            }
            job_queue::lease(db, north, 1)
        });
        let job = Arc::new(job.await.unwrap().unwrap());
        let mut command = SharedDatabase::of_folder(dir.path()).unwrap();
        workspaces::begin_deletion(&mut command, job.tenant).unwrap();
        let scorer = Arc::new(Scorer::new(Rules::default()));
        let stepped = step(&store, &job, &scorer).await;
        assert!(
            matches!(stepped, Err(StoreError::WorkspaceDeleted)),
            "{stepped:?}"
        );
        let left = store.read(|db| {
            let sql = "SELECT count(*) FROM lead_scores";
            let scores: i64 = db.sqlite().query_row(sql, [], |row| row.get(0))?;
            Ok((scores, job_queue::next_job(db, &[], None)?))
        });
        assert_eq!(left.await.unwrap(), (0, None));
    }

    /// The row number belongs to another lead by the time the scores are written.
    #[tokio::test]
    async fn a_new_lead_does_not_get_the_scores_of_a_deleted_lead() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let scoring = run();
        let add = |lead_id: &'static str| {
            let sql = "INSERT INTO leads (id, tenant, lead_id, created_at) VALUES (7, 1, ?1, '')";
            store.write(move |db| Ok(db.sqlite().execute(sql, [lead_id])?))
        };
        add("first").await.unwrap();
        let run = Arc::clone(&scoring);
        let scores = store.read(move |db| run.lead(db, 7)).await;
        let scores = Scores::Leads(vec![scores.unwrap().unwrap()]);
        store
            .delete_lead(Tenant(1), "first".into(), None)
            .await
            .unwrap();
        add("second").await.unwrap();
        let (written, left) = store
            .write(move |db| {
                let written = write(db, &scores, &scoring)?;
                let sql = "SELECT (SELECT count(*) FROM lead_scores) + count(icp_score) FROM leads";
                let left: i64 = db.sqlite().query_row(sql, [], |row| row.get(0))?;
                Ok((written, left))
            })
            .await
            .unwrap();
        assert_eq!((written, left), (0, 0));
    }
}
