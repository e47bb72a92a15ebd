//! Rows as lists of columns, so that each column is named once.

use lead_workspace_logic::for_each_row;
use lead_workspace_logic::rows::{AccountRow, LeadRow};

use crate::store::db::{Array, Db, Fixed, On, Param, Row};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// Rows of one statement of SQLite, at most. It has a limit of 32,766 values.
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

    /// Inserts rows that have the same columns.
    ///
    /// On PostgreSQL, each column is an array, so one statement inserts any number of rows.
    pub(crate) fn insert_all(
        db: Db<'_>,
        table: &str,
        rows: &[Columns<'_>],
    ) -> Result<(), StoreError> {
        let Some(first) = rows.first() else {
            return Ok(());
        };
        let names: Vec<_> = first.0.iter().map(|(name, _)| *name).collect();
        let has_names = |row: &Columns<'_>| {
            row.0
                .iter()
                .map(|(name, _)| *name)
                .eq(names.iter().copied())
        };
        debug_assert!(rows.iter().all(has_names));
        let insert = format!("INSERT INTO {table} ({})", names.join(", "));
        match db.on {
            On::Sqlite(_) => insert_chunks(db, &insert, names.len(), rows),
            On::Postgres(_) => insert_arrays(db, &insert, names.len(), rows),
        }
    }

    fn values(&self) -> impl Iterator<Item = &dyn Param> {
        self.0.iter().map(|(_, value)| &**value as &dyn Param)
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
        let values = self.with("", tenant.0).with("", value);
        db.execute(&sql, &values.values().collect::<Vec<_>>())?;
        Ok(())
    }
}

fn insert_chunks(
    db: Db<'_>,
    insert: &str,
    columns: usize,
    mut rows: &[Columns<'_>],
) -> Result<(), StoreError> {
    while !rows.is_empty() {
        // Powers of two, so that there are few statements to prepare.
        let count = 1 << rows.len().min(MAX_ROWS).ilog2();
        let (now, later) = rows.split_at(count);
        let marks = (0..count).map(|row| marks(row * columns, columns));
        let marks: Vec<_> = marks.map(|marks| format!("({marks})")).collect();
        let sql = Fixed(format!("{insert} VALUES {}", marks.join(", ")));
        let values: Vec<_> = now.iter().flat_map(Columns::values).collect();
        db.execute(&sql, &values)?;
        rows = later;
    }
    Ok(())
}

fn insert_arrays(
    db: Db<'_>,
    insert: &str,
    columns: usize,
    rows: &[Columns<'_>],
) -> Result<(), StoreError> {
    let mut arrays: Vec<_> = (0..columns).map(|_| Array(Vec::new())).collect();
    for row in rows {
        for (array, value) in arrays.iter_mut().zip(row.values()) {
            array.0.push(value.bound());
        }
    }
    let sql = Fixed(format!(
        "{insert} SELECT * FROM unnest({})",
        marks(0, columns)
    ));
    let values: Vec<_> = arrays.iter().map(|array| array as &dyn Param).collect();
    db.execute(&sql, &values)?;
    Ok(())
}

/// Returns the marks of parameters, after the first few.
fn marks(before: usize, count: usize) -> String {
    let marks: Vec<_> = (1..=count)
        .map(|place| format!("?{}", before + place))
        .collect();
    marks.join(", ")
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

    fn into_columns(self) -> Columns<'static>;
}

macro_rules! stored_row {
    ($(#[$doc:meta])* $name:ident { $($(#[$column_doc:meta])* $column:ident: $type:ty,)* }) => {
        impl StoredRow for $name {
            const COLUMNS: &'static str = concat!($(", ", stringify!($column)),*);

            fn read(row: &Row<'_>, first: usize) -> Result<Self, StoreError> {
                let mut places = first..;
                Ok(Self { $($column: row.get(places.next().unwrap_or(first))?,)* })
            }

            fn into_columns(self) -> Columns<'static> {
                columns! { $($column: self.$column),* }
            }
        }
    };
}

for_each_row!(stored_row);

pub(crate) use columns;
