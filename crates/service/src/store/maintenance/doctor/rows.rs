//! Checks of rows against each other.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::{Check, Finding, StoreError};
use crate::store::sqlite::schema;

/// Finds texts that are not UTF-8: SQLite does not check them, and a list or an export that has one of them fails.
pub(super) fn texts(
    connection: &Connection,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let mut damaged = Vec::new();
    for (table, (kind, _)) in schema::definitions(connection)? {
        if kind != "table" {
            continue;
        }
        let mut select = connection.prepare(&format!("SELECT * FROM \"{table}\""))?;
        let mut counts = vec![0_u64; select.column_count()];
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            for (at, count) in counts.iter_mut().enumerate() {
                if let ValueRef::Text(text) = row.get_ref(at)? {
                    *count += u64::from(std::str::from_utf8(text).is_err());
                }
            }
        }
        drop(rows);
        for (column, count) in select.column_names().zip(counts) {
            if count > 0 {
                damaged.push(format!("{count} of {table}.{column}"));
            }
        }
    }
    if !damaged.is_empty() {
        findings.push(Finding::problem(
            Check::Integrity,
            format!("texts are damaged (not UTF-8): {}", damaged.join(", ")),
            "lists and exports with these rows fail. Restore a backup from before the damage with `restore`",
        ));
    }
    Ok(())
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
