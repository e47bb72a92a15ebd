//! Rows as lists of columns, so that each column is named once.

use lead_workspace_logic::for_each_row;
use lead_workspace_logic::rows::{AccountRow, LeadRow};

use crate::store::db::{Db, Fixed, Param, Row};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// Rows of one statement, at most. SQLite has a limit of 32,766 values.
const MAX_ROWS: usize = 128;

/// Columns of a row, with their values.
#[derive(Default)]
pub(crate) struct Columns<'a>(Vec<(&'static str, Box<dyn Param + 'a>)>);

impl<'a> Columns<'a> {
    pub(crate) fn with(mut self, name: &'static str, value: impl Param + 'a) -> Self {
        self.0.push((name, Box::new(value)));
        self
    }

    pub(crate) fn and(mut self, mut more: Columns<'a>) -> Self {
        self.0.append(&mut more.0);
        self
    }

    /// Inserts a row.
    pub(crate) fn insert(&self, db: Db<'_>, table: &str) -> Result<(), StoreError> {
        db.execute(&self.insert_sql(table), &self.values())?;
        Ok(())
    }

    /// Inserts a row into a table with row numbers, and returns its number.
    pub(crate) fn insert_numbered(&self, db: Db<'_>, table: &str) -> Result<i64, StoreError> {
        db.insert(&self.insert_sql(table), &self.values())
    }

    /// Inserts rows that have the same columns.
    ///
    /// Where triggers make a statement write several rows, SQLite copies each page that the
    /// statement changes, to undo it alone. Rows of one statement share these copies.
    pub(crate) fn insert_all(
        db: Db<'_>,
        table: &str,
        rows: &[Columns<'_>],
    ) -> Result<(), StoreError> {
        Self::insert_rows(db, table, rows, "")
    }

    /// Like [`insert_all`](Self::insert_all), without the rows whose key exists.
    pub(crate) fn insert_missing(
        db: Db<'_>,
        table: &str,
        rows: &[Columns<'_>],
    ) -> Result<(), StoreError> {
        Self::insert_rows(db, table, rows, " ON CONFLICT DO NOTHING")
    }

    fn insert_rows(
        db: Db<'_>,
        table: &str,
        mut rows: &[Columns<'_>],
        on_conflict: &str,
    ) -> Result<(), StoreError> {
        while let Some(first) = rows.first() {
            // Powers of two, so that there are few statements to prepare.
            let count = 1 << rows.len().min(MAX_ROWS).ilog2();
            let (now, later) = rows.split_at(count);
            let values: Vec<_> = now.iter().flat_map(Columns::values).collect();
            let sql = first.insert_rows_sql(table, count) + on_conflict;
            db.execute(&Fixed(sql), &values)?;
            rows = later;
        }
        Ok(())
    }

    fn insert_sql(&self, table: &str) -> Fixed {
        Fixed(self.insert_rows_sql(table, 1))
    }

    fn insert_rows_sql(&self, table: &str, rows: usize) -> String {
        let names: Vec<_> = self.0.iter().map(|(name, _)| *name).collect();
        let row = |row: usize| {
            let places = row * names.len() + 1..=(row + 1) * names.len();
            let marks: Vec<_> = places.map(|place| format!("?{place}")).collect();
            format!("({})", marks.join(", "))
        };
        let rows: Vec<_> = (0..rows).map(row).collect();
        format!(
            "INSERT INTO {table} ({}) VALUES {}",
            names.join(", "),
            rows.join(", ")
        )
    }

    fn values(&self) -> Vec<&dyn Param> {
        self.0
            .iter()
            .map(|(_, value)| &**value as &dyn Param)
            .collect()
    }

    /// Updates the rows of a workspace whose column `key` has this value.
    pub(crate) fn update(
        self,
        db: Db<'_>,
        tenant: Tenant,
        table: &str,
        (key, value): (&str, i64),
    ) -> Result<(), StoreError> {
        let names = self.0.iter().enumerate();
        let names = names.map(|(place, (name, _))| format!("{name} = ?{}", place + 1));
        let names = names.collect::<Vec<_>>().join(", ");
        let (first, second) = (self.0.len() + 1, self.0.len() + 2);
        let sql = Fixed(format!(
            "UPDATE {table} SET {names} WHERE tenant = ?{first} AND {key} = ?{second}"
        ));
        db.execute(&sql, &self.with("", tenant.0).with("", value).values())?;
        Ok(())
    }
}

/// Builds [`Columns`] from `column: value` pairs.
macro_rules! columns {
    ($($column:ident: $value:expr),* $(,)?) => {
        $crate::store::insert::Columns::default()$(.with(stringify!($column), $value))*
    };
}

/// How a row is read and written.
pub(super) trait StoredRow: Sized {
    /// The columns for a `SELECT`, each after a comma.
    const COLUMNS: &'static str;

    /// Reads the columns, which begin at a place of the result.
    fn read(row: &Row<'_>, first: usize) -> Result<Self, StoreError>;

    fn columns(&self) -> Columns<'_>;
}

macro_rules! stored_row {
    ($(#[$doc:meta])* $name:ident { $($(#[$column_doc:meta])* $column:ident: $type:ty,)* }) => {
        impl StoredRow for $name {
            const COLUMNS: &'static str = concat!($(", ", stringify!($column)),*);

            fn read(row: &Row<'_>, first: usize) -> Result<Self, StoreError> {
                let mut places = first..;
                Ok(Self { $($column: row.get(places.next().unwrap_or(first))?,)* })
            }

            fn columns(&self) -> Columns<'_> {
                columns! { $($column: &self.$column),* }
            }
        }
    };
}

for_each_row!(stored_row);

pub(crate) use columns;
