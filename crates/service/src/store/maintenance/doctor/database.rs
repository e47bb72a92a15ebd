//! Checks of the database as a whole: whose it is, its version, its structure.

use rusqlite::Connection;

use super::{APPLICATION_ID, Check, Finding, StoreError, functions, pragma, schema};

/// Most messages of SQLite that are shown.
const SHOWN: usize = 5;

/// Checks the application id; returns whether the database is ours.
pub(super) fn identity(
    connection: &Connection,
    findings: &mut Vec<Finding>,
) -> Result<bool, StoreError> {
    if pragma(connection, "application_id")? == APPLICATION_ID {
        return Ok(true);
    }
    let is_empty: bool =
        connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| {
            row.get(0)
        })?;
    if is_empty {
        findings.push(Finding::problem(
            Check::ApplicationId,
            "workspace.db is empty",
            "restore the newest backup with `restore`; or pass another folder with --data",
        ));
        return Ok(false);
    }
    let sql = "SELECT count(*) = 3 FROM sqlite_schema WHERE type = 'table'
               AND name IN ('tenants', 'leads', 'api_keys')";
    let has_our_tables: bool = connection.query_row(sql, [], |row| row.get(0))?;
    findings.push(if has_our_tables {
        Finding::fixable(
            Check::ApplicationId,
            "the database does not say that it belongs to lead-workspace, but has its tables",
            "it sets the application id",
        )
    } else {
        Finding::problem(
            Check::ApplicationId,
            "workspace.db is a database of another program",
            "pass another folder with --data, or move the file away and restore a backup",
        )
    });
    Ok(false)
}

/// Checks the version; returns whether it is the newest.
pub(super) fn version(
    connection: &Connection,
    findings: &mut Vec<Finding>,
) -> Result<bool, StoreError> {
    let (found, known) = (pragma(connection, "user_version")?, schema::known());
    if found > known {
        findings.push(Finding::problem(
            Check::SchemaVersion,
            format!("the schema has version {found}, and this program knows {known}"),
            "update lead-workspace",
        ));
    } else if found < known {
        findings.push(Finding {
            fixable: true,
            ..Finding::note(
                Check::SchemaVersion,
                format!("the schema has version {found}, and the newest is {known}"),
                "the next start or --fix migrates it, and keeps a copy as it was before",
            )
        });
    }
    Ok(found == known)
}

pub(super) fn integrity(
    connection: &Connection,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let problems = integrity_problems(connection)?;
    if problems.is_empty() {
        return Ok(());
    }
    let more = problems.len().saturating_sub(SHOWN);
    let mut text = problems[..problems.len().min(SHOWN)].join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    findings.push(Finding {
        advice: "stop the service, then run doctor --fix: it keeps a copy and builds the indexes anew. If \
                  this does not help, restore the newest backup with `restore`"
            .into(),
        ..Finding::fixable(Check::Integrity, format!("the database is damaged: {text}"), "")
    });
    Ok(())
}

fn integrity_problems(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut select = connection.prepare("PRAGMA integrity_check")?;
    let rows = select.query_map([], |row| row.get(0))?;
    let mut problems: Vec<String> = rows.collect::<Result<_, _>>()?;
    problems.retain(|problem| problem != "ok");
    Ok(problems)
}

/// Finds tables and indexes that are missing or different from those of a new database. Returns whether no index is.
pub(super) fn objects(
    connection: &Connection,
    findings: &mut Vec<Finding>,
) -> Result<bool, StoreError> {
    let mut tables = Vec::new();
    let mut others = Vec::new();
    let found = schema::definitions(connection)?;
    for (name, (kind, sql)) in schema::definitions(&fresh()?)? {
        if found.get(&name).is_none_or(|(_, found)| *found != sql) {
            if kind == "table" {
                &mut tables
            } else {
                &mut others
            }
            .push(name);
        }
    }
    let has_indexes = others.is_empty();
    if !tables.is_empty() {
        findings.push(Finding::problem(
            Check::SchemaObjects,
            format!("tables are missing or different: {}", tables.join(", ")),
            "restore the newest backup with `restore`",
        ));
    }
    if !others.is_empty() {
        let text = format!("indexes are missing or different: {}", others.join(", "));
        findings.push(Finding::fixable(
            Check::SchemaObjects,
            text,
            "it creates them",
        ));
    }
    Ok(has_indexes)
}

/// A new database, in memory.
pub(super) fn fresh() -> Result<Connection, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    functions::add(&connection)?;
    schema::migrate(&mut connection, std::path::Path::new(""))?;
    Ok(connection)
}
