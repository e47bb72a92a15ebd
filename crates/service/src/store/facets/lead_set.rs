//! A set of leads, to count facets within it.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::store::StoreError;
use crate::store::sql::{Conditions, numbers};

/// Up to this many leads are looked up one by one. For more it is faster to scan the index of a
/// facet's column and to test each row number (measured with 100,000 leads).
const FEW: usize = 3_000;

/// Row numbers of leads, one bit each.
#[derive(Clone, Debug, Default)]
pub(super) struct LeadSet {
    bits: Vec<u8>,
}

impl LeadSet {
    /// Reads the leads that match the conditions.
    pub(super) fn read(
        connection: &Connection,
        conditions: &Conditions,
    ) -> Result<Self, StoreError> {
        let sql = format!("SELECT l.id FROM leads l WHERE {}", conditions.covered());
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query(params_from_iter(conditions.values()))?;
        let mut set = Self::default();
        while let Some(row) = rows.next()? {
            set.add(row.get(0)?);
        }
        Ok(set)
    }

    fn add(&mut self, number: i64) {
        // SQLite numbers rows from 1.
        let byte = usize::try_from(number >> 3).unwrap_or_default();
        if byte >= self.bits.len() {
            self.bits.resize(byte + 1, 0);
        }
        self.bits[byte] |= 1 << (number & 7);
    }

    /// Keeps only the leads that are also in `other`.
    pub(super) fn intersect(&mut self, other: &Self) {
        self.bits.truncate(other.bits.len());
        for (byte, other) in self.bits.iter_mut().zip(&other.bits) {
            *byte &= other;
        }
    }

    fn len(&self) -> usize {
        self.bits
            .iter()
            .map(|byte| byte.count_ones() as usize)
            .sum()
    }

    fn numbers(&self) -> Vec<i64> {
        let bytes = (0_i64..).zip(&self.bits).filter(|(_, byte)| **byte != 0);
        bytes
            .flat_map(|(at, byte)| {
                (0..8)
                    .filter(move |bit| byte & (1 << bit) != 0)
                    .map(move |bit| at * 8 + bit)
            })
            .collect()
    }

    /// Restricts a table to rows of these leads. `lead` is its expression for the lead's row number.
    pub(super) fn add_to(&self, conditions: &mut Conditions, lead: &str) {
        if self.len() <= FEW {
            let few = conditions.value(numbers(&self.numbers()));
            conditions.and(&format!("{lead} IN (SELECT value FROM json_each({few}))"));
        } else {
            let bits = conditions.value(Value::Blob(self.bits.clone()));
            conditions.and(&format!("has_bit({bits}, {lead})"));
        }
    }
}
