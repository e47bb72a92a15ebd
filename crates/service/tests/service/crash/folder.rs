//! A data folder that survives the program, and the rules that it must follow after every crash.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use tempfile::{NamedTempFile, TempDir};

use super::clients::Clients;
use super::server::Server;
use crate::program::{Running, command, try_start};

/// A trigger records every score that a job writes, because a second write would otherwise replace
/// the first one unnoticed.
const WATCH: &str = "
    CREATE TABLE watched_scores (lead INTEGER, list_id TEXT, job_id TEXT);
    CREATE TRIGGER watch_scores AFTER INSERT ON lead_scores WHEN new.job_id IS NOT NULL BEGIN
      INSERT INTO watched_scores VALUES (new.lead, new.list_id, new.job_id);
    END;";

/// Each selects rows that must not exist while no job and no import runs.
const RULES: &[(&str, &str)] = &[
    (
        "imports that did not end",
        "SELECT import_job_id FROM import_jobs WHERE finished_at IS NULL",
    ),
    (
        "jobs that did not succeed",
        "SELECT job_id, status, error FROM jobs WHERE status <> 'succeeded'",
    ),
    (
        "jobs whose progress is not complete",
        "SELECT job_id FROM jobs WHERE done <> total",
    ),
    (
        "targets of jobs that have ended",
        "SELECT job FROM job_targets",
    ),
    (
        "scores that were written twice",
        "SELECT job_id, lead, list_id FROM watched_scores GROUP BY 1, 2, 3 HAVING count(*) > 1",
    ),
    (
        "jobs that scored more or fewer leads than they say",
        "SELECT job_id FROM jobs WHERE kind = 'score_leads'
         AND done <> (SELECT count(DISTINCT lead) FROM watched_scores WHERE watched_scores.job_id = jobs.job_id)",
    ),
];

pub struct Folder {
    dir: TempDir,
    /// What the program prints to stderr. It is elsewhere, so that the folder may be full.
    log: NamedTempFile,
}

impl Folder {
    /// A folder with demo leads, whose scores are watched.
    pub fn demo(leads: u64) -> Self {
        let folder = Self::empty();
        folder.fill(leads);
        folder
    }

    /// Fills an empty folder with demo leads, whose scores are watched.
    pub fn fill(&self, leads: u64) {
        drop(self.start(&["--demo", &leads.to_string()]));
        self.connection().execute_batch(WATCH).unwrap();
    }

    pub fn empty() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            log: NamedTempFile::new().unwrap(),
        }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn start(&self, arguments: &[&str]) -> Running {
        self.try_start(arguments, None)
            .unwrap_or_else(|message| panic!("{message}"))
    }

    /// Starts the program, with a point at which it ends itself. Returns what it printed if it
    /// ended before it was ready.
    pub fn try_start(
        &self,
        arguments: &[&str],
        failpoint: Option<&str>,
    ) -> Result<Running, String> {
        let mut command = command(self.path(), arguments);
        if let Some(failpoint) = failpoint {
            command.env("LEAD_WORKSPACE_FAILPOINT", failpoint);
        }
        self.try_run(command)
    }

    /// Like [`try_start`](Self::try_start), with a command of the caller.
    pub fn try_run(&self, mut command: Command) -> Result<Running, String> {
        // A file, because nothing reads a pipe while the program runs.
        command.stderr(std::fs::File::create(self.log.path()).unwrap());
        try_start(command).map_err(|line| line + &self.log())
    }

    /// What the program has logged since its last start.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }

    /// A connection beside the program.
    pub fn connection(&self) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection =
            Connection::open_with_flags(self.path().join("workspace.db"), flags).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        connection
    }

    pub fn open_jobs(&self) -> i64 {
        let open = "SELECT count(*) FROM jobs WHERE status IN ('queued', 'running')";
        count(&self.connection(), open)
    }

    /// Waits until the running program has ended all jobs.
    pub fn wait_for_jobs(&self) {
        let deadline = Instant::now() + Duration::from_secs(120);
        while self.open_jobs() > 0 {
            assert!(
                Instant::now() < deadline,
                "the jobs do not end\n{}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Checks everything after a restart, and forgets what was checked.
    pub fn check_after_restart(&self, clients: &mut Clients, service: &impl Server) {
        self.wait_for_jobs();
        clients.check(self, service);
        // The repeated imports have started jobs.
        self.wait_for_jobs();
        self.check();
        Clients::check_lists(self, service);
        // So that the next checks are fast.
        let forget = "DELETE FROM jobs; DELETE FROM watched_scores;";
        self.connection().execute_batch(forget).unwrap();
    }

    /// Checks the database and all rules. Jobs and imports must have ended.
    pub fn check(&self) {
        let connection = self.connection();
        is_sound(&connection);
        for (what, sql) in RULES {
            let found = rows(&connection, sql);
            assert!(found.is_empty(), "{what}: {found:?}\n{}", self.log());
        }
    }
}

/// Checks what SQLite itself can check.
pub fn is_sound(connection: &Connection) {
    assert_eq!(rows(connection, "PRAGMA integrity_check"), ["ok"]);
    assert_eq!(
        rows(connection, "PRAGMA foreign_key_check"),
        Vec::<String>::new()
    );
}

pub fn count(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The rows of a query as text, at most ten.
fn rows(connection: &Connection, sql: &str) -> Vec<String> {
    let mut select = connection.prepare(sql).unwrap();
    let columns = select.column_count();
    let text = |row: &rusqlite::Row<'_>| {
        let values = (0..columns).map(|column| {
            let value: rusqlite::types::Value = row.get(column)?;
            Ok(match value {
                rusqlite::types::Value::Text(text) => text,
                other => format!("{other:?}"),
            })
        });
        Ok(values.collect::<rusqlite::Result<Vec<_>>>()?.join(" "))
    };
    let rows = select.query_map([], text).unwrap();
    rows.take(10).map(Result::unwrap).collect()
}
