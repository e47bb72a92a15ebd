//! Each finding: a folder is damaged, examined, and mended if it can be.

use std::fs;
use std::path::Path;

use lead_workspace_api::{LeadQuery, LeadScoring};
use rusqlite::Connection;

use super::files::little_space;
use super::{Check, Diagnosis, Level, examine, fix};
use crate::store::{DATABASE_FILE, Filters, Store, Tenant, functions, job_queue, keys, schema};

/// A folder with two workspaces of leads, accounts and lists, and no service.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    sql(
        dir.path(),
        "INSERT INTO tenants (tenant, tenant_id, name, created_at) VALUES (2, 'other', 'other', '');
         INSERT INTO accounts (id, tenant, account_id, created_at) VALUES (1, 1, 'acme', ''), (2, 2, 'b', '');
         INSERT INTO leads (id, tenant, lead_id, account, name_key, search_key, created_at) VALUES
           (1, 1, 'anna', 1, 'anna muller', 'anna muller', ''), (2, 1, 'berta', 1, 'berta', 'berta', ''),
           (3, 2, 'carl', 2, 'carl', 'carl', '');
         INSERT INTO lists VALUES (1, 'list', 'List', 0, '');
         INSERT INTO list_items VALUES (1, 1, 'list', 'item', '');
         INSERT INTO lead_scores VALUES (1, 1, 'list', 81.5, 'B', '', '', NULL);",
    );
    dir
}

/// Changes a database behind the program's back: without triggers, foreign keys and locks.
fn sql(dir: &Path, sql: &str) {
    let connection = Connection::open(dir.join(DATABASE_FILE)).unwrap();
    functions::add(&connection).unwrap();
    connection
        .execute_batch("PRAGMA foreign_keys = OFF")
        .unwrap();
    connection.execute_batch(sql).unwrap();
}

fn value(dir: &Path, sql: &str) -> i64 {
    let connection = Connection::open(dir.join(DATABASE_FILE)).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The findings that are not notes, by check.
fn wrong(diagnosis: &Diagnosis) -> Vec<(Check, Level)> {
    let findings = diagnosis.findings.iter();
    let wrong = findings.filter(|finding| finding.level != Level::Note);
    wrong
        .map(|finding| (finding.check, finding.level))
        .collect()
}

/// Checks that a damage is found, that `fix` mends it, and that all leads are still there.
fn is_mended(dir: &Path, check: Check) -> Diagnosis {
    let found = examine(dir);
    assert!(!found.healthy, "{found:?}");
    assert!(
        wrong(&found).contains(&(check, Level::Problem)),
        "{found:?}"
    );
    for finding in &found.findings {
        assert!(!finding.way_out.is_empty(), "{finding:?}");
    }
    assert_eq!(
        wrong(&examine(dir)),
        wrong(&found),
        "an examination changed something"
    );
    let fixed = fix(dir).unwrap();
    assert!(fixed.healthy, "{fixed:?}");
    assert!(wrong(&fixed).contains(&(check, Level::Mended)), "{fixed:?}");
    assert_eq!(wrong(&examine(dir)), []);
    let leads = "SELECT count(*) FROM leads WHERE lead_id IN ('anna', 'berta', 'carl')";
    assert_eq!(value(dir, leads), 3);
    fixed
}

#[test]
fn a_good_folder_has_no_findings() {
    let dir = folder();
    let diagnosis = examine(dir.path());
    assert!(
        diagnosis.healthy && diagnosis.findings.is_empty(),
        "{diagnosis:?}"
    );
    assert!(fix(dir.path()).unwrap().findings.is_empty());
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        2,
        "a copy was made"
    );
}

#[test]
fn a_folder_without_a_workspace_is_reported_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    for diagnosis in [examine(dir.path()), fix(dir.path()).unwrap()] {
        assert_eq!(wrong(&diagnosis), [(Check::Folder, Level::Problem)]);
        assert!(diagnosis.findings[0].way_out.contains("--data"));
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn the_holder_of_the_lock_is_named_and_nothing_is_mended_beside_it() {
    let dir = folder();
    sql(dir.path(), "DELETE FROM status_counts");
    let store = Store::open(dir.path()).unwrap();
    let found = examine(dir.path());
    let lock = &found.findings[0];
    assert_eq!((lock.check, lock.level), (Check::Lock, Level::Note));
    assert!(
        lock.text.contains(&std::process::id().to_string()),
        "{lock:?}"
    );
    let error = fix(dir.path()).unwrap_err();
    assert!(error.to_string().contains("in use"), "{error}");
    assert_eq!(value(dir.path(), "SELECT count(*) FROM status_counts"), 0);
    drop(store);
    is_mended(dir.path(), Check::Counters);
}

#[cfg(unix)]
#[test]
fn permissions_are_mended() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let path = dir.path().join(DATABASE_FILE);
    for mode in [0o644, 0o400] {
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        is_mended(dir.path(), Check::Permissions);
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}

#[test]
fn little_disk_space_is_reported() {
    const GB: u64 = 1 << 30;
    assert!(little_space(10 * GB, GB).is_none());
    let note = little_space(10 * GB, 6 * GB).unwrap();
    assert!(
        note.level == Level::Note && note.way_out.contains("update"),
        "{note:?}"
    );
    let problem = little_space(100 << 20, 1 << 20).unwrap();
    assert!(
        problem.level == Level::Problem && problem.text.contains("100 MB"),
        "{problem:?}"
    );
}

#[test]
fn interrupted_copies_are_deleted() {
    let dir = folder();
    let partial = dir.path().join(format!("{DATABASE_FILE}-17.partial"));
    fs::write(&partial, "half").unwrap();
    fs::set_permissions(
        &partial,
        fs::metadata(dir.path().join(DATABASE_FILE))
            .unwrap()
            .permissions(),
    )
    .unwrap();
    is_mended(dir.path(), Check::PartialFiles);
    assert!(!partial.exists());
}

#[test]
fn a_lost_application_id_is_set_again() {
    let dir = folder();
    sql(dir.path(), "PRAGMA application_id = 0");
    is_mended(dir.path(), Check::ApplicationId);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    sql(dir.path(), "CREATE TABLE notes (text)");
    let before = fs::read(dir.path().join(DATABASE_FILE)).unwrap();
    let diagnosis = examine(dir.path());
    assert!(
        wrong(&diagnosis).contains(&(Check::ApplicationId, Level::Problem)),
        "{diagnosis:?}"
    );
    assert!(
        !diagnosis
            .findings
            .iter()
            .any(|finding| finding.check == Check::ApplicationId && finding.fixable)
    );
    assert_eq!(fs::read(dir.path().join(DATABASE_FILE)).unwrap(), before);
}

#[test]
fn an_older_schema_is_migrated_and_a_newer_one_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    sql(dir.path(), include_str!("../schema/released/1.sql"));
    let found = examine(dir.path());
    let version = found
        .findings
        .iter()
        .find(|finding| finding.check == Check::SchemaVersion);
    assert!(
        version.is_some_and(|finding| finding.level == Level::Note),
        "{found:?}"
    );
    assert!(fix(dir.path()).unwrap().healthy);
    assert_eq!(value(dir.path(), "PRAGMA user_version"), schema::known());
    assert_eq!(value(dir.path(), "SELECT count(*) FROM leads"), 3);

    sql(dir.path(), "PRAGMA user_version = 999");
    let newer = fix(dir.path()).unwrap();
    assert_eq!(wrong(&newer), [(Check::SchemaVersion, Level::Problem)]);
    assert!(
        newer
            .findings
            .iter()
            .any(|finding| finding.way_out.contains("update"))
    );
}

#[test]
fn a_long_log_is_moved_into_the_database() {
    let dir = folder();
    let log = dir.path().join(format!("{DATABASE_FILE}-wal"));
    let file = fs::File::create(&log).unwrap();
    file.set_len(301 << 20).unwrap();
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .unwrap();
    drop(file);
    is_mended(dir.path(), Check::WriteAheadLog);
    assert!(fs::metadata(&log).map_or(0, |file| file.len()) < 1 << 20);
}

/// Overwrites a text in a page of the database.
fn overwrite(dir: &Path, page: i64, from: &[u8], to: &[u8]) {
    let size = usize::try_from(value(dir, "PRAGMA page_size")).unwrap();
    let path = dir.join(DATABASE_FILE);
    let mut bytes = fs::read(&path).unwrap();
    let start = (usize::try_from(page).unwrap() - 1) * size;
    let page = &mut bytes[start..start + size];
    let at = page
        .windows(from.len())
        .position(|part| part == from)
        .unwrap();
    page[at..at + to.len()].copy_from_slice(to);
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_index_is_built_anew_and_a_copy_is_kept() {
    let dir = folder();
    let page = value(
        dir.path(),
        "SELECT rootpage FROM sqlite_schema WHERE name = 'leads_by_name'",
    );
    overwrite(dir.path(), page, b"berta", b"zerta");
    let fixed = is_mended(dir.path(), Check::Integrity);
    let copy = fixed.copy.unwrap();
    assert!(
        copy.to_str().unwrap().contains("before-fix"),
        "{}",
        copy.display()
    );
    let copy = Connection::open(copy).unwrap();
    let leads: i64 = copy
        .query_row("SELECT count(*) FROM leads NOT INDEXED", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(leads, 3);
}

#[test]
fn damage_that_cannot_be_mended_says_so() {
    let dir = folder();
    let path = dir.path().join(DATABASE_FILE);
    let mut bytes = fs::read(&path).unwrap();
    bytes[..16].copy_from_slice(b"not a database!!");
    fs::write(&path, &bytes).unwrap();
    let found = examine(dir.path());
    assert!(
        wrong(&found).contains(&(Check::Integrity, Level::Problem)),
        "{found:?}"
    );
    assert!(
        found
            .findings
            .iter()
            .any(|finding| finding.way_out.contains("restore"))
    );
    assert!(!fix(dir.path()).unwrap().healthy);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn missing_indexes_and_triggers_are_created() {
    let dir = folder();
    sql(
        dir.path(),
        "DROP INDEX leads_by_name; DROP TRIGGER leads_decided;
         UPDATE leads SET approval_status = 'approved' WHERE id = 1",
    );
    let fixed = is_mended(dir.path(), Check::SchemaObjects);
    assert!(
        wrong(&fixed).contains(&(Check::Counters, Level::Mended)),
        "{fixed:?}"
    );
    let approved =
        "SELECT leads FROM status_counts WHERE tenant = 1 AND approval_status = 'approved'";
    assert_eq!(value(dir.path(), approved), 1);
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
fn references_that_lead_nowhere_are_mended() {
    let dir = folder();
    // A lead whose account is missing, a list item without its list, a workspace that is missing.
    sql(
        dir.path(),
        "DELETE FROM accounts WHERE id = 1; DELETE FROM lists; DELETE FROM tenants WHERE tenant = 2",
    );
    is_mended(dir.path(), Check::ForeignKeys);
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
fn wrong_counts_are_counted_again() {
    let dir = folder();
    for damage in [
        "UPDATE status_counts SET leads = 7 WHERE tenant = 1",
        "INSERT INTO status_counts VALUES (2, 'approved', 1)",
        "UPDATE accounts SET lead_count = 0 WHERE id = 1",
    ] {
        sql(dir.path(), damage);
        is_mended(dir.path(), Check::Counters);
        let right = "SELECT (SELECT leads FROM status_counts WHERE tenant = 1) * 10
                     + (SELECT lead_count FROM accounts WHERE id = 1)";
        assert_eq!(value(dir.path(), right), 22, "{damage}");
    }
}

#[tokio::test]
async fn the_search_index_is_built_anew() {
    let dir = folder();
    sql(
        dir.path(),
        "DELETE FROM leads_search WHERE rowid = 1;
         INSERT INTO leads_search (rowid, terms) VALUES (77, '1ann 1nna ')",
    );
    is_mended(dir.path(), Check::SearchIndex);
    let store = Store::open(dir.path()).unwrap();
    let query = LeadQuery {
        search: Some("anna".into()),
        ..LeadQuery::default()
    };
    let page = store
        .query_leads(Tenant(1), Filters::default(), query)
        .await;
    assert_eq!(page.unwrap().total, Some(1));
}

#[test]
fn a_job_without_its_import_is_queued() {
    let dir = folder();
    sql(
        dir.path(),
        "INSERT INTO jobs (tenant, job_id, workflow_id, kind, payload, status, created_at, updated_at)
         VALUES (1, 'job', 'w', 'score_leads', '{\"not_found\":[]}', 'collecting', '', '')",
    );
    is_mended(dir.path(), Check::Jobs);
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
        note.check == Check::Jobs && note.way_out.contains("start the service"),
        "{note:?}"
    );
}

#[tokio::test]
async fn a_stuck_job_is_reported_beside_a_running_service() {
    let dir = folder();
    let store = Store::open(dir.path()).unwrap();
    let take = |connection: &Connection| {
        job_queue::enqueue_lead_scoring(connection, Tenant(1), &LeadScoring::default())?;
        job_queue::lease(connection, 1)
    };
    store.write(take).await.unwrap().unwrap();
    assert_eq!(wrong(&examine(dir.path())), []);
    let old = |connection: &Connection| {
        Ok(connection.execute(
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
            .any(|finding| finding.way_out.contains("restart"))
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
    is_mended(dir.path(), Check::Imports);
    let ended = "SELECT count(*) FROM import_jobs WHERE finished_at IS NOT NULL AND inserted = 1";
    assert_eq!(value(dir.path(), ended), 1);
}

#[test]
fn expired_keys_are_a_note() {
    let dir = folder();
    let connection = Connection::open(dir.path().join(DATABASE_FILE)).unwrap();
    keys::create(&connection, "old", &["default"]).unwrap();
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
            .any(|finding| finding.check == Check::Keys && finding.way_out.contains("keys create"))
    );
}
