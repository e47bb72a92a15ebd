//! Rows as lists of columns, so that each column is named once.

use crate::store::db::{Db, Fixed, Param};
use crate::store::{StoreError, Tenant};

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
        let Fixed(sql) = self.insert_sql(table);
        db.value(&Fixed(sql + " RETURNING id"), &self.values())
    }

    fn insert_sql(&self, table: &str) -> Fixed {
        let names: Vec<_> = self.0.iter().map(|(name, _)| *name).collect();
        let marks: Vec<_> = (1..=names.len()).map(|place| format!("?{place}")).collect();
        Fixed(format!(
            "INSERT INTO {table} ({}) VALUES ({})",
            names.join(", "),
            marks.join(", ")
        ))
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

            pub(super) fn read(
                row: &$crate::store::db::Row<'_>,
            ) -> Result<Self, $crate::store::StoreError> {
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
