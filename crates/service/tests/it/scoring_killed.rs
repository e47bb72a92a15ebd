//! A scoring job of the real program, killed repeatedly.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};

use super::program::start;

fn open_database(dir: &Path) -> Connection {
    let connection = Connection::open(dir.join("workspace.db")).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection
}

/// A trigger records every write of a score, because a second write would otherwise replace the
/// first one unnoticed.
const AUDIT: &str = "
    CREATE TABLE audit (lead INTEGER, list_id TEXT, job_id TEXT);
    CREATE TRIGGER audit_scores AFTER INSERT ON lead_scores BEGIN
      INSERT INTO audit VALUES (new.lead, new.list_id, new.job_id);
    END;";

#[test]
fn a_killed_job_resumes_and_scores_each_lead_once() {
    const LEADS: i64 = 2500;
    let dir = tempfile::tempdir().unwrap();
    let mut running = start(dir.path(), &["--demo", &LEADS.to_string()]);
    open_database(dir.path()).execute_batch(AUDIT).unwrap();
    let (status, started) = running.call("POST", "/api/leads/score", &json!({}));
    assert_eq!(status, 202);
    let job_id = started["job_id"].as_str().unwrap().to_owned();
    let path = format!("/api/jobs/{job_id}");
    let done = |connection: &Connection| -> i64 {
        connection
            .query_row("SELECT done FROM jobs", [], |row| row.get(0))
            .unwrap()
    };

    let (mut kills, mut resumed_after) = (0, Vec::new());
    // Kills at different times: during a step, during a commit, between two steps, right after the
    // start.
    for moment in [3_u64, 41, 17, 88, 1, 63, 29, 104, 9, 55, 131, 24] {
        let began = Instant::now();
        let before = done(&open_database(dir.path()));
        if before == LEADS {
            break;
        }
        while began.elapsed() < Duration::from_millis(moment) {
            std::hint::spin_loop();
        }
        running.child.kill().unwrap();
        running.child.wait().unwrap();
        kills += 1;
        let connection = open_database(dir.path());
        let left = done(&connection);
        let written: i64 = connection
            .query_row(
                "SELECT count(DISTINCT lead) FROM audit WHERE job_id = ?1",
                [&job_id],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(
            left, written,
            "progress and effects were not committed together"
        );
        drop(connection);

        running = start(dir.path(), &["--demo", &LEADS.to_string()]);
        let ready = Instant::now();
        let connection = open_database(dir.path());
        while done(&connection) == left && left < LEADS {
            assert!(
                ready.elapsed() < Duration::from_secs(30),
                "the job was not resumed"
            );
        }
        resumed_after.push(ready.elapsed());
    }
    assert!(kills >= 4, "the job ended after {kills} kills");
    let slowest = resumed_after.iter().max().unwrap();
    assert!(
        *slowest < Duration::from_secs(1),
        "resumed only after {slowest:?}"
    );

    let deadline = Instant::now() + Duration::from_secs(120);
    let job = loop {
        let (_, job) = running.call("GET", &path, &Value::Null);
        if job["status"] != "running" && job["status"] != "queued" {
            break job;
        }
        assert!(Instant::now() < deadline, "{job}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(job["status"], "succeeded", "{job}");
    assert_eq!(job["result"]["scored"], LEADS);
    let connection = open_database(dir.path());
    let count = |sql: &str| -> i64 {
        connection
            .query_row(sql, [&job_id], |row| row.get(0))
            .unwrap()
    };
    let twice = "SELECT count(*) FROM (SELECT 1 FROM audit WHERE job_id = ?1 GROUP BY lead, list_id HAVING count(*) > 1)";
    assert_eq!(count(twice), 0, "a score was written twice");
    assert_eq!(
        count("SELECT count(DISTINCT lead) FROM audit WHERE job_id = ?1"),
        LEADS
    );
    assert_eq!(
        count("SELECT count(DISTINCT lead) FROM lead_scores WHERE job_id = ?1"),
        LEADS
    );
}
