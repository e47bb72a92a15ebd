//! The worker, next to another process that uses the same database.

use std::time::Duration;

use lead_workspace_api::LeadScoring;
use rusqlite::Connection;
use tokio::time::Instant;

use super::{RENEWAL, SHARED_POLL_INTERVAL, Worker};
use crate::store::Store;
use crate::store::import_jobs::{BatchOutcome, StoredImport};
use crate::store::{Db, StoreError, Tenant, job_queue, open_shared};

const ONE: Tenant = Tenant(1);

/// A folder with one lead, and the connection of another process, whose changes the store does not notice.
async fn folder() -> (tempfile::TempDir, Store, Connection) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let add = |db: Db<'_>| {
        let sql = "INSERT INTO leads (tenant, lead_id, created_at) VALUES (1, 'l', '')";
        Ok(db.sqlite().execute(sql, [])?)
    };
    store.write(add).await.unwrap();
    let other = open_shared(dir.path()).unwrap();
    (dir, store, other)
}

fn shared(store: &Store) -> Worker {
    Worker {
        is_shared: true,
        ..Worker::new(store.clone())
    }
}

fn enqueue(connection: &Connection) {
    let scoring = LeadScoring::default();
    job_queue::enqueue_lead_scoring(connection.into(), ONE, &scoring).unwrap();
}

/// As another process does that then dies.
fn take(connection: &Connection) {
    job_queue::lease(connection.into(), ONE, 1)
        .unwrap()
        .unwrap();
}

fn let_leases_run_out(connection: &Connection) {
    let sql = "UPDATE jobs SET lease_until = '2020' WHERE lease_until IS NOT NULL;
               UPDATE import_jobs SET lease_until = '2020' WHERE lease_until IS NOT NULL;";
    connection.execute_batch(sql).unwrap();
}

fn statuses(connection: &Connection) -> String {
    let sql =
        "SELECT group_concat(kind || ' ' || status, ', ') FROM (SELECT * FROM jobs ORDER BY id)";
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

async fn run(worker: &mut Worker) {
    while worker.run_one_step().await.unwrap() {}
}

/// Makes the last poll older than the interval.
fn pass_time(worker: &mut Worker) {
    let (version, _) = worker.polled.unwrap();
    worker.polled = Some((version, Instant::now() - SHARED_POLL_INTERVAL));
}

#[tokio::test]
async fn jobs_that_another_process_enqueues_are_run() {
    let (_dir, store, other) = folder().await;
    let mut worker = shared(&store);
    run(&mut worker).await;
    enqueue(&other);
    run(&mut worker).await;
    assert_eq!(
        statuses(&other),
        "score_leads queued",
        "it polls all the time"
    );
    pass_time(&mut worker);
    run(&mut worker).await;
    assert_eq!(statuses(&other), "score_leads succeeded");
}

#[tokio::test]
async fn a_job_of_another_process_is_taken_over_when_its_lease_has_run_out() {
    let (_dir, store, other) = folder().await;
    enqueue(&other);
    take(&other);
    let mut worker = shared(&store);
    run(&mut worker).await;
    assert_eq!(statuses(&other), "score_leads running");
    let_leases_run_out(&other);
    pass_time(&mut worker);
    run(&mut worker).await;
    assert_eq!(statuses(&other), "score_leads succeeded");
}

/// No other process can run it.
#[tokio::test]
async fn a_running_job_in_a_data_folder_is_resumed_at_once() {
    let (_dir, store, other) = folder().await;
    enqueue(&other);
    take(&other);
    run(&mut Worker::new(store)).await;
    assert_eq!(statuses(&other), "score_leads succeeded");
}

#[tokio::test]
async fn the_import_of_a_dead_process_is_ended_and_scored() {
    let (_dir, store, other) = folder().await;
    let import = StoredImport {
        tenant: ONE,
        import_job_id: "import",
        file_name: "leads.csv",
        at: "",
        score: true,
    };
    let batch = BatchOutcome {
        is_first: true,
        counts: [1, 0, 0, 0],
        leads: &[1],
    };
    import.add_batch((&other).into(), &batch).unwrap();
    let mut worker = shared(&store);
    run(&mut worker).await;
    assert_eq!(statuses(&other), "score_leads collecting");
    let_leases_run_out(&other);
    pass_time(&mut worker);
    run(&mut worker).await;
    assert_eq!(
        statuses(&other),
        "score_leads succeeded, score_accounts succeeded"
    );
}

#[tokio::test]
async fn the_lease_of_a_job_that_waits_is_renewed() {
    let (_dir, store, other) = folder().await;
    enqueue(&other);
    let mut worker = Worker::new(store);
    worker.poll().await.unwrap();
    worker.running[0].not_before = Instant::now() + Duration::from_secs(3600);
    let_leases_run_out(&other);
    let renewed = "SELECT lease_until > '2021' FROM jobs";
    let is_renewed = || {
        other
            .query_row(renewed, [], |row| row.get::<_, bool>(0))
            .unwrap()
    };
    run(&mut worker).await;
    assert!(!is_renewed());
    worker.renewed = Instant::now() - RENEWAL;
    run(&mut worker).await;
    assert!(is_renewed());
}

/// Makes the steps of jobs fail, and then also what the worker writes about it.
fn break_steps(connection: &Connection) {
    let sql = "CREATE TRIGGER no_scores BEFORE UPDATE OF icp_score ON leads
                 BEGIN SELECT raise(ABORT, 'broken'); END;
               CREATE TRIGGER no_failures BEFORE UPDATE OF status ON jobs WHEN new.status = 'failed'
                 BEGIN SELECT raise(ABORT, 'broken, too'); END;";
    connection.execute_batch(sql).unwrap();
}

#[tokio::test]
async fn a_job_whose_failure_cannot_be_written_is_kept() {
    let (_dir, store, other) = folder().await;
    enqueue(&other);
    break_steps(&other);
    let mut worker = Worker::new(store);
    let mut errors = Vec::new();
    for _ in 0..5 {
        let stepped = worker.run_one_step().await;
        errors.extend(stepped.err().map(|error: StoreError| error.to_string()));
        worker.running[0].not_before = Instant::now();
    }
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("broken, too"), "{errors:?}");
    assert_eq!(statuses(&other), "score_leads running");
    other.execute_batch("DROP TRIGGER no_failures").unwrap();
    assert!(worker.run_one_step().await.unwrap());
    assert_eq!(statuses(&other), "score_leads failed");
    assert!(worker.running.is_empty());
}
