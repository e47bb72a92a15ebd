//! Findings in the content of the database.

use lead_workspace_api::LeadScoring;
use rusqlite::Connection;

use super::{folder, is_repaired, sql, value, wrong};
use crate::store::db::Db;
use crate::store::handle::Store;
use crate::store::jobs::job_queue;
use crate::store::keys;
use crate::store::maintenance::doctor::{Check, Level, examine, fix};
use crate::store::sqlite::disk::DATABASE_FILE;
use crate::store::tenant::Tenant;

#[test]
fn missing_indexes_are_created() {
    let dir = folder();
    sql(
        dir.path(),
        "DROP INDEX accounts_by_name; DROP INDEX leads_by_email;
         CREATE INDEX leads_by_email ON leads (email)",
    );
    let fixed = is_repaired(dir.path(), Check::SchemaObjects);
    assert!(fixed.healthy, "{fixed:?}");
}

#[test]
fn a_damaged_text_needs_a_backup() {
    let dir = folder();
    sql(
        dir.path(),
        "UPDATE leads SET name = CAST(X'FF41' AS TEXT) WHERE id = 2",
    );
    let fixed = fix(dir.path()).unwrap();
    assert_eq!(wrong(&fixed), [(Check::Integrity, Level::Problem)]);
    let text = &fixed.findings[0].text;
    assert!(text.contains("1 of leads.name"), "{text}");
}

#[test]
fn a_missing_table_needs_a_backup() {
    let dir = folder();
    sql(dir.path(), "DROP TABLE nurtures");
    let fixed = fix(dir.path()).unwrap();
    assert_eq!(wrong(&fixed), [(Check::SchemaObjects, Level::Problem)]);
    assert!(fixed.findings[0].text.contains("nurtures"));
}

#[test]
fn references_that_lead_nowhere_are_repaired() {
    let dir = folder();
    // A lead whose account is missing, a list item without its list, a workspace that is missing.
    sql(
        dir.path(),
        "DELETE FROM accounts WHERE id = 1; DELETE FROM lists; DELETE FROM tenants WHERE tenant = 2",
    );
    is_repaired(dir.path(), Check::ForeignKeys);
    assert_eq!(
        value(
            dir.path(),
            "SELECT count(*) FROM leads WHERE account IS NULL"
        ),
        2
    );
    assert_eq!(value(dir.path(), "SELECT count(*) FROM list_items"), 0);
    // The score of the lead does not depend on the list.
    assert_eq!(value(dir.path(), "SELECT count(*) FROM lead_scores"), 1);
    let recovered = "SELECT count(*) FROM tenants WHERE tenant_id = 'recovered-2'";
    assert_eq!(value(dir.path(), recovered), 1);
}

#[test]
fn a_job_without_its_import_is_queued() {
    let dir = folder();
    sql(
        dir.path(),
        "INSERT INTO jobs (tenant, job_id, workflow_id, kind, payload, status, created_at, updated_at)
         VALUES (1, 'job', 'w', 'score_leads', '{\"not_found\":[]}', 'collecting', '', '')",
    );
    is_repaired(dir.path(), Check::Jobs);
    assert_eq!(
        value(
            dir.path(),
            "SELECT count(*) FROM jobs WHERE status = 'queued'"
        ),
        1
    );
    // A queued job is no problem: the service takes it.
    let note = &examine(dir.path()).findings[0];
    assert!(
        note.check == Check::Jobs && note.advice.contains("start the service"),
        "{note:?}"
    );
}

#[tokio::test]
async fn a_stuck_job_is_reported_beside_a_running_service() {
    let dir = folder();
    let store = Store::open(dir.path()).unwrap();
    let take = |db: Db<'_>| {
        job_queue::enqueue_lead_scoring(db, Tenant(1), &LeadScoring::default())?;
        job_queue::lease(db, Tenant(1), 1)
    };
    store.write(take).await.unwrap().unwrap();
    assert_eq!(wrong(&examine(dir.path())), []);
    let old = |db: Db<'_>| {
        Ok(db.sqlite().execute(
            "UPDATE jobs SET updated_at = '2026-01-01T00:00:00.000Z'",
            [],
        )?)
    };
    store.write(old).await.unwrap();
    let found = examine(dir.path());
    assert_eq!(wrong(&found), [(Check::Jobs, Level::Problem)]);
    assert!(
        found
            .findings
            .iter()
            .any(|finding| finding.advice.contains("restart"))
    );
}

#[test]
fn an_interrupted_import_is_ended() {
    let dir = folder();
    sql(
        dir.path(),
        "INSERT INTO import_jobs (tenant, import_job_id, file_name, created_at, inserted)
         VALUES (1, 'import', 'leads.csv', '', 1)",
    );
    is_repaired(dir.path(), Check::Imports);
    let ended = "SELECT count(*) FROM import_jobs WHERE finished_at IS NOT NULL AND inserted = 1";
    assert_eq!(value(dir.path(), ended), 1);
}

#[test]
fn expired_keys_are_a_note() {
    let dir = folder();
    let connection = Connection::open(dir.path().join(DATABASE_FILE)).unwrap();
    keys::create((&connection).into(), "old", &["default"]).unwrap();
    connection
        .execute(
            "UPDATE api_keys SET expires_at = '2026-01-01T00:00:00.000Z'",
            [],
        )
        .unwrap();
    drop(connection);
    let found = examine(dir.path());
    assert!(found.healthy);
    assert!(
        found
            .findings
            .iter()
            .any(|finding| finding.check == Check::Keys && finding.advice.contains("keys create"))
    );
}
