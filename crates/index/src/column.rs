//! One column: for each row the code of its value, or all rows of each value.

use std::collections::HashSet;

use lead_workspace_logic::filter::Value;

use crate::RowSet;
use crate::codes::Codes;
use crate::dictionary::{Code, Dictionary};

/// The values of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    pub(crate) dictionary: Dictionary,
    pub(crate) cells: Cells,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cells {
    /// The code of each row; at most one value per row.
    One(Codes),
    /// The rows with a value, by code: those of code `c` end at `ends[c - 1]`, and begin where those
    /// of the code before end.
    Many { ends: Vec<usize>, rows: Vec<u32> },
}

impl Default for Cells {
    fn default() -> Self {
        Self::One(Codes::default())
    }
}

impl Column {
    /// Returns its size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.dictionary.bytes()
            + match &self.cells {
                Cells::One(codes) => codes.bytes(),
                Cells::Many { ends, rows } => ends.len() * 8 + rows.len() * 4,
            }
    }

    /// Returns the rows of one value of a column with many values per row.
    fn rows_of(ends: &[usize], index: usize) -> std::ops::Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| ends[before]);
        start..ends[index]
    }

    /// Returns the rows that have one of the chosen values; `chosen` has an entry for each value.
    pub(crate) fn rows_with(&self, chosen: &[bool]) -> RowSet {
        match &self.cells {
            // As bits, the codes of a million values fit into the processor's cache.
            Cells::One(codes) if chosen.contains(&true) => {
                let chosen = RowSet::of(chosen.len() + 1, |code| code > 0 && chosen[code - 1]);
                codes.rows_with(&chosen)
            }
            Cells::One(_) => RowSet::default(),
            Cells::Many { ends, rows } => {
                let mut set = RowSet::default();
                for index in (0..ends.len()).filter(|index| chosen[*index]) {
                    for row in &rows[Self::rows_of(ends, index)] {
                        set.add(*row as usize);
                    }
                }
                set
            }
        }
    }

    /// Returns the rows that have a value.
    pub fn rows_of_value(&self, value: &Value) -> RowSet {
        let mut chosen = vec![false; self.dictionary.len()];
        if let Some(at) = self.dictionary.position(value) {
            chosen[at] = true;
        }
        self.rows_with(&chosen)
    }

    /// Returns the first row that has each of the values at these places, in the order of the rows.
    pub(crate) fn first_rows(&self, places: &HashSet<usize>) -> Vec<i64> {
        let Cells::One(codes) = &self.cells else {
            return Vec::new();
        };
        let mut missing = vec![false; self.dictionary.len() + 1];
        for place in places {
            missing[place + 1] = true;
        }
        let mut rows = Vec::new();
        for (first, codes) in codes.blocks() {
            for (row, code) in codes.iter().enumerate() {
                if std::mem::take(&mut missing[*code as usize]) {
                    rows.push((first + row) as i64);
                }
            }
            if rows.len() == places.len() {
                break;
            }
        }
        rows
    }

    /// Returns how many rows of a set have each value.
    pub fn counts(&self, set: Option<&RowSet>) -> Vec<u32> {
        match &self.cells {
            Cells::One(_) => self.counts_by_code(set).split_off(1),
            Cells::Many { ends, rows } => {
                let count = |index| {
                    let rows = &rows[Self::rows_of(ends, index)];
                    let Some(set) = set else {
                        return rows.len() as u32;
                    };
                    let is_in = |row: &&u32| set.contains(**row as usize);
                    rows.iter().filter(is_in).count() as u32
                };
                (0..ends.len()).map(count).collect()
            }
        }
    }

    /// Returns how many rows of a set have each code, those without a value first.
    fn counts_by_code(&self, set: Option<&RowSet>) -> Vec<u32> {
        let mut counts = vec![0; self.dictionary.len() + 1];
        let Cells::One(codes) = &self.cells else {
            return counts;
        };
        match set {
            Some(set) => {
                for row in set.rows() {
                    counts[codes.get(row) as usize] += 1;
                }
            }
            None => {
                for code in codes.blocks().flat_map(|(_, block)| block) {
                    counts[*code as usize] += 1;
                }
            }
        }
        counts
    }

    /// Returns part of the rows of a set, ordered by value. Rows without a value come last in both
    /// directions; ties are in the order of the rows, in the direction of the sort.
    pub fn page(&self, set: &RowSet, descending: bool, offset: usize, limit: usize) -> Vec<usize> {
        let Cells::One(codes) = &self.cells else {
            return Vec::new();
        };
        let counts = self.counts_by_code(Some(set));
        let count_of = |code: usize| counts[code] as usize;
        let valued = counts.len() - 1;
        // Places in the order, from 0: codes up or down, then those without a value.
        let code_at = |place: usize| match (place == valued, descending) {
            (true, _) => 0,
            (false, false) => place + 1,
            (false, true) => valued - place,
        };
        let (mut first, mut skipped) = (0, 0);
        while first <= valued && skipped + count_of(code_at(first)) <= offset {
            skipped += count_of(code_at(first));
            first += 1;
        }
        // Where the rows of each place begin among those that are gathered.
        let mut starts = Vec::new();
        let mut gathered = 0;
        while first + starts.len() <= valued && skipped + gathered < offset.saturating_add(limit) {
            let code = code_at(first + starts.len());
            starts.push(gathered);
            gathered += count_of(code);
        }
        let mut rows = vec![0; gathered];
        let mut next = starts.clone();
        let mut put = |row: usize| {
            let place = match (codes.get(row) as usize, descending) {
                (0, _) => valued,
                (code, false) => code - 1,
                (code, true) => valued - code,
            };
            let place = place.checked_sub(first);
            if let Some(next) = place.and_then(|place| next.get_mut(place)) {
                rows[*next] = row;
                *next += 1;
            }
        };
        set.rows().for_each(&mut put);
        if descending {
            for (start, end) in starts.iter().zip(&next) {
                rows[*start..*end].reverse();
            }
        }
        let from = offset - skipped.min(offset);
        rows.into_iter().skip(from).take(limit).collect()
    }

    /// Returns the column without values that no row has.
    pub fn without_unused(&self) -> Self {
        let counts = self.counts(None);
        let mut dictionary = Dictionary::default();
        let new_codes = counts.iter().enumerate().map(|(at, count)| match count {
            0 => 0,
            _ => dictionary.push((&self.dictionary.value(at)).into()),
        });
        let new_codes: Vec<Code> = std::iter::once(0).chain(new_codes).collect();
        let cells = match &self.cells {
            Cells::One(codes) => {
                let mut codes = codes.clone();
                codes.replace(&new_codes);
                Cells::One(codes)
            }
            Cells::Many { ends, rows } => {
                let used = ends.iter().zip(&counts).filter(|(_, count)| **count > 0);
                Cells::Many {
                    ends: used.map(|(end, _)| *end).collect(),
                    rows: rows.clone(),
                }
            }
        };
        Self { dictionary, cells }
    }

    /// Applies changes: `changed` are rows, `values` all that these now have.
    pub fn change(&mut self, changed: &HashSet<u32>, values: &[(u32, Value)]) {
        let is_unknown = |(_, value): &&(u32, Value)| self.dictionary.position(value).is_none();
        let unknown = values.iter().filter(is_unknown);
        let unknown: Vec<Value> = unknown.map(|(_, value)| value.clone()).collect();
        let mut new_codes = Vec::new();
        if !unknown.is_empty() {
            (self.dictionary, new_codes) = self.dictionary.with(&unknown);
        }
        let index_of = |value| self.dictionary.position(value).unwrap_or_default();
        match &mut self.cells {
            Cells::One(codes) => {
                if !new_codes.is_empty() {
                    codes.replace(&new_codes);
                }
                for row in changed {
                    codes.set(*row as usize, 0);
                }
                for (row, value) in values {
                    codes.set(*row as usize, index_of(value) as Code + 1);
                }
            }
            Cells::Many { ends, rows } => {
                let mut by_value: Vec<Vec<u32>> = vec![Vec::new(); self.dictionary.len()];
                for index in 0..ends.len() {
                    let new = new_codes
                        .get(index + 1)
                        .map_or(index, |code| *code as usize - 1);
                    let kept = rows[Self::rows_of(ends, index)].iter();
                    by_value[new] = kept.copied().filter(|row| !changed.contains(row)).collect();
                }
                for (row, value) in values {
                    by_value[index_of(value)].push(*row);
                }
                let new_ends = by_value.iter().scan(0, |end, rows| {
                    *end += rows.len();
                    Some(*end)
                });
                *ends = new_ends.collect();
                *rows = by_value.concat();
            }
        }
    }
}
