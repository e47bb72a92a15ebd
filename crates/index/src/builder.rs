//! Columns from rows that are read one after the other.

use std::collections::HashMap;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use lead_workspace_logic::filter::Value;

use crate::codes::Codes;
use crate::column::{Cells, Column};
use crate::dictionary::Code;
use crate::value_ref::ValueRef;

/// A column while its rows are read, in any order. Each distinct value has a place, from 1, in the order in which they were
/// found.
#[derive(Debug)]
pub struct ColumnBuilder {
    numbers: HashMap<Bits, Code>,
    texts: DistinctTexts,
    places: Places,
}

#[derive(Debug)]
enum Places {
    One(Codes),
    Many(Vec<(Code, u32)>),
}

/// An integer or the bits of a real number. A column has only one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Bits {
    Integer(i64),
    Real(u64),
}

/// Distinct texts, all in one: an allocation for each would take a third of the time of loading a million rows.
#[derive(Debug, Default)]
struct DistinctTexts {
    joined: String,
    found: HashTable<DistinctText>,
    hasher: DefaultHashBuilder,
}

#[derive(Clone, Copy, Debug)]
struct DistinctText {
    start: u32,
    end: u32,
    place: Code,
}

impl DistinctText {
    fn of(self, joined: &str) -> &str {
        &joined[self.start as usize..self.end as usize]
    }
}

impl DistinctTexts {
    /// Returns the place of a text. If it is new, that is `next`.
    fn place(&mut self, text: &str, next: Code) -> Code {
        let Self {
            joined,
            found,
            hasher,
        } = self;
        let hash = hasher.hash_one(text);
        let is_same = |one: &DistinctText| one.of(joined) == text;
        if let Some(known) = found.find(hash, is_same) {
            return known.place;
        }
        let start = joined.len() as u32;
        joined.push_str(text);
        let new = DistinctText {
            start,
            end: joined.len() as u32,
            place: next,
        };
        found.insert_unique(hash, new, |one| hasher.hash_one(one.of(joined)));
        next
    }

    /// Returns them in order, with their places.
    fn in_order(&self) -> impl Iterator<Item = (&str, Code)> {
        let mut found: Vec<DistinctText> = self.found.iter().copied().collect();
        found.sort_unstable_by_key(|one| one.of(&self.joined));
        let texts = found.into_iter();
        texts.map(|one| (one.of(&self.joined), one.place))
    }
}

impl ColumnBuilder {
    /// Starts a column; `has_many` says whether a row can have several values.
    pub fn new(has_many: bool) -> Self {
        Self {
            numbers: HashMap::new(),
            texts: DistinctTexts::default(),
            places: if has_many {
                Places::Many(Vec::new())
            } else {
                Places::One(Codes::default())
            },
        }
    }

    fn len(&self) -> usize {
        self.numbers.len() + self.texts.found.len()
    }

    /// Adds a value of a row. Rows are numbered from 1.
    pub fn push(&mut self, row: u32, value: ValueRef<'_>) {
        let next = (self.len() + 1) as Code;
        let place = match value {
            ValueRef::Integer(number) => *self.numbers.entry(Bits::Integer(number)).or_insert(next),
            ValueRef::Real(number) => {
                let bits = Bits::Real(number.to_bits());
                *self.numbers.entry(bits).or_insert(next)
            }
            ValueRef::Text(text) => self.texts.place(text, next),
        };
        match &mut self.places {
            Places::One(codes) => codes.set(row as usize, place),
            Places::Many(pairs) => pairs.push((place, row)),
        }
    }

    /// Returns the column, with its values in order.
    pub fn build(self) -> Column {
        let len = self.len();
        let numbers = self.numbers.into_iter().map(|(number, place)| {
            let value = match number {
                Bits::Integer(number) => Value::Integer(number),
                Bits::Real(bits) => Value::Real(f64::from_bits(bits)),
            };
            (value, place)
        });
        let mut numbers: Vec<(Value, Code)> = numbers.collect();
        numbers.sort_unstable_by(|(one, _), (other, _)| one.order(other));
        let numbers = numbers.iter().map(|(value, place)| (value.into(), *place));
        let texts = self.texts.in_order();
        let texts = texts.map(|(text, place)| (ValueRef::Text(text), place));
        let mut column = Column::default();
        let mut new_codes = vec![0; len + 1];
        for (value, place) in numbers.chain(texts) {
            new_codes[place as usize] = column.dictionary.push(value);
        }
        column.cells = match self.places {
            Places::One(mut codes) => {
                codes.replace(&new_codes);
                Cells::One(codes)
            }
            Places::Many(mut pairs) => {
                for (code, _) in &mut pairs {
                    *code = new_codes[*code as usize];
                }
                pairs.sort_unstable();
                pairs.dedup();
                let mut ends = vec![0; len];
                for (at, (code, _)) in pairs.iter().enumerate() {
                    ends[*code as usize - 1] = at + 1;
                }
                let rows = pairs.into_iter().map(|(_, row)| row).collect();
                Cells::Many { ends, rows }
            }
        };
        column
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnBuilder, ValueRef};

    #[test]
    fn a_row_has_each_of_its_values_once() {
        let mut builder = ColumnBuilder::new(true);
        for (row, text) in [(7, "b"), (3, "b"), (7, "a"), (7, "b"), (2, "c")] {
            builder.push(row, ValueRef::Text(text));
        }
        let column = builder.build();
        let rows = |text: &str| {
            let rows = column.rows_of_value(&text.into());
            rows.rows().collect::<Vec<_>>()
        };
        assert_eq!(
            [rows("a"), rows("b"), rows("c")],
            [vec![7], vec![3, 7], vec![2]]
        );
        assert_eq!(column.counts(None), [1, 2, 1]);
    }
}
