use lead_workspace_api::LeadScoring;
use rusqlite::Connection;

use super::{Step, enqueue_lead_scoring, lease, take_over};
use crate::store::{Store, StoreError, Tenant};

/// A store with leads numbered from 1.
async fn store(leads: i64) -> (tempfile::TempDir, Store, Tenant) {
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
            enqueue_lead_scoring(connection, tenant, &LeadScoring::default())?;
            Ok(tenant)
        })
        .await
        .unwrap();
    (dir, store, tenant)
}

fn noted(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut select =
        connection.prepare("SELECT lead_id FROM leads WHERE headline IS NOT NULL ORDER BY id")?;
    let rows = select.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Marks a lead; a second mark would show.
fn mark(connection: &Connection, lead: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE leads SET headline = coalesce(headline, '') || 'x' WHERE id = ?1";
    Ok(connection.execute(sql, [lead])? == 1)
}

#[tokio::test]
async fn steps_go_over_every_target_once() {
    let (_dir, store, _) = store(5).await;
    store
        .write(|connection| {
            let job = lease(connection)?.unwrap();
            assert!(lease(connection)?.is_none(), "a job was leased twice");
            for expected in [Step::More, Step::More, Step::Finished] {
                assert_eq!(
                    job.step(connection, 2, |lead| mark(connection, lead))?,
                    expected
                );
            }
            assert_eq!(
                job.step(connection, 2, |_| panic!("the job is over"))?,
                Step::Lost
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

#[tokio::test]
async fn a_worker_that_lost_its_job_writes_nothing() {
    let (_dir, store, _) = store(4).await;
    store
        .write(|connection| {
            let slow = lease(connection)?.unwrap();
            slow.step(connection, 1, |lead| mark(connection, lead))?;
            assert_eq!(take_over(connection)?, 1);
            let next = lease(connection)?.unwrap();
            assert_eq!(
                slow.step(connection, 9, |_| panic!("the job is another's"))?,
                Step::Lost
            );
            slow.fail(connection, "too late")?;
            slow.release(connection)?;
            assert_eq!(
                next.step(connection, 9, |lead| mark(connection, lead))?,
                Step::Finished
            );
            let status: String =
                connection.query_row("SELECT status FROM jobs", [], |row| row.get(0))?;
            assert_eq!(status, "succeeded");
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_step_that_fails_leaves_neither_effect_nor_progress() {
    let (_dir, store, _) = store(4).await;
    let job = store.write(lease).await.unwrap().unwrap();
    let held = job.clone();
    let failed = store
        .write(move |connection| {
            held.step(connection, 4, |lead| match lead {
                3 => Err(StoreError::Full),
                lead => mark(connection, lead),
            })
        })
        .await;
    assert!(matches!(failed, Err(StoreError::Full)));
    assert_eq!(store.read(noted).await.unwrap(), [""; 0]);
    let step = store
        .write(move |connection| job.step(connection, 9, |lead| mark(connection, lead)))
        .await;
    assert_eq!(step.unwrap(), Step::Finished);
    assert_eq!(store.read(noted).await.unwrap().len(), 4);
}

#[tokio::test]
async fn jobs_are_done_in_the_order_in_which_they_were_asked_for() {
    let (_dir, store, tenant) = store(1).await;
    store
        .write(move |connection| {
            let second = enqueue_lead_scoring(connection, tenant, &LeadScoring::default())?;
            let first = lease(connection)?.unwrap();
            assert_ne!(
                Some(first.job_id.as_str()),
                second.job_id.as_ref().map(|id| id.as_str())
            );
            first.step(connection, 5, |lead| mark(connection, lead))?;
            let next = lease(connection)?.unwrap();
            assert_eq!(
                Some(next.job_id.as_str()),
                second.job_id.as_ref().map(|id| id.as_str())
            );
            Ok(())
        })
        .await
        .unwrap();
}
