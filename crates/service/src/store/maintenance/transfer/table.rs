//! A table, and the statements that move its rows.

use rusqlite::{Connection, params_from_iter};

use super::content::{Content, Reading};
use crate::store::db::{AcrossWorkspaces, Db, Kind, On, Param, Value};
use crate::store::error::StoreError;
use crate::store::tables;

pub(super) struct Table {
    pub(super) name: &'static str,
    /// The columns that are stored, by name. Those that are computed are not copied.
    columns: Vec<String>,
    kinds: Vec<Kind>,
    /// The columns of the key in a data folder, in its order.
    key: Vec<String>,
}

impl Table {
    /// Returns all tables, in the order of their references. A data folder says which columns they have.
    pub(super) fn all(folder: &Connection) -> Result<Vec<Self>, StoreError> {
        tables::all().map(|name| Self::of(folder, name)).collect()
    }

    fn of(folder: &Connection, name: &'static str) -> Result<Self, StoreError> {
        let mut table = Self {
            name,
            columns: Vec::new(),
            kinds: Vec::new(),
            key: Vec::new(),
        };
        let sql = "SELECT name, type, pk FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid";
        let mut select = folder.prepare(sql)?;
        let mut rows = select.query([name])?;
        let mut key: Vec<(i64, String)> = Vec::new();
        while let Some(row) = rows.next()? {
            let (column, kind, place): (String, String, i64) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            if place > 0 {
                key.push((place, column.clone()));
            }
            table.columns.push(column);
            table.kinds.push(match &*kind {
                "INTEGER" => Kind::Integer,
                "REAL" => Kind::Real,
                "BLOB" => Kind::Blob,
                _ => Kind::Text,
            });
        }
        key.sort_unstable();
        table.key = key.into_iter().map(|(_, column)| column).collect();
        Ok(table)
    }

    /// The column that numbers the rows, if there is one.
    pub(super) fn row_number(&self) -> Option<&str> {
        let [column] = &*self.key else { return None };
        let place = self.columns.iter().position(|name| name == column)?;
        matches!(self.kinds.get(place)?, Kind::Integer).then_some(column)
    }

    pub(super) fn count(&self, db: Db<'_>) -> Result<u64, StoreError> {
        let sql = format!("SELECT count(*) FROM {}", self.name);
        let count: i64 = db.value(AcrossWorkspaces(&sql), &[])?;
        Ok(count.unsigned_abs())
    }

    pub(super) fn has_rows(&self, db: Db<'_>) -> Result<bool, StoreError> {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", self.name);
        db.exists(AcrossWorkspaces(&sql), &[])
    }

    /// Calls `visit` with each row, in the order of the key, and returns what the table contains.
    pub(super) fn read(
        &self,
        db: Db<'_>,
        mut visit: impl FnMut(&[Value]) -> Result<(), StoreError>,
    ) -> Result<Content, StoreError> {
        let (columns, key) = (self.columns.join(", "), self.key.join(", "));
        let sql = format!("SELECT {columns} FROM {} ORDER BY {key}", self.name);
        let mut reading = Reading::default();
        let mut row = Vec::with_capacity(self.columns.len());
        db.each(AcrossWorkspaces(&sql), &[], |found| {
            row.clear();
            for place in 0..self.columns.len() {
                row.push(reading.add(found.get(place)?));
            }
            reading.end_row();
            visit(&row)
        })?;
        Ok(reading.end())
    }

    /// Copies all rows, and returns what was copied.
    pub(super) fn copy(
        &self,
        from: Db<'_>,
        to: Db<'_>,
        mut copied: impl FnMut(),
    ) -> Result<Content, StoreError> {
        let table = format!("{} ({})", self.name, self.columns.join(", "));
        match to.on {
            On::Sqlite(connection) => {
                let values = vec!["?"; self.columns.len()].join(", ");
                let sql = format!("INSERT INTO {table} VALUES ({values})");
                let mut insert = connection.prepare(&sql)?;
                self.read(from, |row| {
                    insert.execute(params_from_iter(row.iter().map(Param::bound)))?;
                    copied();
                    Ok(())
                })
            }
            On::Postgres(session) => session.copy(&table, &self.kinds, |add| {
                self.read(from, |row| {
                    add(row)?;
                    copied();
                    Ok(())
                })
            }),
        }
    }
}
