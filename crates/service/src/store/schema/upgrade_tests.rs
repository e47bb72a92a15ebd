//! Opening a folder of an earlier version upgrades it.

use std::path::Path;

use lead_workspace_api::LeadQuery;
use rusqlite::Connection;

use super::{APPLICATION_ID, MIGRATIONS};
use crate::store::{DATABASE_FILE, Filters, Store, StoreError, Tenant, job_queue};

/// A folder with rows as version 1 wrote them: two workspaces, keys without combining marks, a lead
/// identified by its name, a queued job.
fn version_1(dir: &Path) {
    let connection = Connection::open(dir.join(DATABASE_FILE)).unwrap();
    connection.execute_batch(MIGRATIONS[0]).unwrap();
    connection
        .execute_batch(&format!(
            "PRAGMA journal_mode = WAL;
             PRAGMA application_id = {APPLICATION_ID};
             PRAGMA user_version = 1;
             CREATE INDEX jobs_open ON jobs (id) WHERE status IN ('queued', 'running');
             INSERT INTO tenants VALUES (1, 'default', 'default', NULL, '2026-01-01'),
               (2, 'other', 'other', NULL, '2026-01-01');
             INSERT INTO accounts (id, tenant, account_id, name, name_key, created_at)
               VALUES (1, 1, 'acme', 'ガラス', 'カラス', '2026-01-01');
             INSERT INTO leads (id, tenant, lead_id, name, name_key, company, company_key, account,
               identity, search_key, created_at) VALUES
               (1, 1, 'anna', 'Anna Müller', 'anna muller', NULL, NULL, NULL, 'in/anna',
                'anna muller', '2026-01-01'),
               (2, 1, 'kiran', 'किरण', 'करण', 'ガラス', 'カラス', 1, 'name:करण' || char(10) || 'カラス',
                'करण' || char(10) || 'カラス', '2026-01-01'),
               (3, 2, 'anna', 'Anna Other', 'anna other', NULL, NULL, NULL, NULL, 'anna other',
                '2026-01-01');
             INSERT INTO jobs (tenant, job_id, workflow_id, kind, payload, total, created_at, updated_at)
               VALUES (1, 'job', 'workflow', 'score_leads', '{{\"last\":2,\"not_found\":[]}}', 2,
                 '2026-01-01', '2026-01-01');"
        ))
        .unwrap();
}

async fn found(store: &Store, tenant: Tenant, search: &str) -> Vec<String> {
    let query = LeadQuery {
        search: Some(search.into()),
        ..LeadQuery::default()
    };
    let page = store.query_leads(tenant, Filters::default(), query).await;
    let ids = page.unwrap().data.into_iter();
    ids.map(|lead| lead.lead_id.unwrap().as_str().to_owned())
        .collect()
}

#[tokio::test]
async fn opening_a_version_1_folder_upgrades_it_completely() {
    let dir = tempfile::tempdir().unwrap();
    version_1(dir.path());
    let store = Store::open(dir.path()).unwrap();
    let (one, two) = (Tenant(1), Tenant(2));

    // Searches find the same leads as before, each in its own workspace, and now respect combining
    // marks.
    assert_eq!(found(&store, one, "müller anna").await, ["anna"]);
    assert_eq!(found(&store, two, "anna").await, ["anna"]);
    assert_eq!(found(&store, two, "muller").await, [""; 0]);
    assert_eq!(found(&store, one, "किरण").await, ["kiran"]);
    assert_eq!(found(&store, one, "करण").await, [""; 0]);
    assert_eq!(found(&store, one, "ガラス").await, ["kiran"]);

    let rows = |connection: &Connection| -> Result<Vec<String>, StoreError> {
        let mut select = connection.prepare(
            "SELECT (SELECT name_key = fold('ガラス') FROM accounts)
               || (SELECT identity = 'name:' || fold('किरण') || char(10) || fold('ガラス')
                   FROM leads WHERE id = 2)
               || (SELECT identity = 'in/anna' FROM leads WHERE id = 1)
               || (SELECT lead_count FROM accounts)
             UNION ALL SELECT group_concat(tenant || approval_status || leads) FROM status_counts
             UNION ALL SELECT count(*) FROM pragma_foreign_key_check
             UNION ALL SELECT integrity_check FROM pragma_integrity_check
             UNION ALL SELECT group_concat(name) FROM sqlite_schema
               WHERE name IN ('jobs_open', 'jobs_queued', 'leads_by_tenant')",
        )?;
        let rows = select.query_map([], |row| row.get::<_, rusqlite::types::Value>(0))?;
        let text = |value| match value {
            rusqlite::types::Value::Text(text) => text,
            other => format!("{other:?}"),
        };
        Ok(rows.map(|row| row.map(text)).collect::<Result<_, _>>()?)
    };
    let rows = store.read(rows).await.unwrap();
    assert_eq!(
        rows,
        [
            "1111",
            "1pending_approval2,2pending_approval1",
            "Integer(0)",
            "ok",
            "leads_by_tenant,jobs_queued"
        ]
    );

    // The triggers update the search index from now on, and the queued job can be taken.
    store.delete_lead(one, "anna".into()).await.unwrap();
    assert_eq!(found(&store, one, "anna").await, [""; 0]);
    assert_eq!(found(&store, two, "anna").await, ["anna"]);
    let reword = "UPDATE leads SET search_key = 'berta' WHERE id = 3";
    store
        .write(move |connection| Ok(connection.execute_batch(reword)?))
        .await
        .unwrap();
    assert_eq!(found(&store, two, "anna").await, [""; 0]);
    assert_eq!(found(&store, two, "berta").await, ["anna"]);
    let job = store
        .write(|connection| job_queue::lease(connection, 1))
        .await;
    assert_eq!(job.unwrap().unwrap().job_id, "job");

    // A second opening has nothing left to do.
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(found(&store, two, "berta").await, ["anna"]);
}

/// An upgraded folder has exactly the schema of a new one.
#[test]
fn an_upgraded_folder_has_the_schema_of_a_new_one() {
    let [old, new] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    version_1(old.path());
    let schema = |dir: &Path| {
        drop(Store::open(dir).unwrap());
        let connection = Connection::open(dir.join(DATABASE_FILE)).unwrap();
        let mut select = connection
            .prepare("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
            .unwrap();
        let rows = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(schema(old.path()), schema(new.path()));
}
