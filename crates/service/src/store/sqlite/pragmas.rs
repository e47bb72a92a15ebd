//! Values that SQLite keeps for a database.

use rusqlite::Connection;

/// Identifies our files ("LdWs").
pub(in crate::store) const APPLICATION_ID: i64 = 0x4C64_5773;

pub(in crate::store) fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}
