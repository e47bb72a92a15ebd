//! Deletion of workspaces while a service runs: nothing of them is left, and nothing is written to them.

use lead_workspace_service::store::Db;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc;

use lead_workspace_api::NewApprovalStatus;
use lead_workspace_api::import::ImportEvent;
use lead_workspace_service::import::{self, ImportError, ImportOptions};
use lead_workspace_service::store::{backup, workspaces as admin};
use lead_workspace_service::{Store, StoreError, Tenant};
use serde_json::json;

use crate::common::{Service, done, fill, on_thread};
use crate::import::options;
use crate::program::run;
use crate::workspaces::{ids, refused, workspaces};

async fn create(store: &Store, id: &'static str) -> Tenant {
    store.write(move |db| Tenant::ensure(db, id)).await.unwrap()
}

/// Begins the deletion of a workspace, as a command that is then interrupted.
fn begin(service: &Service, id: &'static str) -> String {
    let mut database = service.as_command();
    let begin = move || {
        let tenant = database.read(|db| admin::find(db, id)).unwrap();
        admin::begin_deletion(&mut database, tenant).unwrap()
    };
    on_thread(begin)
}

/// The rows of the other workspaces, and those that belong to none.
async fn rows_of_others(service: &Service, tenant: i64) -> Vec<String> {
    let mut rows = Vec::new();
    for table in service.tables().await {
        let of_table = service.rows(&format!("SELECT * FROM {table}")).await;
        let is_own = |row: &&String| row.contains(&format!("\"tenant\": Integer({tenant})"));
        let own = of_table.iter().filter(is_own).count();
        let others = of_table.iter().filter(|row| !is_own(row));
        let mut others: Vec<String> = others.map(|row| format!("{table}: {row}")).collect();
        others.sort();
        rows.extend(others);
        rows.push(format!("own {table} {own}"));
    }
    rows
}

#[tokio::test]
async fn deleting_a_workspace_deletes_all_of_it_and_nothing_else() {
    let service = Service::demo(600).await;
    let north = service
        .store
        .write(|db| Tenant::ensure(db, "north"))
        .await
        .unwrap();
    fill(&service.store, north, 700, 8).await;
    service
        .sql(
            "INSERT INTO key_tenants SELECT key_id, 2, 1 FROM api_keys;
             INSERT INTO audit_log (tenant, at, key_id, request_id, action) VALUES (2, '', '', '', 'decide')",
        )
        .await;
    let mut before = rows_of_others(&service, 2).await;
    assert!(before.contains(&"own leads 700".to_owned()));
    for arguments in [
        &["delete", "north"][..],
        &["delete", "north", "--confirm", "default"],
        &["delete", "none", "--confirm", "none"],
    ] {
        refused(&workspaces(&service, arguments));
    }
    done(&workspaces(
        &service,
        &["delete", "north", "--confirm", "north"],
    ));
    let mut after = rows_of_others(&service, 2).await;
    for own in after.iter().filter(|row| row.starts_with("own ")) {
        assert!(own.ends_with(" 0"), "{own}");
    }
    before.retain(|row| !row.starts_with("own "));
    after.retain(|row| !row.starts_with("own "));
    assert_eq!(after, before);
    service.check_integrity().await;
    let page = service.call("POST", "/api/leads/query", json!({})).await;
    assert_eq!(page.json()["total"], 600);
}

/// A file whose second part is read only when the sender is dropped.
struct InTwoParts {
    first: std::io::Cursor<Vec<u8>>,
    go_on: mpsc::Receiver<()>,
    second: std::io::Cursor<Vec<u8>>,
}

impl Read for InTwoParts {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match self.first.read(out)? {
            0 => {
                let _ = self.go_on.recv();
                self.second.read(out)
            }
            length => Ok(length),
        }
    }
}

fn lines(leads: std::ops::Range<u32>) -> String {
    let notes = "n".repeat(500);
    let line = |lead| format!("Lead {lead},l{lead}@a.example,{notes}\n");
    leads.map(line).collect()
}

/// An import that runs during the deletion writes neither into its workspace nor into a new one.
#[tokio::test]
async fn an_import_into_a_deleted_workspace_ends() {
    let service = Service::demo(3).await;
    let north = create(&service.store, "north").await;
    let (go_on, wait) = mpsc::channel::<()>();
    let source = InTwoParts {
        first: std::io::Cursor::new(format!("Name,Email,Notes\n{}", lines(0..250)).into()),
        go_on: wait,
        second: std::io::Cursor::new(lines(250..600).into()),
    };
    let (written, first_batch) = tokio::sync::oneshot::channel();
    let mut written = Some(written);
    let notify = move |event: ImportEvent| {
        if matches!(event, ImportEvent::Progress { .. }) {
            written.take().map(|written| written.send(()));
        }
    };
    let options = ImportOptions {
        score: true,
        ..options("leads.csv")
    };
    let store = service.store.clone();
    let running =
        tokio::spawn(async move { import::run(&store, north, source, options, notify).await });
    first_batch.await.unwrap();
    assert_eq!(
        service.value::<i64>("SELECT count(*) FROM leads").await,
        203
    );
    done(&workspaces(
        &service,
        &["delete", "north", "--confirm", "north"],
    ));
    done(&workspaces(&service, &["create", "north"]));
    drop(go_on);
    let error = running.await.unwrap().unwrap_err();
    assert!(matches!(error, ImportError::WorkspaceDeleted), "{error}");
    assert!(
        error.to_string().contains("Nothing of it was kept"),
        "{error}"
    );
    for table in ["leads", "jobs", "import_jobs"] {
        let sql = format!("SELECT count(*) FROM {table} WHERE tenant <> 1");
        assert_eq!(service.value::<i64>(&sql).await, 0, "{table}");
    }
}

/// The key of a decision may have been checked just before the deletion.
#[tokio::test]
async fn nothing_is_written_to_a_workspace_that_is_being_deleted() {
    let service = Service::demo(1).await;
    let north = create(&service.store, "north").await;
    fill(&service.store, north, 5, 8).await;
    let lead: String = service
        .value("SELECT lead_id FROM leads WHERE tenant = 2 LIMIT 1")
        .await;
    begin(&service, "north");
    let status = NewApprovalStatus::Rejected;
    let decided = service
        .store
        .decide(north, vec![lead.clone().into()], status, None);
    let error = decided.await.unwrap_err();
    assert!(matches!(error, StoreError::WorkspaceDeleted), "{error}");
    assert!(error.to_string().contains("not saved"), "{error}");
    let deleted = service.store.delete_lead(north, lead.into(), None).await;
    assert!(matches!(deleted, Err(StoreError::WorkspaceDeleted)));
    assert_eq!(
        service
            .value::<i64>("SELECT count(*) FROM leads WHERE tenant = 2")
            .await,
        5
    );
}

#[tokio::test]
async fn an_interrupted_deletion_can_be_finished() {
    let service = Service::demo(1).await;
    let north = create(&service.store, "north").await;
    fill(&service.store, north, 5, 8).await;
    let rest = begin(&service, "north");
    assert_eq!(rest, "north (deleted 2)");
    let list = done(&workspaces(&service, &["list"]));
    assert!(list.contains("north (deleted 2)"), "{list}");
    // Its id is free.
    done(&workspaces(&service, &["create", "north"]));
    done(&workspaces(
        &service,
        &["delete", &rest, "--confirm", &rest],
    ));
    assert_eq!(ids(&service).await, "default,north");
    assert_eq!(
        service
            .value::<i64>("SELECT count(*) FROM leads WHERE tenant = 2")
            .await,
        0
    );
}

/// What holds the number of a deleted workspace or job must never reach another one.
#[tokio::test]
async fn numbers_are_never_used_again() {
    let service = Service::demo(1).await;
    assert_eq!(
        create(&service.store, "north").await,
        create(&service.store, "north").await
    );
    let add_job =
        "INSERT INTO jobs (id, tenant, job_id, workflow_id, kind, payload, created_at, updated_at)
                   VALUES (NULL, 1, 'j', '', '', '{}', '', '')";
    service.sql(add_job).await;
    let last_job: i64 = service.value("SELECT max(id) FROM jobs").await;
    service.sql("DELETE FROM jobs").await;
    done(&workspaces(
        &service,
        &["delete", "north", "--confirm", "north"],
    ));
    let copy = service.dir.path().join("copy");
    backup::write(service.dir.path(), &copy, false).unwrap();
    let restored = tempfile::tempdir().unwrap();
    backup::restore::restore(&copy, restored.path(), "start").unwrap();
    for store in [service.store.clone(), Store::open(restored.path()).unwrap()] {
        let south = create(&store, "south").await;
        let number = move |db: Db<'_>| {
            db.sqlite().execute(add_job, [])?;
            let sql = "SELECT (SELECT max(tenant) FROM tenants), (SELECT max(id) FROM jobs)";
            let numbers = db
                .sqlite()
                .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            assert_eq!(Tenant::find(db, "south")?, Some(south));
            Ok::<(i64, i64), StoreError>(numbers)
        };
        let (workspace, job) = store.write(number).await.unwrap();
        assert_eq!(workspace, 3);
        assert!(job > last_job, "{job} {last_job}");
    }
}

/// The columns that are saved at a stop contain names, so deleting a workspace also deletes that file.
#[tokio::test]
async fn no_file_of_the_service_has_the_names_of_a_deleted_workspace() {
    let has_names = |dir: &Path| {
        let files = std::fs::read_dir(dir)
            .unwrap()
            .map(|file| file.unwrap().path());
        let mut texts = files.map(|file| std::fs::read(file).unwrap());
        let name = b"konstanze wellenreiter";
        texts.any(|text| text.windows(name.len()).any(|part| part == name))
    };
    for stops_first in [true, false] {
        let service = Service::demo(1).await;
        create(&service.store, "north").await;
        service
            .sql(
                "INSERT INTO leads (tenant, lead_id, name, created_at)
                 VALUES (2, 'k', 'Konstanze Wellenreiter', '')",
            )
            .await;
        service.store.load_columns().await.unwrap();
        let Service {
            router, store, dir, ..
        } = service;
        let mut service = Some((router, store));
        if stops_first {
            service = None;
            assert!(dir.path().join("columns.cache").exists());
            assert!(has_names(dir.path()));
        }
        let delete = ["workspaces", "delete", "north", "--confirm", "north"];
        done(&run(&delete, dir.path()));
        if stops_first {
            assert!(!dir.path().join("columns.cache").exists());
        }
        drop(service);
        // A next start and stop empties the log of the database.
        drop(Store::open(dir.path()).unwrap());
        assert!(!has_names(dir.path()), "stopped first: {stops_first}");
    }
}

#[tokio::test]
async fn the_default_workspace_can_be_emptied() {
    let service = Service::demo(20).await;
    done(&workspaces(
        &service,
        &["delete", "default", "--confirm", "default"],
    ));
    assert_eq!(ids(&service).await, "default");
    assert_eq!(service.value::<i64>("SELECT count(*) FROM leads").await, 0);
    // Its keys have lost their access.
    assert_eq!(service.get("/api/leads/facets").await.status, 403);
}
