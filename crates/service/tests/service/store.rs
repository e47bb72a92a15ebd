//! The data folder: durability of groups, isolation of failures, the lock.

use lead_workspace_service::store::Db;
use lead_workspace_service::{Store, StoreError, Tenant};
use rusqlite::params;

fn count(db: Db<'_>) -> Result<i64, StoreError> {
    db.value("SELECT count(*) FROM tenants", &[])
}

fn add(db: Db<'_>, name: &str) -> Result<(), StoreError> {
    db.sqlite().execute(
        "INSERT INTO tenants (tenant_id, name, created_at) VALUES (?1, ?1, '')",
        params![name],
    )?;
    Ok(())
}

#[tokio::test]
async fn a_second_open_fails_and_names_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let error = Store::open(dir.path()).err().unwrap();
    assert!(
        matches!(&error, StoreError::Locked { pid: Some(_), .. }),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains(&dir.path().display().to_string())
    );
    drop(store);
    Store::open(dir.path()).unwrap();
}

#[tokio::test]
async fn a_failed_write_does_not_affect_its_group() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let changes: Vec<_> = (0..100)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                store
                    .write(move |db| {
                        add(db, &format!("workspace {number}"))?;
                        match number % 3 {
                            0 => Err(StoreError::Unexpected("on purpose".into())),
                            1 => panic!("on purpose"),
                            _ => Ok(number),
                        }
                    })
                    .await
            })
        })
        .collect();
    let mut stored = 0;
    for change in changes {
        stored += i64::from(change.await.unwrap().is_ok());
    }
    assert_eq!(stored, 33);
    assert_eq!(store.read(count).await.unwrap(), 1 + stored);
}

#[tokio::test]
async fn writes_survive_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.write(|db| add(db, "other")).await.unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    let found = store.read(|db| Tenant::find(db, "other")).await;
    assert!(found.unwrap().is_some());
}

#[tokio::test]
async fn readers_cannot_write() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let error = store.read(|db| add(db, "other")).await.unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
}

#[tokio::test]
async fn newer_foreign_and_damaged_files_are_not_changed() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    let path = dir
        .path()
        .join(lead_workspace_service::store::DATABASE_FILE);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 999).unwrap();
    drop(connection);
    let error = Store::open(dir.path()).err().unwrap();
    assert!(
        matches!(error, StoreError::Newer { found: 999, .. }),
        "{error}"
    );

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "application_id", 1).unwrap();
    drop(connection);
    let error = Store::open(dir.path()).err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");

    let noise = vec![b'x'; 8192];
    std::fs::write(&path, &noise).unwrap();
    let error = Store::open(dir.path()).err().unwrap();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert!(error.to_string().contains("not changed"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), noise);
}

/// Another program may use the same file name for its database.
#[tokio::test]
async fn a_database_of_another_program_is_not_changed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir
        .path()
        .join(lead_workspace_service::store::DATABASE_FILE);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
        .unwrap();
    drop(connection);
    let before = std::fs::read(&path).unwrap();
    let error = Store::open(dir.path()).err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let mut files: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["lock", "workspace.db"]);
}

#[tokio::test]
async fn a_full_disk_fails_the_write_and_keeps_existing_data() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.write(|db| add(db, "before")).await.unwrap();
    // Limits the database to its current size, so that the next page fails as on a full disk.
    let limit = |pages: &'static str| {
        move |db: Db<'_>| {
            let sql = format!("PRAGMA max_page_count = {pages}");
            Ok(db
                .sqlite()
                .query_row(&sql, [], |row| row.get::<_, i64>(0))?)
        }
    };
    store.write(limit("1")).await.unwrap();
    let large = |db: Db<'_>| {
        for number in 0..2000 {
            add(db, &format!("{number}{}", "x".repeat(2000)))?;
        }
        Ok(())
    };
    let error = store.write(large).await.unwrap_err();
    assert!(matches!(error, StoreError::Full), "{error}");
    assert!(error.to_string().contains("earlier changes are"));
    assert_eq!(store.read(count).await.unwrap(), 2);
    store.write(limit("1000000")).await.unwrap();
    store.write(|db| add(db, "after")).await.unwrap();
    assert_eq!(store.read(count).await.unwrap(), 3);
}

/// A failed commit reports its cause to each caller of the group.
#[tokio::test]
async fn a_failed_commit_reports_why() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    // Checked at the commit, not at the statement.
    let broken = store.write(|db| {
        db.sqlite().execute_batch(
            "PRAGMA defer_foreign_keys = ON;
             INSERT INTO key_tenants (key_id, tenant, position) VALUES ('nobody', 1, 0);",
        )?;
        Ok(())
    });
    let message = broken.await.unwrap_err().to_string();
    assert!(
        message.starts_with("database error: FOREIGN KEY constraint failed"),
        "{message}"
    );
    assert!(message.contains("earlier changes are"), "{message}");
    assert_eq!(store.read(count).await.unwrap(), 1);
}
