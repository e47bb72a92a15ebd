//! A set of rows of one table.

use super::StoreError;
use super::db::{Db, Value};
use super::sql::{Conditions, numbers};

/// Up to this many rows are looked up one by one. For more it is faster to scan an index and to test
/// each row number (measured with 100,000 leads).
const FEW: usize = 3_000;

/// Row numbers, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RowSet {
    words: Vec<u64>,
}

impl RowSet {
    /// Reads the rows that match the conditions; `table` is e.g. `leads l`.
    pub(super) fn read(
        db: Db<'_>,
        table: &str,
        conditions: &Conditions,
    ) -> Result<Self, StoreError> {
        let alias = table.split(' ').next_back().unwrap_or_default();
        let sql = format!("SELECT {alias}.id FROM {table} WHERE {}", conditions.text());
        let mut set = Self::default();
        db.each(&sql, &conditions.values(), |row| {
            // Rows are numbered from 1.
            let number: i64 = row.get(0)?;
            set.add(usize::try_from(number).unwrap_or_default());
            Ok::<_, StoreError>(())
        })?;
        Ok(set)
    }

    pub(super) fn add(&mut self, row: usize) {
        let word = row / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (row % 64);
    }

    pub(super) fn contains(&self, row: usize) -> bool {
        let word = self.words.get(row / 64);
        word.is_some_and(|word| word & (1 << (row % 64)) != 0)
    }

    /// Keeps only the rows that are also in `other`.
    pub(super) fn intersect(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Adds the rows of `other`.
    pub(super) fn unite(&mut self, other: &Self) {
        let longer = self.words.len().max(other.words.len());
        self.words.resize(longer, 0);
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Removes the rows of `other`.
    pub(super) fn subtract(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    pub(super) fn len(&self) -> usize {
        let ones = self.words.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Returns the rows in order.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.checked_sub(1)?;
                Some(at * 64 + bit)
            })
        })
    }

    /// Builds the set of rows with a property, for rows below `end`.
    pub(super) fn of(end: usize, has: impl FnMut(usize) -> bool) -> Self {
        let mut set = Self::default();
        set.append(0, end, has);
        set
    }

    /// Adds those of the next rows that have a property. `first` is a multiple of 64 and beyond all
    /// rows so far; the property is asked by the distance from it.
    pub(super) fn append(&mut self, first: usize, rows: usize, mut has: impl FnMut(usize) -> bool) {
        self.words.resize(first / 64, 0);
        self.words.extend((0..rows).step_by(64).map(|from| {
            let bits = from..rows.min(from + 64);
            bits.fold(0, |word, row| word | u64::from(has(row)) << (row % 64))
        }));
    }

    /// Restricts a table to these rows. `row` is its expression for the row number.
    pub(super) fn add_to(&self, conditions: &mut Conditions, row: &str) {
        if self.len() <= FEW {
            let few: Vec<i64> = self.rows().map(|row| row as i64).collect();
            let few = conditions.value(numbers(&few));
            conditions.and(&format!("{row} IN (SELECT value FROM json_each({few}))"));
        } else {
            let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
            let bits = conditions.value(Value::Blob(bytes.collect()));
            conditions.and(&format!("has_bit({bits}, {row})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RowSet;

    fn set(rows: &[usize]) -> RowSet {
        let mut set = RowSet::default();
        for row in rows {
            set.add(*row);
        }
        set
    }

    #[test]
    fn sets_are_combined_row_by_row() {
        let (few, many) = (set(&[1, 64, 200]), set(&[0, 1, 63, 64, 65]));
        let combined = |combine: fn(&mut RowSet, &RowSet), one: &RowSet, other: &RowSet| {
            let mut one = one.clone();
            combine(&mut one, other);
            one.rows().collect::<Vec<_>>()
        };
        assert_eq!(combined(RowSet::intersect, &few, &many), [1, 64]);
        assert_eq!(combined(RowSet::intersect, &many, &few), [1, 64]);
        assert_eq!(
            combined(RowSet::unite, &many, &few),
            [0, 1, 63, 64, 65, 200]
        );
        assert_eq!(combined(RowSet::subtract, &few, &many), [200]);
        assert_eq!(combined(RowSet::subtract, &many, &few), [0, 63, 65]);
        assert_eq!(few.len(), 3);
        assert!(few.contains(200) && !few.contains(199) && !few.contains(10_000));
        let odd = RowSet::of(131, |row| row % 65 == 0);
        assert_eq!(odd.rows().collect::<Vec<_>>(), [0, 65, 130]);
    }
}
