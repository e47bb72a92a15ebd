//! `doctor` as a program: its output and its exit code. Its checks are tested in `store/doctor/tests.rs`.

use lead_workspace_service::Store;

use crate::common::done;
use crate::program::run;

#[test]
fn the_exit_code_says_whether_something_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    let doctor = |option: &[&str]| run(&[&["doctor"], option].concat(), dir.path());
    let text = done(&doctor(&[]));
    assert!(text.contains("Nothing is wrong"), "{text}");

    let database = rusqlite::Connection::open(dir.path().join("workspace.db")).unwrap();
    let damage = "PRAGMA foreign_keys = OFF;
      INSERT INTO leads (tenant, lead_id, account, created_at) VALUES (1, 'l', 9, '')";
    database.execute_batch(damage).unwrap();
    drop(database);
    let bad = doctor(&[]);
    let text = String::from_utf8(bad.stdout).unwrap();
    assert_eq!(bad.status.code(), Some(1));
    assert!(
        text.contains("problem: references") && text.contains("doctor --fix"),
        "{text}"
    );

    let json = doctor(&["--json"]);
    assert_eq!(json.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["healthy"], false);
    assert_eq!(json["findings"][0]["check"], "foreign_keys");
    assert_eq!(json["findings"][0]["level"], "problem");
    assert_eq!(json["findings"][0]["fixable"], true);

    let text = done(&doctor(&["--fix"]));
    assert!(
        text.contains("repaired: ") && text.contains("before-fix"),
        "{text}"
    );
    done(&doctor(&[]));
}
