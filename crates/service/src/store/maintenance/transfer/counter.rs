//! The number of the next row: it stays greater than those of all rows, and of rows that were deleted and whose number
//! is never used again.

use super::table::Table;
use crate::store::db::{AcrossWorkspaces, Db, On, params};
use crate::store::error::StoreError;

/// Lets the destination go on where the source is.
pub(super) fn copy(from: Db<'_>, to: Db<'_>, table: &Table) -> Result<(), StoreError> {
    let Some(column) = table.row_number() else {
        return Ok(());
    };
    let name = table.name;
    let sql = format!("SELECT max({column}) FROM {name}");
    let largest: Option<i64> = from.value(AcrossWorkspaces(&sql), &[])?;
    let last = largest.max(last_given(from, name, column)?);
    // None was given yet.
    let Some(last) = last.filter(|last| *last > 0) else {
        return Ok(());
    };
    match to.on {
        On::Sqlite(connection) => {
            connection.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [name])?;
            // Other tables give the largest number and one.
            let sql = "INSERT INTO sqlite_sequence (name, seq) SELECT name, ?2 FROM sqlite_schema
                       WHERE name = ?1 AND sql LIKE '%AUTOINCREMENT%'";
            connection.execute(sql, (name, last))?;
        }
        On::Postgres(_) => {
            let sql = "SELECT setval(pg_get_serial_sequence(?1, ?2)::regclass, ?3)";
            // Without a sequence, as for versions, it does nothing.
            to.value::<Option<i64>>(sql, params![name, column, last])?;
        }
    }
    Ok(())
}

/// The last number that was given to a row, if the engine keeps it.
fn last_given(db: Db<'_>, table: &str, column: &str) -> Result<Option<i64>, StoreError> {
    match db.on {
        On::Sqlite(connection) => {
            let sql = "SELECT max(seq) FROM sqlite_sequence WHERE name = ?1";
            Ok(connection.query_row(sql, [table], |row| row.get(0))?)
        }
        On::Postgres(_) => {
            let sql = "SELECT pg_sequence_last_value(pg_get_serial_sequence(?1, ?2)::regclass)";
            db.value(sql, params![table, column])
        }
    }
}
