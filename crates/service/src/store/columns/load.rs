//! Reading columns from the database.

use std::collections::{HashMap, HashSet};

use lead_workspace_logic::filter::Value;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::codes::Codes;
use super::column::{Cells, Column};
use super::dictionary::Code;
use super::spec::ColumnId;
use crate::store::sql::numbers;
use crate::store::{StoreError, Tenant};

/// Returns whether one scan of a table can read both columns.
pub(super) fn are_in_one_scan(one: ColumnId, other: ColumnId) -> bool {
    let ((table, _, many), (of, _, also_many)) = (one.source(), other.source());
    table == of && !many && !also_many
}

/// Reads whole columns; several only if they [are in one scan](are_in_one_scan).
pub(super) fn columns(
    connection: &Connection,
    tenant: Tenant,
    ids: &[ColumnId],
) -> Result<Vec<Column>, StoreError> {
    let sources: Vec<Source> = ids.iter().map(|id| source(*id)).collect();
    match &sources[..] {
        [] => Ok(Vec::new()),
        [source] if source.many => Ok(vec![values_of_rows(connection, tenant, source)?]),
        [Source { table, key, .. }, ..] => {
            let values = sources.iter().map(|source| source.value.as_str());
            let values = values.collect::<Vec<_>>().join(", ");
            let sql = format!("SELECT {key}, {values} FROM {table} WHERE tenant = ?1");
            let mut scanned = vec![ScannedColumn::default(); sources.len()];
            let mut statement = connection.prepare(&sql)?;
            let mut rows = statement.query([tenant.0])?;
            while let Some(row) = rows.next()? {
                let number: u32 = row.get(0)?;
                for (column, index) in scanned.iter_mut().zip(1..) {
                    column.push(number as usize, row.get_ref(index)?);
                }
            }
            Ok(scanned.into_iter().map(ScannedColumn::sorted).collect())
        }
    }
}

/// A column while its rows are read, in any order.
#[derive(Clone, Default)]
struct ScannedColumn {
    /// The place of each value, in the order in which they were found.
    numbers: HashMap<Bits, Code>,
    texts: HashMap<Vec<u8>, Code>,
    places: Codes,
}

/// An integer or the bits of a real number. A column has only one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Bits {
    Integer(i64),
    Real(u64),
}

impl ScannedColumn {
    fn push(&mut self, row: usize, value: ValueRef<'_>) {
        let next = (self.numbers.len() + self.texts.len() + 1) as Code;
        let place = match value {
            ValueRef::Integer(number) => *self.numbers.entry(Bits::Integer(number)).or_insert(next),
            ValueRef::Real(number) => *self
                .numbers
                .entry(Bits::Real(number.to_bits()))
                .or_insert(next),
            ValueRef::Text(text) => match self.texts.get(text) {
                Some(place) => *place,
                None => {
                    self.texts.insert(text.to_owned(), next);
                    next
                }
            },
            ValueRef::Null | ValueRef::Blob(_) => return,
        };
        self.places.set(row, place);
    }

    /// Returns the column with its values in order.
    fn sorted(self) -> Column {
        let numbers = self.numbers.into_iter().map(|(number, place)| {
            let value = match number {
                Bits::Integer(number) => Value::Integer(number),
                Bits::Real(bits) => Value::Real(f64::from_bits(bits)),
            };
            (value, place)
        });
        let texts = self.texts.into_iter().map(|(text, place)| {
            let text = String::from_utf8(text);
            let text =
                text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            (Value::Text(text), place)
        });
        let mut values: Vec<(Value, Code)> = numbers.chain(texts).collect();
        values.sort_unstable_by(|(one, _), (other, _)| one.order(other));
        let mut column = Column::default();
        let mut codes = vec![0; values.len() + 1];
        for (value, place) in &values {
            codes[*place as usize] = column.dictionary.push_value(value);
        }
        let mut cells = self.places;
        cells.replace(&codes);
        column.cells = Cells::One(cells);
        column
    }
}

/// Reads a column in which a row can have several values.
fn values_of_rows(
    connection: &Connection,
    tenant: Tenant,
    Source {
        table, key, value, ..
    }: &Source,
) -> Result<Column, StoreError> {
    let sql = format!(
        "SELECT DISTINCT {value}, {key} FROM {table}
         WHERE tenant = ?1 AND {value} IS NOT NULL ORDER BY {value}"
    );
    let mut column = Column {
        cells: Cells::Many {
            ends: Vec::new(),
            rows: Vec::new(),
        },
        ..Column::default()
    };
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([tenant.0])?;
    while let Some(row) = rows.next()? {
        column.push(row.get(1)?, row.get_ref(0)?);
    }
    Ok(column)
}

/// Reads the values of some rows.
pub(super) fn values(
    connection: &Connection,
    tenant: Tenant,
    id: ColumnId,
    rows: &HashSet<u32>,
) -> Result<Vec<(u32, Value)>, StoreError> {
    let Source {
        table,
        key,
        value,
        many,
    } = source(id);
    let distinct = if many { "DISTINCT" } else { "" };
    let sql = format!(
        "SELECT {distinct} {value}, {key} FROM json_each(?2) page
         CROSS JOIN {table} ON {key} = page.value WHERE tenant = ?1 AND {value} IS NOT NULL"
    );
    let page: Vec<i64> = rows.iter().map(|row| i64::from(*row)).collect();
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params![tenant.0, numbers(&page)], |row| {
        let value = match row.get_ref(0)? {
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            _ => Value::Text(row.get(0)?),
        };
        Ok((row.get(1)?, value))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

struct Source {
    table: &'static str,
    /// The column with the row number.
    key: String,
    value: String,
    many: bool,
}

fn source(id: ColumnId) -> Source {
    let (table, column, many) = id.source();
    let key = match (table, many) {
        (_, false) => "id",
        ("account_list_items", _) => "account",
        _ => "lead",
    };
    // The only searched column without a folded one beside it.
    let value = if column == "network_username" {
        format!("fold({table}.{column})")
    } else {
        format!("{table}.{column}")
    };
    Source {
        table,
        key: format!("{table}.{key}"),
        value,
        many,
    }
}
