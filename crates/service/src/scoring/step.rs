//! One step of a job: its targets are read and scored outside of the writer, then written.

use std::sync::Arc;

use super::Scorer;
use super::account_score::AccountScore;
use super::lead_scores::{LeadScores, ScoringRun};
use crate::failpoint::Failpoint;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::db::Db;
use crate::store::job_queue::{JobKind, LeasedJob, StepOutcome, Targets};
use crate::time::{current, now};

/// Maximum number of rows read in a step, because an account may have thousands of leads. A step
/// scores at least one target, regardless of its rows.
const ROWS_PER_STEP: usize = 5_000;

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
    let (processed, scores) = match job.kind {
        JobKind::Leads => {
            let score = |lead| scoring.lead(db, lead);
            let (processed, scores) = bounded(&targets.ids, score, |scores| scores.rows)?;
            (processed, Scores::Leads(scores))
        }
        JobKind::Accounts => {
            let score = |account| scoring.account(db, account, list);
            let (processed, scores) = bounded(&targets.ids, score, |score| score.rows)?;
            (processed, Scores::Accounts(scores))
        }
    };
    Ok(Some((targets.first(processed), scores)))
}

/// Scores targets in order until enough rows were read.
///
/// Returns the number of processed targets, and the scores of those that exist.
fn bounded<T>(
    ids: &[i64],
    score: impl Fn(i64) -> Result<Option<T>, StoreError>,
    rows: impl Fn(&T) -> usize,
) -> Result<(usize, Vec<T>), StoreError> {
    let (mut processed, mut read, mut scores) = (0, 0, Vec::new());
    for id in ids {
        if read >= ROWS_PER_STEP {
            break;
        }
        processed += 1;
        if let Some(scored) = score(*id)? {
            read += rows(&scored);
            scores.push(scored);
        }
    }
    Ok((processed, scores))
}

/// Writes the computed scores and returns how many targets still existed.
fn write(db: Db<'_>, scores: &Scores, scoring: &ScoringRun) -> Result<i64, StoreError> {
    let mut written = 0;
    match scores {
        Scores::Leads(leads) => {
            for lead in leads {
                written += i64::from(lead.write(db, scoring)?);
            }
        }
        Scores::Accounts(accounts) => {
            for account in accounts {
                written += i64::from(account.write(db, scoring)?);
            }
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lead_workspace_api::LeadScoring;

    use super::{ScoringRun, bounded, step};
    use crate::scoring::{Rules, Scorer};
    use crate::store::{SharedDatabase, Store, StoreError, Tenant, job_queue, workspaces};

    #[test]
    fn a_step_limits_the_rows_it_reads() {
        let step = |rows: [usize; 4]| {
            let score = |id: i64| Ok((id != 2).then_some(id));
            let read = |id: &i64| rows[usize::try_from(*id).unwrap() - 1];
            bounded(&[1, 2, 3, 4], score, read).unwrap()
        };
        assert_eq!(step([1, 1, 1, 1]), (4, vec![1, 3, 4]));
        assert_eq!(step([3_000, 0, 3_000, 1]), (3, vec![1, 3]));
        // A very large account is scored alone in its step.
        assert_eq!(step([20_000, 0, 1, 1]), (1, vec![1]));
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
            Ok((scores, job_queue::next_job(db, &[])?))
        });
        assert_eq!(left.await.unwrap(), (0, None));
    }

    /// The row number belongs to another lead by the time the scores are written.
    #[tokio::test]
    async fn a_new_lead_does_not_get_the_scores_of_a_deleted_lead() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let scoring = Arc::new(ScoringRun {
            tenant: Tenant(1),
            scorer: Arc::new(Scorer::new(Rules::default())),
            as_of: jiff::Timestamp::now(),
            scored_at: crate::time::now(),
            job_id: None,
        });
        let add = |lead_id: &'static str| {
            let sql = "INSERT INTO leads (id, tenant, lead_id, created_at) VALUES (7, 1, ?1, '')";
            store.write(move |db| Ok(db.sqlite().execute(sql, [lead_id])?))
        };
        add("first").await.unwrap();
        let run = Arc::clone(&scoring);
        let scores = store.read(move |db| run.lead(db, 7)).await;
        let scores = scores.unwrap().unwrap();
        store
            .delete_lead(Tenant(1), "first".into(), None)
            .await
            .unwrap();
        add("second").await.unwrap();
        let (written, left) = store
            .write(move |db| {
                let written = scores.write(db, &scoring)?;
                let sql = "SELECT (SELECT count(*) FROM lead_scores) + count(icp_score) FROM leads";
                let left: i64 = db.sqlite().query_row(sql, [], |row| row.get(0))?;
                Ok((written, left))
            })
            .await
            .unwrap();
        assert!(!written);
        assert_eq!(left, 0);
    }
}
