//! Examines a data folder, and repairs what can be repaired without losing data.

mod database;
mod files;
mod jobs;
mod repair;
mod rows;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;

use crate::store::error::StoreError;
use crate::store::sqlite::copy::database_bytes;
use crate::store::sqlite::disk::{DATABASE_FILE, has_database};
use crate::store::sqlite::lock::FolderLock;
use crate::store::sqlite::pragmas::{APPLICATION_ID, pragma};
use crate::store::sqlite::{functions, open, schema};

/// What is examined. A finding names its check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    Folder,
    Lock,
    Permissions,
    DiskSpace,
    PartialFiles,
    ApplicationId,
    SchemaVersion,
    WriteAheadLog,
    Integrity,
    SchemaObjects,
    ForeignKeys,
    Jobs,
    Imports,
    Keys,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Good to know; nothing is wrong.
    Note,
    /// Something is wrong.
    Problem,
    /// Something was wrong, and is repaired.
    Repaired,
}

#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub check: Check,
    pub level: Level,
    /// What was found.
    pub text: String,
    /// What to do about it.
    pub advice: String,
    /// Whether `--fix` repairs it.
    pub fixable: bool,
}

impl Finding {
    fn note(check: Check, text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            check,
            level: Level::Note,
            text: text.into(),
            advice: advice.into(),
            fixable: false,
        }
    }

    fn problem(check: Check, text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            level: Level::Problem,
            ..Self::note(check, text, advice)
        }
    }

    /// A problem that `--fix` repairs.
    fn fixable(check: Check, text: impl Into<String>, advice: &str) -> Self {
        Self {
            fixable: true,
            ..Self::problem(
                check,
                text,
                format!("stop the service, then run doctor --fix: {advice}"),
            )
        }
    }
}

/// The outcome of an examination.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// Whether nothing is wrong, or everything is repaired.
    pub healthy: bool,
    pub findings: Vec<Finding>,
    /// The copy of the database that was kept before it was repaired.
    pub copy: Option<PathBuf>,
}

impl Diagnosis {
    fn new(findings: Vec<Finding>, copy: Option<PathBuf>) -> Self {
        Self {
            healthy: findings
                .iter()
                .all(|finding| finding.level != Level::Problem),
            findings,
            copy,
        }
    }
}

/// Examines a folder. Changes nothing, and works while a service is running.
pub fn examine(dir: &Path) -> Diagnosis {
    Diagnosis::new(findings(dir), None)
}

/// Examines a folder, repairs what can be repaired, and examines it again. Before the content of the
/// database is repaired, a copy of it is kept in the folder.
///
/// # Errors
/// When the folder cannot be written, or the repair failed. What was repaired before stays repaired.
pub fn fix(dir: &Path) -> Result<Diagnosis, StoreError> {
    let before = findings(dir);
    let mut copy = None;
    // What a first round repairs can uncover more: the rows of a folder of an earlier version are
    // examined only after its migration.
    let mut round = before.clone();
    for _ in 0..3 {
        if !round.iter().any(|finding| finding.fixable) {
            break;
        }
        repair::repair(dir, &round, &mut copy)?;
        round = findings(dir);
    }
    let mut all = round;
    let repaired = before.into_iter().filter(|old| {
        old.fixable
            && !all
                .iter()
                .any(|new| new.check == old.check && new.level == Level::Problem)
    });
    let repaired: Vec<Finding> = repaired
        .map(|finding| Finding {
            level: Level::Repaired,
            ..finding
        })
        .collect();
    all.retain(|new| !repaired.iter().any(|old| old.check == new.check));
    all.extend(repaired);
    all.sort_by_key(|finding| finding.check);
    Ok(Diagnosis::new(all, copy))
}

fn findings(dir: &Path) -> Vec<Finding> {
    let path = dir.join(DATABASE_FILE);
    let missing = match has_database(dir) {
        Ok(true) => None,
        Ok(false) => Some(Finding::problem(
            Check::Folder,
            format!("there is no workspace in the folder {}", dir.display()),
            "pass the data folder of the service with --data, or restore a backup into it",
        )),
        Err(_) => Some(Finding::problem(
            Check::Permissions,
            format!("no permission to read the folder {}", dir.display()),
            "run doctor as the user of the service, or as root",
        )),
    };
    if let Some(missing) = missing {
        return vec![missing];
    }
    let mut findings = Vec::new();
    let is_running = files::lock(dir, &mut findings);
    files::permissions(dir, &mut findings);
    files::partial(dir, is_running, &mut findings);
    if let Err(error) = of_database(dir, &path, is_running, &mut findings) {
        findings.push(Finding::problem(
            Check::Integrity,
            format!("the database cannot be read: {error}"),
            "restore the newest backup with `restore`; it keeps the damaged data aside",
        ));
    }
    findings.sort_by_key(|finding| finding.check);
    findings
}

fn of_database(
    dir: &Path,
    path: &Path,
    is_running: bool,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let connection = open::read_only(path)?;
    // All statements see the same state, even while a service is running.
    let state = connection.unchecked_transaction()?;
    files::disk_space(dir, database_bytes(&state)?, findings);
    files::write_ahead_log(path, is_running, findings);
    if !database::identity(&state, findings)? {
        return Ok(());
    }
    database::integrity(&state, findings)?;
    if !database::version(&state, findings)? {
        return Ok(());
    }
    let has_indexes = database::objects(&state, findings)?;
    rows::texts(&state, findings)?;
    // SQLite finds the rows that others refer to by unique indexes, and fails without them.
    if has_indexes {
        rows::foreign_keys(&state, findings)?;
    }
    jobs::jobs(&state, is_running, Timestamp::now(), findings)?;
    jobs::imports(&state, is_running, findings)?;
    jobs::keys(&state, findings)?;
    Ok(())
}

#[cfg(test)]
mod tests;
