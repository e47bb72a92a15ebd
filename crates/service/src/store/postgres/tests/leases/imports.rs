//! Imports of several processes: each lead is created once, and interrupted imports are ended.

use super::{ONE, Process, overlapping, set_clock};
use crate::import::test_import::TestImport;
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::jobs::{import_jobs, job_queue};
use crate::store::postgres::tests::database;

const LINES: &str = "Name,Email,Company,Campaign
Ana,ana@a.example,Acme,Autumn
Bo,bo@a.example,Acme,Autumn
Cy,cy@b.example,Beta,Autumn
";

fn import(id: &'static str) -> impl Fn(Db<'_>) -> Result<[u64; 2], StoreError> {
    let import = TestImport::new(ONE, id);
    move |db| {
        let counts = import.batch(db, LINES, true)?;
        Ok([counts.inserted, counts.updated + counts.unchanged])
    }
}

#[tokio::test]
async fn two_imports_of_the_same_lines_create_each_row_once() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    let both = overlapping(&database, (&one, import("first")), (&two, import("second")));
    assert_eq!(both.await, ([3, 0], [0, 3]));
    let rows = database.sql(
        "SELECT (SELECT count(*) FROM leads), (SELECT count(*) FROM accounts), (SELECT count(*) FROM lists),
           (SELECT count(*) FROM campaigns), (SELECT count(*) FROM list_items)",
    );
    assert_eq!(rows, "3|2|1|1|3");
}

/// A row that is added without a number gets one that is not in use.
#[tokio::test]
async fn row_numbers_come_from_the_sequence() {
    let database = database();
    let process = Process::on(&database).await;
    // More than are taken at once.
    let lines: String = (0..100)
        .map(|n| format!("Lead {n},l{n}@a.example,Company {n}\n"))
        .collect();
    let lines = format!("Name,Email,Company\n{lines}");
    let counts = process
        .run(move |db| TestImport::new(ONE, "import").batch(db, &lines, true))
        .await;
    assert_eq!(counts.inserted, 100);
    process
        .run(|db| {
            for table in ["leads", "accounts"] {
                let column = table.trim_end_matches('s');
                let sql = format!(
                    "INSERT INTO {table} (tenant, {column}_id, created_at) VALUES (1, 'new', '')"
                );
                db.execute(&sql, params![])?;
            }
            Ok(())
        })
        .await;
    let rows = database.sql("SELECT (SELECT count(*) FROM leads), (SELECT count(*) FROM accounts)");
    assert_eq!(rows, "101|101");
}

/// It plans for the rows that it has counted, and by itself it counts them later.
#[tokio::test]
async fn the_server_counts_the_first_rows_at_once() {
    let database = database();
    let process = Process::on(&database).await;
    let lines = "Name,Email,Company\nAnna,a@a.example,A\nBerta,b@a.example,A\n";
    process
        .run(|db| TestImport::new(ONE, "import").batch(db, lines, true))
        .await;
    let sql = "SELECT reltuples FROM pg_class WHERE relname IN ('accounts', 'leads') ORDER BY 1";
    assert_eq!(database.sql(sql), "1\n2");
}

/// Ends what has expired, as a worker does.
fn sweep(db: Db<'_>) -> Result<usize, StoreError> {
    let expired = import_jobs::expired(db, None)?;
    for (tenant, import_job_id) in &expired {
        import_jobs::end_expired(db, *tenant, import_job_id)?;
    }
    Ok(expired.len())
}

const STATE: &str = "SELECT (SELECT count(*) FROM leads),
    (SELECT count(*) FROM import_jobs WHERE finished_at IS NOT NULL),
    (SELECT string_agg(kind || ' ' || status || ' ' || total, ', ' ORDER BY id) FROM jobs)";

#[tokio::test]
async fn an_import_whose_lease_has_run_out_is_ended_and_writes_no_more() {
    let database = database();
    let (slow, other) = (Process::on(&database).await, Process::on(&database).await);
    set_clock(&database, "00:00");
    slow.run(import("import")).await;
    set_clock(&database, "01:00");
    assert_eq!(other.run(sweep).await, 0);
    assert_eq!(database.sql(STATE), "3|0|score_leads collecting 0");

    set_clock(&database, "01:01");
    assert_eq!(other.run(sweep).await, 1);
    let ended = "3|1|score_leads queued 3, score_accounts queued 2";
    assert_eq!(database.sql(STATE), ended);
    assert!(
        other
            .run(|db| job_queue::next_job(db, &[], None))
            .await
            .is_some()
    );
    let more = |db: Db<'_>| {
        let lines = "Name,Email\nDi,di@a.example\n";
        TestImport::new(ONE, "import").batch(db, lines, false)
    };
    let error = slow.0.write(None, more).await.unwrap_err();
    assert!(matches!(error, StoreError::ImportEnded), "{error}");
    slow.run(|db| import_jobs::end_import(db, ONE, "import"))
        .await;
    assert_eq!(database.sql(STATE), ended);
    assert_eq!(other.run(sweep).await, 0);
}

#[tokio::test]
async fn an_import_is_ended_by_one_process() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    set_clock(&database, "00:00");
    one.run(import("import")).await;
    set_clock(&database, "02:00");
    // Both have found it.
    let end = |db: Db<'_>| import_jobs::end_expired(db, ONE, "import");
    overlapping(&database, (&one, end), (&two, end)).await;
    let ended = "3|1|score_leads queued 3, score_accounts queued 2";
    assert_eq!(database.sql(STATE), ended);
}

#[tokio::test]
async fn an_import_goes_on_while_its_lease_is_renewed() {
    let database = database();
    let (slow, other) = (Process::on(&database).await, Process::on(&database).await);
    set_clock(&database, "00:00");
    slow.run(import("import")).await;
    set_clock(&database, "00:50");
    slow.run(|db| import_jobs::renew(db, ONE, "import")).await;
    set_clock(&database, "01:40");
    assert_eq!(other.run(sweep).await, 0);
    // A batch renews it, too.
    slow.run(|db| TestImport::new(ONE, "import").batch(db, LINES, false))
        .await;
    set_clock(&database, "02:30");
    assert_eq!(other.run(sweep).await, 0);
    // It has found it before the renewal.
    other
        .run(|db| import_jobs::end_expired(db, ONE, "import"))
        .await;
    assert_eq!(database.sql(STATE), "3|0|score_leads collecting 0");
}

/// A batch that conflicts with another is run again, without the lists that were rolled back.
#[tokio::test]
async fn a_batch_can_be_run_again() {
    let database = database();
    let process = Process::on(&database).await;
    let batch = import("import");
    let again = std::sync::atomic::AtomicBool::new(true);
    let counts = process
        .run(move |db| {
            let counts = batch(db)?;
            match again.swap(false, std::sync::atomic::Ordering::SeqCst) {
                true => Err(StoreError::Conflict),
                false => Ok(counts),
            }
        })
        .await;
    assert_eq!(counts, [3, 0]);
    assert_eq!(database.sql("SELECT count(*) FROM list_items"), "3");
}
