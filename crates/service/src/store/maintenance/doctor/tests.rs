//! Each finding: a folder is damaged, examined, and repaired if it can be.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::files::little_space;
use super::{Check, Diagnosis, Level, examine, fix};
use crate::store::handle::Store;
use crate::store::sqlite::disk::DATABASE_FILE;
use crate::store::sqlite::{functions, schema};

mod content;

/// A folder with two workspaces of leads, accounts and lists, and no service.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    sql(
        dir.path(),
        "INSERT INTO tenants (tenant, tenant_id, name, created_at) VALUES (2, 'other', 'other', '');
         INSERT INTO accounts (id, tenant, account_id, created_at) VALUES (1, 1, 'acme', ''), (2, 2, 'b', '');
         INSERT INTO leads (id, tenant, lead_id, account, name, email, created_at) VALUES
           (1, 1, 'anna', 1, 'anna muller', 'anna muller', ''), (2, 1, 'berta', 1, 'berta', 'berta', ''),
           (3, 2, 'carl', 2, 'carl', 'carl', '');
         INSERT INTO lists VALUES (1, 'list', 'List', 0, '');
         INSERT INTO list_items VALUES (1, 1, 'list', 'item', '');
         INSERT INTO lead_scores VALUES (1, 1, 'list', 81.5, 'B', '', '', NULL);",
    );
    dir
}

/// Changes a database behind the program's back: without foreign keys and locks.
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

/// Checks that a damage is found, that `fix` repairs it, and that all leads are still there.
fn is_repaired(dir: &Path, check: Check) -> Diagnosis {
    let found = examine(dir);
    assert!(!found.healthy, "{found:?}");
    assert!(
        wrong(&found).contains(&(check, Level::Problem)),
        "{found:?}"
    );
    for finding in &found.findings {
        assert!(!finding.advice.is_empty(), "{finding:?}");
    }
    assert_eq!(
        wrong(&examine(dir)),
        wrong(&found),
        "an examination changed something"
    );
    let fixed = fix(dir).unwrap();
    assert!(fixed.healthy, "{fixed:?}");
    assert!(
        wrong(&fixed).contains(&(check, Level::Repaired)),
        "{fixed:?}"
    );
    assert_eq!(wrong(&examine(dir)), []);
    let leads = "SELECT count(*) FROM leads WHERE lead_id IN ('anna', 'berta', 'carl')";
    assert_eq!(value(dir, leads), 3);
    fixed
}

fn copies(dir: &Path) -> usize {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| name.contains("before-fix")).count()
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
    let copies = copies(dir.path());
    assert_eq!(copies, 0);
}

#[test]
fn a_folder_without_a_workspace_is_reported_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    for diagnosis in [examine(dir.path()), fix(dir.path()).unwrap()] {
        assert_eq!(wrong(&diagnosis), [(Check::Folder, Level::Problem)]);
        assert!(diagnosis.findings[0].advice.contains("--data"));
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn the_holder_of_the_lock_is_named_and_nothing_is_repaired_beside_it() {
    let dir = folder();
    sql(dir.path(), "DELETE FROM lists");
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
    assert_eq!(value(dir.path(), "SELECT count(*) FROM list_items"), 1);
    drop(store);
    is_repaired(dir.path(), Check::ForeignKeys);
}

#[cfg(unix)]
#[test]
fn permissions_are_repaired() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let path = dir.path().join(DATABASE_FILE);
    for mode in [0o644, 0o400] {
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        is_repaired(dir.path(), Check::Permissions);
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
        note.level == Level::Note && note.advice.contains("update"),
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
    is_repaired(dir.path(), Check::PartialFiles);
    assert!(!partial.exists());
}

#[test]
fn a_lost_application_id_is_set_again() {
    let dir = folder();
    sql(dir.path(), "PRAGMA application_id = 0");
    is_repaired(dir.path(), Check::ApplicationId);
}

#[test]
fn an_empty_file_is_no_database_of_another_program() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(DATABASE_FILE), "").unwrap();
    let diagnosis = examine(dir.path());
    let finding = diagnosis.findings.iter();
    let mut finding = finding.filter(|finding| finding.check == Check::ApplicationId);
    let finding = finding.next().unwrap();
    assert!(
        finding.text.contains("is empty") && finding.advice.contains("restore"),
        "{finding:?}"
    );
}

/// References are examined once their index is there again.
#[test]
fn a_missing_index_of_references_is_created() {
    let dir = folder();
    sql(dir.path(), "DROP INDEX leads_key; DELETE FROM lists");
    let found = examine(dir.path());
    assert_eq!(wrong(&found), [(Check::SchemaObjects, Level::Problem)]);
    is_repaired(dir.path(), Check::SchemaObjects);
    assert_eq!(value(dir.path(), "SELECT count(*) FROM list_items"), 0);
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
    sql(
        dir.path(),
        include_str!("../../sqlite/schema/released/1.sql"),
    );
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
            .any(|finding| finding.advice.contains("update"))
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
    is_repaired(dir.path(), Check::WriteAheadLog);
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
        "SELECT rootpage FROM sqlite_schema WHERE name = 'leads_by_email'",
    );
    overwrite(dir.path(), page, b"berta", b"zerta");
    let fixed = is_repaired(dir.path(), Check::Integrity);
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
fn damage_that_cannot_be_repaired_says_so() {
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
            .any(|finding| finding.advice.contains("restore"))
    );
    assert!(!fix(dir.path()).unwrap().healthy);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}
