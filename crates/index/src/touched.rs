//! The rows that a change touched, as the feed of changes keeps them.

use crate::{ChangeKind, Damaged};

/// Rows that a change of one workspace touched, with what of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TouchedRows(Vec<(u8, u32)>);

impl TouchedRows {
    /// Notes a row.
    pub fn note(&mut self, kind: ChangeKind, row: u32) {
        self.0.push((kind.bits(), row));
    }

    /// Returns whether these kinds of a row are noted.
    pub fn contains(&self, kind: ChangeKind, row: u32) -> bool {
        let of_row = self.0.iter().filter(|(_, other)| *other == row);
        let noted = of_row.fold(0, |bits, (kind, _)| bits | kind);
        noted & kind.bits() == kind.bits()
    }

    /// Returns each noted row.
    pub fn iter(&self) -> impl Iterator<Item = (ChangeKind, u32)> {
        let rows = self.0.iter();
        rows.map(|(kind, row)| (ChangeKind::of_bits(*kind), *row))
    }

    /// Returns the rows as bytes. Rows in a row, such as those of an import, take a few bytes together.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rows = self.0.clone();
        rows.sort_unstable();
        rows.dedup();
        let mut out = Vec::new();
        let is_next = |one: &(u8, u32), other: &(u8, u32)| {
            one.0 == other.0 && one.1.checked_add(1) == Some(other.1)
        };
        for run in rows.chunk_by(is_next) {
            let (kind, first) = run[0];
            out.push(kind);
            put(&mut out, first);
            put(&mut out, run.len() as u32);
        }
        out
    }

    /// Reads rows from their bytes.
    ///
    /// # Errors
    /// If they are not those of rows.
    pub fn of_bytes(mut bytes: &[u8]) -> Result<Self, Damaged> {
        let mut rows = Vec::new();
        while let Some((kind, rest)) = bytes.split_first() {
            bytes = rest;
            let (first, length) = (get(&mut bytes)?, get(&mut bytes)?);
            let end = first.checked_add(length.saturating_sub(1)).ok_or(Damaged)?;
            rows.extend((first..=end).map(|row| (*kind, row)));
        }
        Ok(Self(rows))
    }
}

/// Appends a number, seven bits to a byte, the lowest first.
fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn get(bytes: &mut &[u8]) -> Result<u32, Damaged> {
    let mut number: u32 = 0;
    for shift in (0..u32::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or(Damaged)?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(Damaged)
}

#[cfg(test)]
mod tests {
    use super::TouchedRows;
    use crate::{ChangeKind, Damaged};

    #[test]
    fn rows_are_read_as_they_were_noted() {
        let mut rows = TouchedRows::default();
        for row in 1_000..2_000 {
            rows.note(ChangeKind::ALL, row);
        }
        assert_eq!(rows.to_bytes().len(), 5);
        for row in [7, u32::MAX, 0, 7, 300_000] {
            rows.note(ChangeKind::STATUS, row);
        }
        let bytes = rows.to_bytes();
        let read = TouchedRows::of_bytes(&bytes).unwrap();
        assert_eq!(read.iter().count(), 1_004);
        for (kind, row) in rows.iter() {
            assert!(read.contains(kind, row), "{kind:?} {row}");
        }
        assert!(read.contains(ChangeKind::STATUS, 1_500));
        assert!(!read.contains(ChangeKind::LEAD, 7) && !read.contains(ChangeKind::STATUS, 8));
        assert_eq!(TouchedRows::of_bytes(&[]), Ok(TouchedRows::default()));
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[1][..], &[1, 0x80], &[1, 5], &[1, 255, 255, 255, 255, 255]] {
            assert_eq!(TouchedRows::of_bytes(bytes), Err(Damaged), "{bytes:?}");
        }
    }
}
