//! Checks of rows against each other: references, kept counts.

use rusqlite::Connection;

use super::{Check, Db, Finding, StoreError};

/// A number that the database keeps, and how to compare it with what it counts.
pub(super) struct Counter {
    name: &'static str,
    /// Counts the rows whose number is wrong.
    wrong: &'static str,
    /// Computes all of them anew.
    repair: &'static str,
}

const COUNTERS: &[Counter] = &[
    Counter {
        name: "leads per status",
        wrong: "WITH counted AS
                  (SELECT tenant, approval_status, count(*) AS leads FROM leads GROUP BY 1, 2),
                kept AS (SELECT * FROM status_counts WHERE leads <> 0)
                SELECT count(*) FROM (SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept)
                  UNION SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted))",
        repair: "DELETE FROM status_counts;
               INSERT INTO status_counts
               SELECT tenant, approval_status, count(*) FROM leads GROUP BY 1, 2;",
    },
    Counter {
        name: "leads per account",
        wrong: "SELECT count(*) FROM accounts a LEFT JOIN
                  (SELECT account, count(*) AS leads FROM leads
                   WHERE account IS NOT NULL GROUP BY 1) ON account = a.id
                WHERE a.lead_count <> coalesce(leads, 0)",
        repair: "UPDATE accounts SET lead_count = coalesce(counted.leads, 0)
               FROM (SELECT a.id, c.leads FROM accounts a LEFT JOIN
                       (SELECT account, count(*) AS leads FROM leads
                        WHERE account IS NOT NULL GROUP BY 1) c ON c.account = a.id) counted
               WHERE counted.id = accounts.id AND lead_count <> coalesce(counted.leads, 0);",
    },
];

fn count(connection: &Connection, sql: &str) -> rusqlite::Result<i64> {
    connection.query_row(sql, [], |row| row.get(0))
}

pub(super) fn counters(
    connection: &Connection,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    for counter in COUNTERS {
        let wrong = count(connection, counter.wrong)?;
        if wrong > 0 {
            let text = format!("{wrong} numbers of {} are wrong", counter.name);
            findings.push(Finding::fixable(Check::Counters, text, "it counts them"));
        }
    }
    Ok(())
}

/// Computes all kept counts anew.
pub(super) fn recount(db: Db<'_>) -> Result<(), StoreError> {
    COUNTERS
        .iter()
        .try_for_each(|counter| db.batch(counter.repair))
}

pub(super) fn foreign_keys(
    connection: &Connection,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let sql = "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2";
    let mut select = connection.prepare(sql)?;
    let rows = select.query_map([], |row| {
        let (table, parent): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(format!("{} of {table} to {parent}", row.get::<_, i64>(2)?))
    })?;
    let broken = rows.collect::<Result<Vec<_>, _>>()?;
    if !broken.is_empty() {
        findings.push(Finding::fixable(
            Check::ForeignKeys,
            format!("references lead nowhere: {}", broken.join(", ")),
            "it keeps a copy, gives leads and accounts without a workspace one named recovered-N, and \
             removes the other rows or their references",
        ));
    }
    Ok(())
}

/// A foreign key of a table, as `PRAGMA foreign_key_list` describes it.
struct ForeignKey {
    table: String,
    parent: String,
    /// Pairs of the column here and that in the parent.
    columns: Vec<(String, String)>,
    cascades: bool,
}

impl ForeignKey {
    /// The rows of the table whose parent does not exist.
    fn broken(&self) -> String {
        let (table, parent) = (&self.table, &self.parent);
        let set = |(from, _): &(String, String)| format!("{table}.{from} IS NOT NULL");
        let equal = |(from, to): &(String, String)| format!("p.{to} = {table}.{from}");
        let set = self.columns.iter().map(set).collect::<Vec<_>>();
        let equal = self.columns.iter().map(equal).collect::<Vec<_>>();
        format!(
            "{} AND NOT EXISTS (SELECT 1 FROM {parent} p WHERE {})",
            set.join(" AND "),
            equal.join(" AND ")
        )
    }
}

fn foreign_keys_of_all(connection: &Connection) -> rusqlite::Result<Vec<ForeignKey>> {
    let sql = "SELECT t.name, f.\"table\", f.id, f.\"from\",
                 coalesce(f.\"to\", (SELECT name FROM pragma_table_info(f.\"table\")
                                     WHERE pk = f.seq + 1)), f.on_delete = 'CASCADE'
               FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
               WHERE t.type = 'table' ORDER BY t.name, f.id, f.seq";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    let mut keys: Vec<(i64, ForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (table, id): (String, i64) = (row.get(0)?, row.get(2)?);
        let column = (row.get(3)?, row.get(4)?);
        match keys.last_mut() {
            Some((last, key)) if *last == id && key.table == table => key.columns.push(column),
            _ => keys.push((
                id,
                ForeignKey {
                    table,
                    parent: row.get(1)?,
                    columns: vec![column],
                    cascades: row.get(5)?,
                },
            )),
        }
    }
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// Repairs references to rows that do not exist. A missing workspace is created; other rows go where their parent
/// would have taken them.
pub(super) fn repair_foreign_keys(connection: &Connection) -> Result<(), StoreError> {
    let keys = foreign_keys_of_all(connection)?;
    for key in keys.iter().filter(|key| key.parent == "tenants") {
        let sql = format!(
            "INSERT INTO tenants (tenant, tenant_id, name, created_at)
             SELECT DISTINCT tenant, 'recovered-' || tenant, 'recovered-' || tenant, ?1
             FROM {} WHERE {}",
            key.table,
            key.broken()
        );
        connection.execute(&sql, [crate::time::now()])?;
    }
    // Rows that are removed can be parents of others.
    loop {
        let mut changed = 0;
        for key in &keys {
            let broken = key.broken();
            let sql = if key.cascades {
                format!("DELETE FROM {} WHERE {broken}", key.table)
            } else {
                let clear = |(from, _): &(String, String)| format!("{from} = NULL");
                let clear: Vec<String> = key.columns.iter().map(clear).collect();
                format!(
                    "UPDATE {} SET {} WHERE {broken}",
                    key.table,
                    clear.join(", ")
                )
            };
            changed += connection.execute(&sql, [])?;
        }
        if changed == 0 {
            return Ok(());
        }
    }
}
