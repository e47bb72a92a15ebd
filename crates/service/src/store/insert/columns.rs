//! Rows as lists of columns, so that each column is named once.

use rusqlite::{Connection, ToSql, params_from_iter};

use crate::store::StoreError;

/// Columns of a row, with their values.
#[derive(Default)]
pub(crate) struct Columns<'a>(Vec<(&'static str, Box<dyn ToSql + 'a>)>);

impl<'a> Columns<'a> {
    pub(crate) fn with(mut self, name: &'static str, value: impl ToSql + 'a) -> Self {
        self.0.push((name, Box::new(value)));
        self
    }

    pub(crate) fn and(mut self, mut more: Columns<'a>) -> Self {
        self.0.append(&mut more.0);
        self
    }

    /// Inserts a row. Returns its row number, if the table has row numbers.
    pub(crate) fn insert(&self, connection: &Connection, table: &str) -> Result<i64, StoreError> {
        let names: Vec<_> = self.0.iter().map(|(name, _)| *name).collect();
        let marks = vec!["?"; names.len()];
        let sql = format!(
            "INSERT INTO {table} ({}) VALUES ({})",
            names.join(", "),
            marks.join(", ")
        );
        connection
            .prepare_cached(&sql)?
            .execute(params_from_iter(self.0.iter().map(|(_, value)| value)))?;
        Ok(connection.last_insert_rowid())
    }

    /// Updates the rows whose column `key` has this value.
    pub(crate) fn update(
        self,
        connection: &Connection,
        table: &str,
        (key, value): (&str, i64),
    ) -> Result<(), StoreError> {
        let names = self.0.iter().map(|(name, _)| format!("{name} = ?"));
        let names = names.collect::<Vec<_>>().join(", ");
        let sql = format!("UPDATE {table} SET {names} WHERE {key} = ?");
        let values = self.with("", value);
        connection
            .prepare_cached(&sql)?
            .execute(params_from_iter(values.0.iter().map(|(_, value)| value)))?;
        Ok(())
    }
}

/// Builds [`Columns`] from `column: value` pairs.
macro_rules! columns {
    ($($column:ident: $value:expr),* $(,)?) => {
        $crate::store::insert::Columns::default()$(.with(stringify!($column), $value))*
    };
}

/// Declares a row: a struct with one field per column, and how it is read, written and merged.
macro_rules! row {
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident {
            $($(#[$column_doc:meta])* pub $column:ident: $type:ty,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $vis struct $name {
            $($(#[$column_doc])* pub $column: $type,)*
        }

        impl $name {
            /// The columns for a `SELECT`, each after a comma.
            pub(super) const COLUMNS: &'static str = concat!($(", ", stringify!($column)),*);

            pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                Ok(Self { $($column: row.get(stringify!($column))?,)* })
            }

            pub(super) fn columns(&self) -> $crate::store::insert::Columns<'_> {
                $crate::store::insert::columns! { $($column: &self.$column),* }
            }

            /// Returns these values, with the values of `other` where they are missing here.
            pub(crate) fn or(&self, other: &Self) -> Self {
                use $crate::store::insert::columns::Missing;
                Self {
                    $($column: if self.$column.is_missing() {
                        other.$column.clone()
                    } else {
                        self.$column.clone()
                    },)*
                }
            }
        }
    };
}

pub(crate) use columns;
pub(super) use row;

/// A value that a row may lack.
pub(super) trait Missing {
    fn is_missing(&self) -> bool;
}

impl<T> Missing for Option<T> {
    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl Missing for String {
    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

impl Missing for bool {
    fn is_missing(&self) -> bool {
        !self
    }
}
