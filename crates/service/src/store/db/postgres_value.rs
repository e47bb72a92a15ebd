//! Values of parameters and columns of PostgreSQL.

use std::error::Error;

use bytes::BytesMut;
use postgres::Row;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use rusqlite::types::ValueRef;

use super::column::{Column, Place};
use super::param::{Bound, Kind, Values};
use crate::store::error::StoreError;

/// Returns the type of a parameter.
pub(super) fn kind(value: &Bound<'_>) -> Type {
    match value {
        Bound::Null(kind) => null(*kind),
        Bound::Integer(_) => Type::INT8,
        Bound::Real(_) => Type::FLOAT8,
        Bound::Text(_) => Type::TEXT,
        Bound::Blob(_) => Type::BYTEA,
        Bound::List(list) => match list.values() {
            Values::Integers(_) => Type::INT8_ARRAY,
            Values::Reals(_) => Type::FLOAT8_ARRAY,
            Values::Texts(_) => Type::TEXT_ARRAY,
        },
        Bound::Array(values) => match values.first().map(kind) {
            Some(Type::INT8) => Type::INT8_ARRAY,
            Some(Type::FLOAT8) => Type::FLOAT8_ARRAY,
            Some(Type::BYTEA) => Type::BYTEA_ARRAY,
            _ => Type::TEXT_ARRAY,
        },
    }
}

/// Returns the type of a value that may be NULL.
pub(super) fn null(kind: Kind) -> Type {
    match kind {
        Kind::Unknown => Type::UNKNOWN,
        Kind::Integer => Type::INT8,
        Kind::Real => Type::FLOAT8,
        Kind::Text => Type::TEXT,
        Kind::Blob => Type::BYTEA,
    }
}

impl ToSql for Bound<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null(_) => Ok(IsNull::Yes),
            Self::Integer(number) => number.to_sql(kind, out),
            Self::Real(number) => number.to_sql(kind, out),
            // A text of PostgreSQL cannot contain it, and no client needs it.
            Self::Text(text) if text.contains('\0') => {
                text.replace('\0', "\u{fffd}").to_sql(kind, out)
            }
            Self::Text(text) => text.to_sql(kind, out),
            Self::Blob(bytes) => bytes.to_sql(kind, out),
            Self::List(list) => match list.values() {
                Values::Integers(numbers) => numbers.to_sql(kind, out),
                Values::Reals(numbers) => numbers.to_sql(kind, out),
                Values::Texts(texts) => {
                    let texts: Vec<_> = texts.iter().map(|text| Bound::Text(text)).collect();
                    texts.to_sql(kind, out)
                }
            },
            Self::Array(values) => values.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Returns the value of a column.
pub(super) fn get<T: Column>(row: &Row, place: impl Place) -> Result<T, StoreError> {
    let columns = row.columns();
    let number = place.number(|name| columns.iter().position(|column| column.name() == name));
    let column = number.and_then(|number| Some((number, columns.get(number)?)));
    let (number, column) =
        column.ok_or_else(|| StoreError::Unexpected("a column is missing".into()))?;
    let Cell(value) = row.try_get(number)?;
    T::column_result(value)
        .map_err(|error| StoreError::Unexpected(format!("{}: {error}", column.name())))
}

/// Returns the value of a column, as SQLite would have it.
pub(super) fn value(row: &Row, column: usize) -> Result<ValueRef<'_>, StoreError> {
    let Cell(value) = row.try_get(column)?;
    Ok(value)
}

/// A value as SQLite would have it, so that a type is read in the same way from both.
struct Cell<'a>(ValueRef<'a>);

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(kind: &Type, bytes: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(match *kind {
            Type::BOOL => ValueRef::Integer(i64::from(bool::from_sql(kind, bytes)?)),
            Type::INT2 => ValueRef::Integer(i64::from(i16::from_sql(kind, bytes)?)),
            Type::INT4 => ValueRef::Integer(i64::from(i32::from_sql(kind, bytes)?)),
            Type::INT8 => ValueRef::Integer(i64::from_sql(kind, bytes)?),
            Type::FLOAT4 => ValueRef::Real(f64::from(f32::from_sql(kind, bytes)?)),
            Type::FLOAT8 => ValueRef::Real(f64::from_sql(kind, bytes)?),
            Type::BYTEA => ValueRef::Blob(bytes),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => ValueRef::Text(bytes),
            // Such as the numeric of a sum, which the statement casts to bigint.
            _ => return Err(format!("a column of the type {kind}").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
