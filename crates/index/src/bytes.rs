//! Columns as bytes.

use crate::codes::{BLOCK, Codes};
use crate::column::{Cells, Column};
use crate::dictionary::{Dictionary, Texts};

/// The bytes are not those of a column, or not all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// The first byte; changes with the format.
const FORMAT: u8 = 4;

impl Column {
    /// Returns the column as bytes, with a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes() + 64);
        out.extend([FORMAT, 0, 0, 0, 0]);
        match &self.dictionary {
            Dictionary::Integers(values) => {
                out.push(b'i');
                put_numbers(&mut out, values.iter().map(|value| value.to_le_bytes()));
            }
            Dictionary::Others(reals, Texts { joined, ends }) => {
                out.push(b'o');
                put_numbers(&mut out, reals.iter().map(|value| value.to_le_bytes()));
                put_text(&mut out, joined);
                put_numbers(&mut out, ends.iter().map(|end| end.to_le_bytes()));
            }
        }
        match &self.cells {
            Cells::One(codes) => {
                out.push(b'o');
                // Each block with the number of its first row before it.
                let blocks = codes.blocks().flat_map(|(first, codes)| {
                    std::iter::once(first as u32).chain(codes.iter().copied())
                });
                let blocks: Vec<u32> = blocks.collect();
                put_numbers(&mut out, blocks.iter().map(|number| number.to_le_bytes()));
            }
            Cells::Many { ends, rows } => {
                out.push(b'm');
                let ends = ends.iter().map(|end| (*end as u64).to_le_bytes());
                put_numbers(&mut out, ends);
                put_numbers(&mut out, rows.iter().map(|row| row.to_le_bytes()));
            }
        }
        let checksum = crc32fast::hash(&out[HEADER..]);
        out[1..HEADER].copy_from_slice(&checksum.to_le_bytes());
        out
    }

    /// Reads a column from its bytes.
    ///
    /// # Errors
    /// If they are damaged, or of another version of the format.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let ([format, checksum @ ..], rest) = bytes.split_first_chunk::<HEADER>().ok_or(Damaged)?;
        if *format != FORMAT || crc32fast::hash(rest).to_le_bytes() != *checksum {
            return Err(Damaged);
        }
        Reader(rest).column()
    }
}

/// Bytes before the column: the format and the checksum.
const HEADER: usize = 5;

/// Appends numbers with their length in bytes before them.
fn put_numbers<const N: usize>(
    out: &mut Vec<u8>,
    numbers: impl IntoIterator<Item = [u8; N], IntoIter: ExactSizeIterator>,
) {
    let numbers = numbers.into_iter();
    put_length(out, numbers.len() * N);
    out.extend(numbers.flatten());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_length(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn put_length(out: &mut Vec<u8>, bytes: usize) {
    out.extend_from_slice(&(bytes as u64).to_le_bytes());
}

/// What is left to read of a column.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u64, Damaged> {
        let bytes = self.bytes(size_of::<u64>())?;
        Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| Damaged)?))
    }

    fn counted_bytes(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.number()?;
        self.bytes(usize::try_from(length).map_err(|_| Damaged)?)
    }

    fn numbers<T, const N: usize>(
        &mut self,
        read: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, Damaged> {
        let (numbers, rest) = self.counted_bytes()?.as_chunks::<N>();
        if !rest.is_empty() {
            return Err(Damaged);
        }
        Ok(numbers.iter().map(|number| read(*number)).collect())
    }

    fn text(&mut self) -> Result<String, Damaged> {
        String::from_utf8(self.counted_bytes()?.to_vec()).map_err(|_| Damaged)
    }

    fn column(&mut self) -> Result<Column, Damaged> {
        let dictionary = match self.bytes(1)? {
            b"i" => Dictionary::Integers(self.numbers(i64::from_le_bytes)?),
            b"o" => {
                let reals = self.numbers(f64::from_le_bytes)?;
                let (joined, ends) = (self.text()?, self.numbers(u32::from_le_bytes)?);
                Dictionary::Others(reals, Texts { joined, ends })
            }
            _ => return Err(Damaged),
        };
        let cells = match self.bytes(1)? {
            b"o" => {
                let mut codes = Codes::default();
                for block in self.numbers(u32::from_le_bytes)?.chunks(BLOCK + 1) {
                    let [first, block @ ..] = block else {
                        return Err(Damaged);
                    };
                    for (code, row) in block.iter().zip(*first as usize..) {
                        codes.set(row, *code);
                    }
                }
                Cells::One(codes)
            }
            b"m" => Cells::Many {
                ends: self.numbers(|bytes| u64::from_le_bytes(bytes) as usize)?,
                rows: self.numbers(u32::from_le_bytes)?,
            },
            _ => return Err(Damaged),
        };
        Ok(Column { dictionary, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::Damaged;
    use crate::{Column, ColumnBuilder, ValueRef};

    fn columns() -> Vec<Column> {
        let texts = ["", "a", "änd", "b"].map(ValueRef::Text);
        let integers = [-3, 0, 7, i64::MAX].map(ValueRef::Integer);
        let reals = [-0.5, 0.0, 1.5, f64::MAX].map(ValueRef::Real);
        let mut all = Vec::new();
        let both = [reals[0], texts[0], reals[3], texts[2]];
        for values in [texts, integers, reals, both] {
            for has_many in [false, true] {
                let mut builder = ColumnBuilder::new(has_many);
                for (value, row) in values.into_iter().zip([5, 2, 70_000, 3]) {
                    builder.push(row, value);
                }
                all.push(builder.build());
            }
        }
        all.push(Column::default());
        all
    }

    #[test]
    fn a_column_is_read_as_it_was_written() {
        for column in columns() {
            assert_eq!(Column::of_bytes(&column.to_bytes()), Ok(column));
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        for column in columns() {
            let bytes = column.to_bytes();
            for end in 0..bytes.len().min(200) {
                assert_eq!(Column::of_bytes(&bytes[..end]), Err(Damaged));
            }
            for at in (0..bytes.len()).step_by(7) {
                let mut bytes = bytes.clone();
                bytes[at] ^= 0x10;
                assert_eq!(Column::of_bytes(&bytes), Err(Damaged), "byte {at}");
            }
        }
    }
}
