//! What is left when several processes change the same lead.

use lead_workspace_api::NewApprovalStatus::{self, Approved, Rejected};

use super::{ONE, Process, overlapping};
use crate::import::test_import::TestImport;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::postgres::tests::database;
use crate::store::records::insert::delete_leads;
use crate::store::records::leads;

const COUNTS: &str =
    "SELECT string_agg(approval_status || ' ' || leads, ', ' ORDER BY approval_status)
     FROM (SELECT approval_status, count(*) AS leads FROM leads GROUP BY 1) counted";

/// Adds Ana, and returns a function that decides on her.
async fn ana(
    process: &Process,
) -> impl Fn(NewApprovalStatus) -> Box<dyn Fn(Db<'_>) -> Result<u64, StoreError> + Send> {
    let add = |db: Db<'_>| {
        TestImport::new(ONE, "import").batch(db, "Name,Email\nAna,ana@a.example\n", true)?;
        db.value::<String>("SELECT lead_id FROM leads WHERE tenant = 1", &[])
    };
    let id = process.run(add).await;
    move |status| {
        let ids = [id.clone().into()];
        Box::new(move |db: Db<'_>| leads::decide(db, ONE, &ids, status, None))
    }
}

#[tokio::test]
async fn two_decisions_on_a_lead_at_the_same_time_count_once() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    let decide = ana(&one).await;
    overlapping(
        &database,
        (&one, decide(Approved)),
        (&two, decide(Rejected)),
    )
    .await;
    assert_eq!(database.sql(COUNTS), "rejected 1");
}

#[tokio::test]
async fn an_import_never_replaces_a_decision_of_the_same_moment() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    let decide = ana(&one).await;
    let import = |db: Db<'_>| {
        let lines = "Name,Email,Status\nAna,ana@a.example,rejected\n";
        TestImport::new(ONE, "other").batch(db, lines, true)
    };
    overlapping(&database, (&one, decide(Approved)), (&two, import)).await;
    assert_eq!(database.sql(COUNTS), "approved 1");
}

#[tokio::test]
async fn a_lead_that_is_deleted_while_it_is_imported_is_added_again() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    let _ = ana(&one).await;
    let delete = |db: Db<'_>| {
        let sql = "DELETE FROM leads WHERE tenant = 1 RETURNING id, account, lead_id";
        delete_leads(db, ONE, sql, &[])
    };
    let import = |db: Db<'_>| {
        TestImport::new(ONE, "other").batch(db, "Name,Email\nAna,ana@a.example\n", true)
    };
    let (deleted, imported) = overlapping(&database, (&one, delete), (&two, import)).await;
    assert_eq!((deleted, imported.inserted), (1, 1));
    assert_eq!(database.sql(COUNTS), "pending_approval 1");
}
