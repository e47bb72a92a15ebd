//! Tests of the job queue.

use lead_workspace_api::{AccountScoring, LeadScoring};
use rusqlite::Connection;

use super::{
    JobKind, LeasedJob, StepOutcome, enqueue_account_scoring, enqueue_lead_scoring, lease,
    next_queued, range_sql, requeue_running,
};
use crate::store::{Store, StoreError, Tenant};

/// A store with leads numbered from 1, and no jobs.
async fn leads(leads: i64) -> (tempfile::TempDir, Store, Tenant) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let tenant = store
        .write(move |connection| {
            let tenant = Tenant::default_of(connection)?;
            for number in 1..=leads {
                connection.execute(
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
    let enqueue = move |connection: &Connection| {
        enqueue_lead_scoring(connection.into(), tenant, &LeadScoring::default())
    };
    store.write(enqueue).await.unwrap();
    (dir, store, tenant)
}

fn named(numbers: std::ops::RangeInclusive<i64>) -> LeadScoring {
    LeadScoring {
        lead_ids: Some(numbers.map(|number| number.to_string().into()).collect()),
        ..LeadScoring::default()
    }
}

fn noted(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut select =
        connection.prepare("SELECT lead_id FROM leads WHERE headline IS NOT NULL ORDER BY id")?;
    let rows = select.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Marks a lead; a second mark would be visible.
fn mark(connection: &Connection, lead: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE leads SET headline = coalesce(headline, '') || 'x' WHERE id = ?1";
    Ok(connection.execute(sql, [lead])? == 1)
}

fn next(connection: &Connection) -> Result<Option<LeasedJob>, StoreError> {
    match next_queued(connection, &[])? {
        Some((id, _)) => lease(connection, id),
        None => Ok(None),
    }
}

fn step(
    job: &LeasedJob,
    connection: &Connection,
    limit: usize,
    effect: impl Fn(i64) -> Result<bool, StoreError>,
) -> Result<StepOutcome, StoreError> {
    let Some(targets) = job.targets(connection.into(), limit)? else {
        return Ok(StepOutcome::Lost);
    };
    job.step(connection.into(), &targets, || {
        let mut done = 0;
        for target in &targets.ids {
            done += i64::from(effect(*target)?);
        }
        Ok(done)
    })
}

fn status(connection: &Connection, job: i64) -> Result<(String, Option<String>), StoreError> {
    let sql = "SELECT status, error FROM jobs WHERE id = ?1";
    Ok(connection.query_row(sql, [job], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

#[tokio::test]
async fn steps_process_every_target_once() {
    let (_dir, store, _) = store(5).await;
    store
        .write(|connection| {
            let job = next(connection)?.unwrap();
            assert!(next(connection)?.is_none(), "a job was leased twice");
            for expected in [StepOutcome::More, StepOutcome::More, StepOutcome::Finished] {
                let mark = |lead| mark(connection, lead);
                assert_eq!(step(&job, connection, 2, mark)?, expected);
            }
            assert_eq!(
                step(&job, connection, 2, |_| panic!("the job has ended"))?,
                StepOutcome::Lost
            );
            assert_eq!(noted(connection)?.len(), 5);
            let twice: i64 = connection.query_row(
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
        .write(move |connection| {
            enqueue_lead_scoring(connection.into(), tenant, &named(1..=4))?;
            let slow = next(connection)?.unwrap();
            step(&slow, connection, 1, |lead| mark(connection, lead))?;
            let computed = slow.targets(connection.into(), 9)?.unwrap();
            assert_eq!(requeue_running(connection)?, 1);
            let other = next(connection)?.unwrap();
            let effects = || panic!("another worker has the job");
            assert_eq!(
                slow.step(connection.into(), &computed, effects)?,
                StepOutcome::Lost
            );
            assert!(slow.targets(connection.into(), 9)?.is_none());
            slow.fail(connection.into(), "too late")?;
            slow.release(connection.into())?;
            assert_eq!(
                step(&other, connection, 9, |lead| mark(connection, lead))?,
                StepOutcome::Finished
            );
            assert_eq!(noted(connection)?, ["1", "2", "3", "4"]);
            assert_eq!(status(connection, other.id)?.0, "succeeded");
            other.fail(connection.into(), "it is over")?;
            assert_eq!(status(connection, other.id)?.0, "succeeded");
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
        .write(|connection| {
            let job = next(connection)?.unwrap();
            let targets = job.targets(connection.into(), 2)?.unwrap();
            assert_eq!(
                job.step(connection.into(), &targets, || Ok(2))?,
                StepOutcome::More
            );
            let effects = || panic!("these targets are done");
            assert_eq!(
                job.step(connection.into(), &targets, effects)?,
                StepOutcome::Lost
            );
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
        .write(move |connection| {
            step(&leased, connection, 4, |lead| match lead {
                3 => Err(StoreError::Full),
                lead => mark(connection, lead),
            })
        })
        .await;
    assert!(matches!(failed, Err(StoreError::Full)));
    assert_eq!(store.read(noted).await.unwrap(), [""; 0]);
    let done = store
        .write(move |connection| step(&job, connection, 9, |lead| mark(connection, lead)))
        .await;
    assert_eq!(done.unwrap(), StepOutcome::Finished);
    assert_eq!(store.read(noted).await.unwrap().len(), 4);
}

#[tokio::test]
async fn jobs_of_a_workspace_run_in_request_order() {
    let (_dir, store, tenant) = store(1).await;
    store
        .write(move |connection| {
            let second = enqueue_lead_scoring(connection.into(), tenant, &LeadScoring::default())?;
            let first = next(connection)?.unwrap();
            let second = second.job_id.unwrap();
            assert_ne!(first.job_id.as_str(), second.as_str());
            // Only one job per workspace at a time.
            assert_eq!(next_queued(connection, &[tenant])?, None);
            step(&first, connection, 5, |lead| mark(connection, lead))?;
            assert_eq!(next(connection)?.unwrap().job_id, second.as_str());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn an_unreadable_job_fails_and_the_next_one_runs() {
    let (_dir, store, tenant) = store(1).await;
    store
        .write(move |connection| {
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
                connection.execute(&sql, [value])?;
                enqueue_lead_scoring(connection.into(), tenant, &LeadScoring::default())?;
                let (id, _) = next_queued(connection, &[])?.unwrap();
                assert!(lease(connection, id)?.is_none());
                let (status, error) = status(connection, id)?;
                assert_eq!(status, "failed");
                let error = error.unwrap();
                assert!(error.contains(cause), "{error}");
                assert!(error.contains("Nothing was scored"), "{error}");
            }
            assert!(next(connection)?.is_some());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_job_that_keeps_crashing_the_service_is_failed() {
    let (_dir, store, _) = store(9).await;
    store
        .write(move |connection| {
            let attempt = || -> Result<Option<LeasedJob>, StoreError> {
                let job = next(connection)?;
                // Simulates the end of the process.
                requeue_running(connection)?;
                Ok(job)
            };
            // An attempt that finishes a step, or ends with a release, is not counted.
            for _ in 0..4 {
                assert!(attempt()?.is_some());
            }
            let job = next(connection)?.unwrap();
            step(&job, connection, 2, |lead| mark(connection, lead))?;
            requeue_running(connection)?;
            for _ in 0..4 {
                assert!(attempt()?.is_some());
            }
            next(connection)?.unwrap().release(connection.into())?;
            for _ in 0..5 {
                assert!(attempt()?.is_some());
            }
            assert!(attempt()?.is_none());
            let (status, error) = status(connection, job.id)?;
            assert_eq!(status, "failed");
            let error = error.unwrap();
            assert!(error.contains("interrupted 5 times"), "{error}");
            assert!(error.contains("are saved"), "{error}");
            assert_eq!(noted(connection)?.len(), 2);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn waiting_jobs_per_workspace_are_limited() {
    let (_dir, store, tenant) = leads(1).await;
    let refused = store
        .write(move |connection| {
            let other = Tenant::ensure(connection, "other")?;
            for _ in 0..100 {
                enqueue_lead_scoring(connection.into(), tenant, &LeadScoring::default())?;
            }
            enqueue_lead_scoring(connection.into(), other, &LeadScoring::default())?;
            let refused =
                enqueue_account_scoring(connection.into(), tenant, &AccountScoring::default());
            let job = next(connection)?.unwrap();
            step(&job, connection, 9, |lead| mark(connection, lead))?;
            enqueue_account_scoring(connection.into(), tenant, &AccountScoring::default())?;
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
        .write(move |connection| {
            connection.execute_batch(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
                 INSERT INTO jobs (tenant, job_id, workflow_id, kind, payload, status, created_at, updated_at)
                 SELECT 1, i, i, 'score_leads', '{}',
                   CASE WHEN i <= 10 THEN 'queued' WHEN i % 2 THEN 'failed' ELSE 'succeeded' END,
                   '2020', iif(i > 1000 AND i <= 1020, '2020', '9999') FROM n",
            )?;
            enqueue_lead_scoring(connection.into(), tenant, &LeadScoring::default())?;
            let count = |sql: &str| -> Result<i64, StoreError> {
                Ok(connection.query_row(sql, [], |row| row.get(0))?)
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
        .read(|connection| {
            for kind in [JobKind::Leads, JobKind::Accounts] {
                let sql = format!("EXPLAIN QUERY PLAN {}", range_sql(kind));
                let mut plan = connection.prepare(&sql)?;
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
            let mut plan = connection.prepare(
                "EXPLAIN QUERY PLAN SELECT id, tenant FROM jobs
                 WHERE status = 'queued' AND tenant NOT IN (1, 2) ORDER BY id LIMIT 1",
            )?;
            let plan: String = plan.query_row([], |row| row.get("detail"))?;
            assert!(plan.contains("jobs_queued"), "{plan}");
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
        .write(move |connection| {
            enqueue_lead_scoring(connection.into(), tenant, &named(1..=3))?;
            super::add_import_targets(connection.into(), tenant, "import", &[1, 2, 3])
        })
        .await
        .unwrap();
    store.delete_lead(tenant, "3".into(), None).await.unwrap();
    store
        .write(move |connection| {
            connection.execute_batch(
                "INSERT INTO leads (tenant, lead_id, created_at) VALUES (1, 'another', '')",
            )?;
            let number: i64 = connection.query_row(
                "SELECT id FROM leads WHERE lead_id = 'another'",
                [],
                |row| row.get(0),
            )?;
            assert_eq!(number, 3, "the row number was not reused");
            let sql = "SELECT count(*) FROM job_targets WHERE target = 3";
            let targets: i64 = connection.query_row(sql, [], |row| row.get(0))?;
            assert_eq!(targets, 0);
            Ok(())
        })
        .await
        .unwrap();
}
