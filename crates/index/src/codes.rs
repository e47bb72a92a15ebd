//! The code of each row of a column.
//!
//! They are in blocks, and a block without rows of the workspace is left out. So a column is as large as
//! its workspace, however many rows the other workspaces have between.

use crate::RowSet;
use crate::dictionary::Code;

/// Rows per block. A multiple of 64, so that a block fills whole words of a `RowSet`. Imports add
/// thousands of rows in a row.
pub(crate) const BLOCK: usize = 1024;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Codes {
    blocks: Vec<Option<Box<[Code; BLOCK]>>>,
}

impl Codes {
    /// Returns the code of a row; 0 if it has no value.
    pub(crate) fn get(&self, row: usize) -> Code {
        let block = self.blocks.get(row / BLOCK).and_then(Option::as_ref);
        block.map_or(0, |block| block[row % BLOCK])
    }

    pub(crate) fn set(&mut self, row: usize, code: Code) {
        let at = row / BLOCK;
        if at >= self.blocks.len() {
            self.blocks.resize(at + 1, None);
        }
        if code > 0 || self.blocks[at].is_some() {
            self.blocks[at].get_or_insert_with(|| Box::new([0; BLOCK]))[row % BLOCK] = code;
        }
    }

    /// Replaces each code by another; that of rows without a value stays.
    pub(crate) fn replace(&mut self, new: &[Code]) {
        for code in self
            .blocks
            .iter_mut()
            .flatten()
            .flat_map(|block| &mut **block)
        {
            *code = new[*code as usize];
        }
    }

    /// Returns the number of the first row of each block, with its codes.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (usize, &[Code; BLOCK])> {
        let blocks = self.blocks.iter().enumerate();
        blocks.filter_map(|(at, block)| Some((at * BLOCK, &**block.as_ref()?)))
    }

    /// Returns the rows with these codes.
    pub(crate) fn rows_with(&self, codes: &RowSet) -> RowSet {
        let mut rows = RowSet::default();
        for (first, block) in self.blocks() {
            rows.append(first, BLOCK, |row| codes.contains(block[row] as usize));
        }
        rows
    }

    pub(crate) fn bytes(&self) -> usize {
        let blocks = self.blocks.iter().flatten().count();
        self.blocks.len() * size_of::<usize>() + blocks * BLOCK * size_of::<Code>()
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Codes};
    use crate::RowSet;

    #[test]
    fn rows_far_apart_take_no_memory_between() {
        let mut codes = Codes::default();
        for (row, code) in [(3, 1), (1_000_000, 2), (1_000_001, 3), (5_000_000, 0)] {
            codes.set(row, code);
        }
        assert_eq!(
            [3, 4, 1_000_001, 9_000_000].map(|row| codes.get(row)),
            [1, 0, 3, 0]
        );
        assert_eq!(codes.blocks().count(), 2);
        assert!(codes.bytes() < 3 * BLOCK * 4 + 5_000_000 / BLOCK * 9);
        let found = codes.rows_with(&RowSet::of(4, |code| code >= 2));
        assert_eq!(found.rows().collect::<Vec<_>>(), [1_000_000, 1_000_001]);
        codes.replace(&[0, 7, 8, 9]);
        assert_eq!(codes.get(1_000_000), 8);
        codes.set(3, 0);
        assert_eq!(codes.get(3), 0);
    }
}
