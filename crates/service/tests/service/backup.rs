//! Backups beside a running service, by command and by schedule, and restoring them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use lead_workspace_service::{Store, Tenant};
use serde_json::{Value, json};

use crate::common::{done, failed, fill};
use crate::program::{self, Running, start};

/// Runs `backup` or `restore` of a file, with options.
fn program(arguments: &[&str], file: &Path, dir: &Path) -> Output {
    let file = [file.to_str().unwrap()];
    program::run(&[arguments, &file].concat(), dir)
}

async fn folder(leads: u64) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let tenant = store.read(Tenant::default_of).await.unwrap();
    fill(&store, tenant, leads, 7).await;
    dir
}

fn total(running: &Running) -> Value {
    running
        .call("POST", "/api/leads/query", &json!({"page_size": 1}))
        .1["total"]
        .clone()
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// All rows of a database, in the order of their tables.
fn content(file: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(file).unwrap();
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1";
    let mut select = database.prepare(sql).unwrap();
    let tables = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let mut rows = Vec::new();
    for table in tables {
        let mut select = database
            .prepare(&format!("SELECT * FROM {}", table.unwrap()))
            .unwrap();
        let columns = select.column_count();
        let found = select.query_map([], |row| {
            let cells = (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column));
            Ok(format!("{:?}", cells.collect::<Result<Vec<_>, _>>()?))
        });
        rows.extend(found.unwrap().map(Result::unwrap));
    }
    rows
}

/// While changes are written, each backup has the state of one moment: changes that were made together are
/// in it together.
#[tokio::test]
async fn a_backup_beside_writes_is_consistent() {
    let dir = folder(200).await;
    let out = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let change = "UPDATE leads SET custom_data = '0'";
    store
        .write(move |db| Ok(db.sqlite().execute_batch(change)?))
        .await
        .unwrap();
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            let mut round = 0;
            loop {
                round += 1;
                // One change, in rows at both ends of the file.
                let change = format!("UPDATE leads SET custom_data = '{round}'");
                store
                    .write(move |db| Ok(db.sqlite().execute_batch(&change)?))
                    .await
                    .unwrap();
            }
        }
    });
    for number in 0..5 {
        let file = out.path().join(format!("{number}.db"));
        done(&program(&["backup"], &file, dir.path()));
        let copy = rusqlite::Connection::open(&file).unwrap();
        let rounds: i64 = copy
            .query_row(
                "SELECT count(DISTINCT coalesce(custom_data, '')) FROM leads",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(rounds, 1);
        let leads: i64 = copy
            .query_row("SELECT count(*) FROM leads", [], |row| row.get(0))
            .unwrap();
        assert_eq!(leads, 200);
    }
    writer.abort();
    assert_eq!(names(out.path()), ["0.db", "1.db", "2.db", "3.db", "4.db"]);
}

#[tokio::test]
async fn a_backup_restores_everything() {
    let dir = folder(50).await;
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("backup.db");
    let text = done(&program(&["backup"], &file, dir.path()));
    assert!(text.contains("backup.db"), "{text}");
    let database = dir.path().join("workspace.db");
    assert_eq!(content(&file), content(&database));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    let new = tempfile::tempdir().unwrap();
    let new = new.path().join("new");
    done(&program(&["restore"], &file, &new));
    assert_eq!(content(&new.join("workspace.db")), content(&database));
    assert_eq!(total(&start(&new, &[])), 50);
}

#[tokio::test]
async fn a_restore_keeps_the_old_data_and_replaces_the_start_key() {
    let dir = folder(30).await;
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("backup.db");
    let running = start(dir.path(), &[]);
    let key = running.key.clone();
    done(&program(&["backup"], &file, dir.path()));
    let query = running
        .call("POST", "/api/leads/query", &json!({"page_size": 1}))
        .1;
    let lead = query["data"][0]["lead_id"].as_str().unwrap().to_owned();
    assert_eq!(
        running
            .call("DELETE", &format!("/api/leads/{lead}"), &Value::Null)
            .0,
        204
    );
    let message = failed(&program(&["restore"], &file, dir.path()));
    assert!(
        message.contains("in use") && message.contains("Nothing was changed"),
        "{message}"
    );
    assert_eq!(total(&running), 29);
    // Killed, so that the newest changes are only in the write-ahead log.
    drop(running);

    let text = done(&program(&["restore"], &file, dir.path()));
    let kept = text
        .split_whitespace()
        .find(|word| word.contains("before-restore"))
        .unwrap();
    let kept = PathBuf::from(kept.trim_end_matches('.'));
    let leads = "SELECT count(*) FROM leads";
    let old: i64 = rusqlite::Connection::open(&kept)
        .unwrap()
        .query_row(leads, [], |row| row.get(0))
        .unwrap();
    assert_eq!(old, 29);
    assert!(!dir.path().join("start-key").exists());
    let mut running = start(dir.path(), &[]);
    assert_eq!(total(&running), 30);
    assert_ne!(running.key, key);
    running.key = key;
    assert_eq!(running.call("POST", "/api/leads/query", &json!({})).0, 401);
}

#[tokio::test]
async fn what_is_no_backup_is_not_restored() {
    let dir = folder(20).await;
    let out = tempfile::tempdir().unwrap();
    let path = |name: &str| out.path().join(name);
    done(&program(&["backup"], &path("good"), dir.path()));
    fs::write(
        path("text"),
        "not a database at all, but long enough to look at".repeat(100),
    )
    .unwrap();
    rusqlite::Connection::open(path("foreign"))
        .unwrap()
        .execute_batch("CREATE TABLE notes (text)")
        .unwrap();
    fs::copy(path("good"), path("newer")).unwrap();
    rusqlite::Connection::open(path("newer"))
        .unwrap()
        .execute_batch("PRAGMA user_version = 999")
        .unwrap();
    let mut half = fs::read(path("good")).unwrap();
    half.truncate(half.len() / 2);
    fs::write(path("half"), half).unwrap();
    fs::write(path("empty"), "").unwrap();
    let before = content(&dir.path().join("workspace.db"));
    for (name, problem) in [
        ("missing", "there is no file"),
        ("text", "damaged"),
        ("foreign", "another program"),
        ("newer", "newer version"),
        ("half", "damaged"),
        ("empty", "is empty"),
    ] {
        let message = failed(&program(&["restore"], &path(name), dir.path()));
        assert!(message.contains(problem), "{name}: {message}");
        let file = path(name).display().to_string();
        assert!(message.contains(&file), "{name}: {message}");
        assert_eq!(content(&dir.path().join("workspace.db")), before, "{name}");
        let left = names(dir.path());
        assert!(
            !left
                .iter()
                .any(|name| name.contains("partial") || name.contains("before")),
            "{left:?}"
        );
    }
}

#[tokio::test]
async fn a_backup_never_replaces_what_it_must_not() {
    let dir = folder(5).await;
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("backup.db");
    fs::write(&file, "precious").unwrap();
    let message = failed(&program(&["backup"], &file, dir.path()));
    assert!(
        message.contains("--overwrite") && message.contains("unchanged"),
        "{message}"
    );
    assert_eq!(fs::read(&file).unwrap(), b"precious");
    done(&program(&["backup", "--overwrite"], &file, dir.path()));
    assert_eq!(content(&file), content(&dir.path().join("workspace.db")));
    for target in [
        dir.path().join("workspace.db"),
        out.path().to_owned(),
        out.path().join("no/file.db"),
    ] {
        failed(&program(&["backup", "--overwrite"], &target, dir.path()));
    }
    #[cfg(unix)]
    {
        let link = out.path().join("link.db");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let message = failed(&program(&["backup", "--overwrite"], &link, dir.path()));
        assert!(message.contains("a link or a device"), "{message}");
        fs::remove_file(link).unwrap();
    }
    let nothing = tempfile::tempdir().unwrap();
    let message = failed(&program(
        &["backup"],
        &out.path().join("x.db"),
        nothing.path(),
    ));
    assert!(message.contains("no workspace"), "{message}");
    assert_eq!(names(out.path()), ["backup.db"]);
    assert!(names(nothing.path()).is_empty());
}

/// Waits for a condition that the service fulfils by itself.
fn wait_for(condition: impl Fn() -> bool) {
    while !condition() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[tokio::test]
async fn backups_are_written_by_schedule_and_old_ones_deleted() {
    let dir = folder(5).await;
    let out = tempfile::tempdir().unwrap();
    let to = out.path().join("backups");
    fs::create_dir(&to).unwrap();
    for day in 1..=3 {
        fs::write(to.join(format!("workspace-2020010{day}T000000Z.db")), "").unwrap();
    }
    fs::write(to.join("mine.db"), "").unwrap();
    let folder = to.to_str().unwrap();
    let arguments = [
        "--backup-to",
        folder,
        "--backup-every",
        "24h",
        "--backup-keep",
        "2",
    ];
    let running = start(dir.path(), &arguments);
    // With the lock file.
    wait_for(|| names(&to).len() == 4);
    let left = names(&to);
    assert_eq!(left[..2], ["mine.db", "workspace-20200103T000000Z.db"]);
    let copy = rusqlite::Connection::open(to.join(&left[2])).unwrap();
    let leads: i64 = copy
        .query_row("SELECT count(*) FROM leads", [], |row| row.get(0))
        .unwrap();
    assert_eq!(leads, 5);
    drop(running);
    // The next is due a day after this one, so a restart writes none.
    let running = start(dir.path(), &arguments);
    assert_eq!(total(&running), 5);
    assert_eq!(names(&to), left);
}

/// Nobody can create a file in this folder, not even root.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_failed_backup_is_logged_and_the_service_goes_on() {
    use std::io::{BufRead, BufReader};
    let dir = folder(5).await;
    let mut running = start(dir.path(), &["--backup-to", "/proc/self/task"]);
    let mut lines = BufReader::new(running.child.stderr.take().unwrap()).lines();
    let line = lines.find(|line| line.as_ref().unwrap().contains("scheduled backup"));
    let line = line.unwrap().unwrap();
    assert!(
        line.contains("failed") && line.contains("are kept"),
        "{line}"
    );
    assert_eq!(
        running.call("GET", "/api/leads/facets", &Value::Null).0,
        200
    );
}

#[tokio::test]
async fn a_folder_of_backups_belongs_to_one_service() {
    let (first, second) = (folder(5).await, folder(3).await);
    let out = tempfile::tempdir().unwrap();
    let arguments = ["--backup-to", out.path().to_str().unwrap()];
    let running = start(first.path(), &arguments);
    let message = program::refused(second.path(), &arguments);
    let pid = running.child.id().to_string();
    for part in [&*pid, "--backup-to", "Nothing was changed"] {
        assert!(message.contains(part), "{message}");
    }
    drop(running);
    start(second.path(), &arguments);
}
