//! A set of rows of one table.

/// Row numbers, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSet {
    words: Vec<u64>,
}

impl RowSet {
    /// Adds a row.
    pub fn add(&mut self, row: usize) {
        let word = row / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (row % 64);
    }

    /// Returns whether a row is in the set.
    pub fn contains(&self, row: usize) -> bool {
        let word = self.words.get(row / 64);
        word.is_some_and(|word| word & (1 << (row % 64)) != 0)
    }

    /// Keeps only the rows that are also in `other`.
    pub fn intersect(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Adds the rows of `other`.
    pub(crate) fn unite(&mut self, other: &Self) {
        let longer = self.words.len().max(other.words.len());
        self.words.resize(longer, 0);
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Removes the rows of `other`.
    pub(crate) fn subtract(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        let ones = self.words.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
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
    pub(crate) fn of(end: usize, has: impl FnMut(usize) -> bool) -> Self {
        let mut set = Self::default();
        set.append(0, end, has);
        set
    }

    /// Adds those of the next rows that have a property. `first` is a multiple of 64 and beyond all
    /// rows so far; the property is asked by the distance from it.
    pub(crate) fn append(&mut self, first: usize, rows: usize, mut has: impl FnMut(usize) -> bool) {
        self.words.resize(first / 64, 0);
        self.words.extend((0..rows).step_by(64).map(|from| {
            let bits = from..rows.min(from + 64);
            bits.fold(0, |word, row| word | u64::from(has(row)) << (row % 64))
        }));
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
