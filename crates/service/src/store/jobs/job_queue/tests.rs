//! Tests of the job queue.

use lead_workspace_api::{AccountScoring, LeadScoring};

use super::take::NEXT_JOB;
use super::{
    JobKind, LeasedJob, StepOutcome, enqueue_account_scoring, enqueue_lead_scoring, lease,
    next_job, range_sql, requeue_running,
};
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;

/// A store with leads numbered from 1, and no jobs.
async fn leads(leads: i64) -> (tempfile::TempDir, Store, Tenant) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let tenant = store
        .write(move |db| {
            let tenant = Tenant::default_of(db)?;
            for number in 1..=leads {
                db.sqlite().execute(
                    "INSERT INTO leads (id, tenant, lead_id, created_at) VALUES (?1, ?2, ?1, '')",
                    [number, tenant.0],
                )?;
            }
            Ok(tenant)
        })
        .await
        .unwrap();
    (dir, store, tenant)
}

/// Like [`leads`], with a job over all of them.
async fn store(count: i64) -> (tempfile::TempDir, Store, Tenant) {
    let (dir, store, tenant) = leads(count).await;
    let enqueue = move |db: Db<'_>| enqueue_lead_scoring(db, tenant, &LeadScoring::default());
    store.write(enqueue).await.unwrap();
    (dir, store, tenant)
}

fn named(numbers: std::ops::RangeInclusive<i64>) -> LeadScoring {
    LeadScoring {
        lead_ids: Some(numbers.map(|number| number.to_string().into()).collect()),
        ..LeadScoring::default()
    }
}

fn noted(db: Db<'_>) -> Result<Vec<String>, StoreError> {
    let mut select = db
        .sqlite()
        .prepare("SELECT lead_id FROM leads WHERE headline IS NOT NULL ORDER BY id")?;
    let rows = select.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Marks a lead; a second mark would be visible.
fn mark(db: Db<'_>, lead: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE leads SET headline = coalesce(headline, '') || 'x' WHERE id = ?1";
    Ok(db.sqlite().execute(sql, [lead])? == 1)
}

fn next(db: Db<'_>) -> Result<Option<LeasedJob>, StoreError> {
    match next_job(db, &[], None)? {
        Some((id, tenant)) => lease(db, tenant, id),
        None => Ok(None),
    }
}

fn step(
    job: &LeasedJob,
    db: Db<'_>,
    limit: usize,
    effect: impl Fn(i64) -> Result<bool, StoreError>,
) -> Result<StepOutcome, StoreError> {
    let Some(targets) = job.targets(db, limit)? else {
        return Ok(StepOutcome::Lost);
    };
    job.step(db, &targets, || {
        let mut done = 0;
        for target in &targets.ids {
            done += i64::from(effect(*target)?);
        }
        Ok(done)
    })
}

fn status(db: Db<'_>, job: i64) -> Result<(String, Option<String>), StoreError> {
    let sql = "SELECT status, error FROM jobs WHERE id = ?1";
    Ok(db
        .sqlite()
        .query_row(sql, [job], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

#[tokio::test]
async fn steps_process_every_target_once() {
    let (_dir, store, _) = store(5).await;
    store
        .write(|db| {
            let job = next(db)?.unwrap();
            assert!(next(db)?.is_none(), "a job was leased twice");
            for expected in [StepOutcome::More, StepOutcome::More, StepOutcome::Finished] {
                let mark = |lead| mark(db, lead);
                assert_eq!(step(&job, db, 2, mark)?, expected);
            }
            assert_eq!(
                step(&job, db, 2, |_| panic!("the job has ended"))?,
                StepOutcome::Lost
            );
            assert_eq!(noted(db)?.len(), 5);
            let twice: i64 = db.sqlite().query_row(
                "SELECT count(*) FROM leads WHERE headline <> 'x'",
                [],
                |row| row.get(0),
            )?;
            assert_eq!(twice, 0);
            Ok(())
        })
        .await
        .unwrap();
}

/// Uses explicit targets, which a worker without the job must not delete.
#[tokio::test]
async fn a_worker_that_lost_its_lease_writes_nothing() {
    let (_dir, store, tenant) = leads(4).await;
    store
        .write(move |db| {
            enqueue_lead_scoring(db, tenant, &named(1..=4))?;
            let slow = next(db)?.unwrap();
            step(&slow, db, 1, |lead| mark(db, lead))?;
            let computed = slow.targets(db, 9)?.unwrap();
            assert_eq!(requeue_running(db)?, 1);
            let other = next(db)?.unwrap();
            let effects = || panic!("another worker has the job");
            assert_eq!(slow.step(db, &computed, effects)?, StepOutcome::Lost);
            assert!(slow.targets(db, 9)?.is_none());
            slow.fail(db, "too late")?;
            slow.release(db)?;
            assert_eq!(
                step(&other, db, 9, |lead| mark(db, lead))?,
                StepOutcome::Finished
            );
            assert_eq!(noted(db)?, ["1", "2", "3", "4"]);
            assert_eq!(status(db, other.id)?.0, "succeeded");
            other.fail(db, "it is over")?;
            assert_eq!(status(db, other.id)?.0, "succeeded");
            Ok(())
        })
        .await
        .unwrap();
}

/// A result computed at one cursor position is not written at another.
#[tokio::test]
async fn a_step_is_committed_once() {
    let (_dir, store, _) = store(4).await;
    store
        .write(|db| {
            let job = next(db)?.unwrap();
            let targets = job.targets(db, 2)?.unwrap();
            assert_eq!(job.step(db, &targets, || Ok(2))?, StepOutcome::More);
            let effects = || panic!("these targets are done");
            assert_eq!(job.step(db, &targets, effects)?, StepOutcome::Lost);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_failed_step_saves_no_effect_and_no_progress() {
    let (_dir, store, _) = store(4).await;
    let job = store.write(next).await.unwrap().unwrap();
    let leased = job.clone();
    let failed = store
        .write(move |db| {
            step(&leased, db, 4, |lead| match lead {
                3 => Err(StoreError::Full),
                lead => mark(db, lead),
            })
        })
        .await;
    assert!(matches!(failed, Err(StoreError::Full)));
    assert_eq!(store.read(noted).await.unwrap(), [""; 0]);
    let done = store
        .write(move |db| step(&job, db, 9, |lead| mark(db, lead)))
        .await;
    assert_eq!(done.unwrap(), StepOutcome::Finished);
    assert_eq!(store.read(noted).await.unwrap().len(), 4);
}

#[tokio::test]
async fn jobs_of_a_workspace_run_in_request_order() {
    let (_dir, store, tenant) = store(1).await;
    store
        .write(move |db| {
            let second = enqueue_lead_scoring(db, tenant, &LeadScoring::default())?;
            let first = next(db)?.unwrap();
            let second = second.job_id.unwrap();
            assert_ne!(first.job_id.as_str(), second.as_str());
            // Only one job per workspace at a time.
            assert_eq!(next_job(db, &[tenant], None)?, None);
            step(&first, db, 5, |lead| mark(db, lead))?;
            assert_eq!(next(db)?.unwrap().job_id, second.as_str());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn an_unreadable_job_fails_and_the_next_one_runs() {
    let (_dir, store, tenant) = store(1).await;
    store
        .write(move |db| {
            for (column, value, cause) in [
                (
                    "kind",
                    "score_planets",
                    "does not support jobs of the kind \"score_planets\"",
                ),
                ("payload", "{", "cannot be read"),
                ("payload", r#"{"last": "many"}"#, "cannot be read"),
            ] {
                let sql = format!("UPDATE jobs SET {column} = ?1 WHERE status = 'queued'");
                db.sqlite().execute(&sql, [value])?;
                enqueue_lead_scoring(db, tenant, &LeadScoring::default())?;
                let (id, _) = next_job(db, &[], None)?.unwrap();
                assert!(lease(db, tenant, id)?.is_none());
                let (status, error) = status(db, id)?;
                assert_eq!(status, "failed");
                let error = error.unwrap();
                assert!(error.contains(cause), "{error}");
                assert!(error.contains("Nothing was scored"), "{error}");
            }
            assert!(next(db)?.is_some());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_job_that_keeps_crashing_the_service_is_failed() {
    let (_dir, store, _) = store(9).await;
    store
        .write(move |db| {
            let attempt = || -> Result<Option<LeasedJob>, StoreError> {
                let job = next(db)?;
                // Simulates the end of the process.
                requeue_running(db)?;
                Ok(job)
            };
            // An attempt that finishes a step, or ends with a release, is not counted.
            for _ in 0..4 {
                assert!(attempt()?.is_some());
            }
            let job = next(db)?.unwrap();
            step(&job, db, 2, |lead| mark(db, lead))?;
            requeue_running(db)?;
            for _ in 0..4 {
                assert!(attempt()?.is_some());
            }
            next(db)?.unwrap().release(db)?;
            for _ in 0..5 {
                assert!(attempt()?.is_some());
            }
            assert!(attempt()?.is_none());
            let (status, error) = status(db, job.id)?;
            assert_eq!(status, "failed");
            let error = error.unwrap();
            assert!(error.contains("interrupted 5 times"), "{error}");
            assert!(error.contains("are saved"), "{error}");
            assert_eq!(noted(db)?.len(), 2);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn waiting_jobs_per_workspace_are_limited() {
    let (_dir, store, tenant) = leads(1).await;
    let refused = store
        .write(move |db| {
            let other = Tenant::ensure(db, "other")?;
            for _ in 0..100 {
                enqueue_lead_scoring(db, tenant, &LeadScoring::default())?;
            }
            enqueue_lead_scoring(db, other, &LeadScoring::default())?;
            let refused = enqueue_account_scoring(db, tenant, &AccountScoring::default());
            let job = next(db)?.unwrap();
            step(&job, db, 9, |lead| mark(db, lead))?;
            enqueue_account_scoring(db, tenant, &AccountScoring::default())?;
            Ok(refused.unwrap_err())
        })
        .await
        .unwrap();
    assert!(matches!(refused, StoreError::Refused(_)), "{refused}");
    assert!(
        refused.to_string().contains("Nothing was started"),
        "{refused}"
    );
}

#[tokio::test]
async fn finished_jobs_are_kept_by_age_and_count() {
    let (_dir, store, tenant) = leads(1).await;
    store
        .write(move |db| {
            db.sqlite().execute_batch(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
                 INSERT INTO jobs (tenant, job_id, workflow_id, kind, payload, status, created_at, updated_at)
                 SELECT 1, i, i, 'score_leads', '{}',
                   CASE WHEN i <= 10 THEN 'queued' WHEN i % 2 THEN 'failed' ELSE 'succeeded' END,
                   '2020', iif(i > 1000 AND i <= 1020, '2020', '9999') FROM n",
            )?;
            enqueue_lead_scoring(db, tenant, &LeadScoring::default())?;
            let count = |sql: &str| -> Result<i64, StoreError> {
                Ok(db.sqlite().query_row(sql, [], |row| row.get(0))?)
            };
            assert_eq!(count("SELECT count(*) FROM jobs WHERE status = 'queued'")?, 11);
            let ended = "SELECT count(*) FROM jobs WHERE status <> 'queued'";
            assert_eq!(count(ended)?, 1000 - 20);
            assert_eq!(count("SELECT min(id) FROM jobs WHERE status <> 'queued'")?, 101);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn targets_are_read_from_the_rows_of_the_workspace_only() {
    let (_dir, store, _) = leads(0).await;
    store
        .read(|db| {
            for kind in [JobKind::Leads, JobKind::Accounts] {
                let sql = format!("EXPLAIN QUERY PLAN {}", range_sql(kind));
                let mut plan = db.sqlite().prepare(&sql)?;
                let plan = plan.query_map([1, 0, 9, 9], |row| row.get::<_, String>("detail"))?;
                let plan: Vec<String> = plan.collect::<Result<_, _>>()?;
                let plan = plan.join("\n");
                assert!(plan.contains("COVERING INDEX"), "{plan}");
                assert!(
                    plan.contains("(tenant=? AND rowid>? AND rowid<?)"),
                    "{plan}"
                );
                assert!(!plan.contains("TEMP B-TREE"), "{plan}");
            }
            let mut plan = db
                .sqlite()
                .prepare(&format!("EXPLAIN QUERY PLAN {NEXT_JOB}"))?;
            let plan = plan.query_map(["[1, 2]", "2026"], |row| row.get::<_, String>("detail"))?;
            let plan: Vec<String> = plan.collect::<Result<_, _>>()?;
            let of_jobs = plan.iter().filter(|step| step.contains("jobs"));
            let of_jobs: Vec<_> = of_jobs.collect();
            assert_eq!(of_jobs.len(), 2, "{plan:?}");
            for step in of_jobs {
                assert!(step.contains("jobs_open"), "{plan:?}");
            }
            Ok(())
        })
        .await
        .unwrap();
}

/// A deleted lead leaves every job, including one that still collects targets: its row number may
/// be reused for another lead.
#[tokio::test]
async fn deleted_leads_are_not_job_targets() {
    let (_dir, store, tenant) = leads(3).await;
    store
        .write(move |db| {
            enqueue_lead_scoring(db, tenant, &named(1..=3))?;
            super::add_import_targets(db, tenant, "import", &[1, 2, 3])
        })
        .await
        .unwrap();
    store.delete_lead(tenant, "3".into(), None).await.unwrap();
    store
        .write(move |db| {
            db.sqlite().execute_batch(
                "INSERT INTO leads (tenant, lead_id, created_at) VALUES (1, 'another', '')",
            )?;
            let number: i64 = db.sqlite().query_row(
                "SELECT id FROM leads WHERE lead_id = 'another'",
                [],
                |row| row.get(0),
            )?;
            assert_eq!(number, 3, "the row number was not reused");
            let sql = "SELECT count(*) FROM job_targets WHERE target = 3";
            let targets: i64 = db.sqlite().query_row(sql, [], |row| row.get(0))?;
            assert_eq!(targets, 0);
            Ok(())
        })
        .await
        .unwrap();
}
