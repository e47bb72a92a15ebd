//! The columns of an export of leads or accounts: the one definition for the browser and the shell.
//!
//! An export begins with the id. Then come the columns of the list in their order; all that an import reads and the
//! list has no column for; the columns of the user's own files, from `custom_data`; what was decided; and the score
//! with its reason. [`Columns::new`] may leave out what the list does not show.
//!
//! An import recognizes the header by [`is_export`] and then reads each column back into its place.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Number, Value};

use crate::Quoted;
use crate::csv_cell;
use crate::custom::{self, custom_field};
use crate::json;

/// Declares columns, one a line: place, header, cell.
macro_rules! columns {
    ($($place:ident $header:literal $cell:expr;)*) => {
        [$(ExportColumn { header: $header, place: $place, cell: $cell },)*]
    };
}

mod account_columns;
mod lead_columns;

pub use account_columns::ACCOUNT_COLUMNS;
pub use lead_columns::{ExportedLead, LEAD_COLUMNS};

/// The place of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In every export, first.
    First,
    /// A column of the list.
    List,
    /// Only in an export of everything.
    More,
    /// In every export, last: what was decided, and the score.
    Last,
}

/// A column with a fixed header.
pub struct ExportColumn<T> {
    /// The header.
    pub header: &'static str,
    /// Its place.
    pub place: Place,
    /// Returns the cell; null if it is empty.
    pub cell: fn(&T) -> Value,
}

/// A record that can be exported.
pub trait Exported: Sized + 'static {
    /// Whether it has columns of the user's own files.
    const HAS_CUSTOM: bool;
    /// The columns with fixed headers, in order.
    const COLUMNS: &'static [ExportColumn<Self>];

    /// Returns the headers that stand for a column of the list; none if the other columns say all of it. `None` for
    /// any other name.
    fn alias(list_column: &str) -> Option<&'static [&'static str]>;

    /// Returns the values of the user's own columns.
    fn custom(&self) -> Map<String, Value>;
}

/// Which columns an export has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    /// Columns of the list in their order: by their id in the list, by their header, or by the name of a custom field.
    pub list: Vec<String>,
    /// Whether all other columns are left out that are not in every export.
    pub only: bool,
}

impl ColumnChoice {
    /// Returns whether the export may have columns of the user's own files.
    pub fn has_custom<T: Exported>(&self) -> bool {
        T::HAS_CUSTOM && (!self.only || self.list.iter().any(|name| find::<T>(name).is_none()))
    }
}

/// A chosen column that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownColumn(pub String);

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no column {}", Quoted(&self.0))
    }
}

impl std::error::Error for UnknownColumn {}

enum Column<T: 'static> {
    Fixed(&'static ExportColumn<T>),
    Custom { key: String, header: String },
}

impl<T> Column<T> {
    fn header(&self) -> &str {
        match self {
            Self::Fixed(column) => column.header,
            Self::Custom { header, .. } => header,
        }
    }
}

/// The columns of one export, in order.
pub struct Columns<T: 'static>(Vec<Column<T>>);

impl<T: Exported> Columns<T> {
    /// Chooses the columns. `custom` has the names of all columns of the user's own files.
    ///
    /// # Errors
    /// If a chosen column does not exist.
    pub fn new(choice: &ColumnChoice, custom: BTreeSet<String>) -> Result<Self, UnknownColumn> {
        let mut custom = custom;
        let mut columns = Self(Vec::new());
        columns.add_all(Place::First);
        for name in &choice.list {
            if let Some(found) = find::<T>(name) {
                let is_last = |column: &&ExportColumn<T>| column.place == Place::Last;
                columns.add(found.into_iter().filter(|column| !is_last(column)));
                continue;
            }
            // A key, or the name of a custom field as it is in filters.
            let is_known = |key: &&str| custom.contains(*key) || columns.has_custom(key);
            let key = [name.as_str(), custom_key(name)].into_iter().find(is_known);
            let key = key.ok_or_else(|| UnknownColumn(name.clone()))?;
            if custom.remove(key) {
                columns.add_custom(key.to_owned());
            }
        }
        if !choice.only {
            columns.add_all(Place::List);
            columns.add_all(Place::More);
            custom.into_iter().for_each(|key| columns.add_custom(key));
        }
        columns.add_all(Place::Last);
        Ok(columns)
    }

    /// Returns the headers.
    pub fn headers(&self) -> Vec<&str> {
        self.0.iter().map(Column::header).collect()
    }

    /// Appends the start of a CSV file.
    pub fn csv_head(&self, text: &mut String) {
        text.push_str(csv_cell::MARK);
        csv_cell::line(text, &self.headers());
    }

    /// Appends a record as a line of CSV.
    pub fn csv_line(&self, text: &mut String, record: &T) {
        let cells: Vec<String> = self.cells(record).into_iter().map(cell_text).collect();
        csv_cell::line(text, &cells);
    }

    /// Appends a record as a line of JSONL. A column of the user's own file is left out if it is empty.
    pub fn json_line(&self, text: &mut String, record: &T) {
        let cells = self.0.iter().zip(self.cells(record));
        let cells =
            cells.filter(|(column, cell)| matches!(column, Column::Fixed(_)) || !cell.is_null());
        for (at, (column, cell)) in cells.enumerate() {
            text.push(if at == 0 { '{' } else { ',' });
            text.push_str(&json::text(&Value::from(column.header())));
            text.push(':');
            text.push_str(&json::text(&cell));
        }
        text.push_str("}\n");
    }

    fn cells(&self, record: &T) -> Vec<Value> {
        let mut custom = record.custom();
        let cells = self.0.iter().map(|column| match column {
            Column::Fixed(column) => (column.cell)(record),
            Column::Custom { key, .. } => custom.remove(key).unwrap_or_default(),
        });
        cells.collect()
    }

    fn add_all(&mut self, place: Place) {
        self.add(T::COLUMNS.iter().filter(|column| column.place == place));
    }

    /// Adds columns that are missing.
    fn add(&mut self, columns: impl Iterator<Item = &'static ExportColumn<T>>) {
        for column in columns {
            if !self.headers().contains(&column.header) {
                self.0.push(Column::Fixed(column));
            }
        }
    }

    fn add_custom(&mut self, key: String) {
        let header = custom_header::<T>(&key);
        self.0.push(Column::Custom { key, header });
    }

    fn has_custom(&self, name: &str) -> bool {
        let mut columns = self.0.iter();
        columns.any(|column| matches!(column, Column::Custom { key, .. } if key == name))
    }
}

/// Returns the columns with fixed headers that a name stands for.
fn find<T: Exported>(name: &str) -> Option<Vec<&'static ExportColumn<T>>> {
    let headers = T::alias(name);
    let is_found = |header: &str| headers.map_or(header == name, |all| all.contains(&header));
    let columns = T::COLUMNS.iter();
    let found: Vec<_> = columns.filter(|column| is_found(column.header)).collect();
    (headers.is_some() || !found.is_empty()).then_some(found)
}

/// Returns the header of a user's own column: its name, unless an import would take it for a fixed one.
fn custom_header<T: Exported>(key: &str) -> String {
    let is_taken = T::COLUMNS.iter().any(|column| column.header == key);
    match is_taken || key.starts_with(custom::PREFIX) {
        true => custom_field(key),
        false => key.to_owned(),
    }
}

/// Returns the name of a user's own column, from its header.
pub fn custom_key(header: &str) -> &str {
    header.strip_prefix(custom::PREFIX).unwrap_or(header)
}

/// Returns whether these are headers of exported leads: all that are first and last in every export, in any order.
pub fn is_export<'a>(headers: impl Iterator<Item = &'a str> + Clone) -> bool {
    let mut columns = LEAD_COLUMNS.iter();
    columns.all(|column| {
        let is_in_all = matches!(column.place, Place::First | Place::Last);
        !is_in_all || headers.clone().any(|header| header == column.header)
    })
}

fn cell_text(cell: Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Number(number) => number_text(&number),
        other => json::text(&other),
    }
}

/// Formats a whole number without a decimal point.
fn number_text(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15 => {
            (float as i64).to_string()
        }
        _ => number.to_string(),
    }
}

fn text(text: Option<&String>) -> Value {
    text.map_or(Value::Null, |text| Value::from(text.as_str()))
}
