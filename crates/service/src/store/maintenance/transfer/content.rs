//! What a table contains, in a form that both engines have in common.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::store::db::Value;

/// The rows of a table: how many, and a digest of them in the order of their key.
#[derive(Clone, Debug)]
pub struct Content {
    pub rows: u64,
    digest: [u8; 32],
    /// Texts with a NUL.
    pub(super) replaced: u64,
}

impl Content {
    pub(super) fn has_same_rows(&self, other: &Self) -> bool {
        (self.rows, self.digest) == (other.rows, other.digest)
    }
}

/// The digest in hexadecimal form.
impl fmt::LowerHex for Content {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = self.digest.iter();
        bytes.try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

/// The rows that were read.
#[derive(Default)]
pub(super) struct Reading {
    rows: u64,
    hash: Sha256,
    /// The row that is being read.
    row: Vec<u8>,
    replaced: u64,
}

impl Reading {
    /// Adds a value of the current row, and returns it as the destination gets it.
    pub(super) fn add(&mut self, value: Value) -> Value {
        let value = self.without_nul(value);
        match &value {
            Value::Null => self.row.push(0),
            Value::Integer(number) => self.put(1, &number.to_le_bytes()),
            Value::Real(number) => self.put(2, &number.to_le_bytes()),
            Value::Text(text) => self.put(3, text.as_bytes()),
            Value::Blob(bytes) => self.put(4, bytes),
            // Only parameters are lists.
            Value::List(_) => {}
        }
        value
    }

    pub(super) fn end_row(&mut self) {
        self.hash.update(&self.row);
        self.row.clear();
        self.rows += 1;
    }

    pub(super) fn end(self) -> Content {
        Content {
            rows: self.rows,
            digest: self.hash.finalize().into(),
            replaced: self.replaced,
        }
    }

    fn put(&mut self, kind: u8, bytes: &[u8]) {
        self.row.push(kind);
        self.row.extend(bytes.len().to_le_bytes());
        self.row.extend(bytes);
    }

    /// A text of PostgreSQL cannot contain a NUL. The service stores U+FFFD there, too.
    fn without_nul(&mut self, value: Value) -> Value {
        match value {
            Value::Text(text) if text.contains('\0') => {
                self.replaced += 1;
                Value::Text(text.replace('\0', "\u{fffd}"))
            }
            value => value,
        }
    }
}
