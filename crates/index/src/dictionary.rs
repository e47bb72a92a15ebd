//! The distinct values of a column, in order.

use std::cmp::Ordering;

use lead_workspace_logic::filter::Value;
use memchr::memmem;

use crate::ValueRef;

/// A value's place in the dictionary plus one; 0 means no value.
pub(crate) type Code = u32;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Dictionary {
    Integers(Vec<i64>),
    /// Reals, and after them texts: a custom field may have both.
    Others(Vec<f64>, Texts),
}

/// All texts in one, and the end of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Texts {
    pub(crate) joined: String,
    pub(crate) ends: Vec<u32>,
}

impl Texts {
    fn get(&self, index: usize) -> &str {
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        &self.joined[start..self.ends[index] as usize]
    }
}

impl Default for Dictionary {
    fn default() -> Self {
        Self::Others(Vec::new(), Texts::default())
    }
}

impl Dictionary {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Others(reals, texts) => reals.len() + texts.ends.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Integers(values) => values.len() * 8,
            Self::Others(reals, texts) => {
                reals.len() * 8 + texts.joined.len() + texts.ends.len() * 4
            }
        }
    }

    pub(crate) fn value(&self, index: usize) -> Value {
        self.value_ref(index).into()
    }

    fn value_ref(&self, index: usize) -> ValueRef<'_> {
        match self {
            Self::Integers(values) => ValueRef::Integer(values[index]),
            Self::Others(reals, texts) => match index.checked_sub(reals.len()) {
                None => ValueRef::Real(reals[index]),
                Some(index) => ValueRef::Text(texts.get(index)),
            },
        }
    }

    fn order(&self, index: usize, value: &Value) -> Ordering {
        match (self.value_ref(index), value) {
            (ValueRef::Text(known), Value::Text(text)) => known.cmp(text.as_str()),
            (known, _) => Value::from(known).order(value),
        }
    }

    /// Returns the number of values for which `is_before` holds; they come first.
    pub(crate) fn first_after(&self, is_before: impl Fn(Ordering) -> bool, value: &Value) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(self.order(middle, value)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the place of a value.
    pub(crate) fn position(&self, value: &Value) -> Option<usize> {
        let at = self.first_after(Ordering::is_lt, value);
        (at < self.len() && self.order(at, value).is_eq()).then_some(at)
    }

    /// Adds a value that is not less than the last one, and returns its code.
    pub(crate) fn push(&mut self, value: ValueRef<'_>) -> Code {
        if self.is_empty() && matches!(value, ValueRef::Integer(_)) {
            *self = Self::Integers(Vec::new());
        }
        match (&mut *self, value) {
            (Self::Integers(values), ValueRef::Integer(value)) => {
                if values.last() != Some(&value) {
                    values.push(value);
                }
            }
            (Self::Others(reals, texts), ValueRef::Real(value)) if texts.ends.is_empty() => {
                if reals.last() != Some(&value) {
                    reals.push(value);
                }
            }
            (Self::Others(_, texts), ValueRef::Text(text)) => {
                let last = texts.ends.len().checked_sub(1);
                if last.map(|last| texts.get(last)) != Some(text) {
                    texts.joined.push_str(text);
                    let end = u32::try_from(texts.joined.len()).unwrap_or(u32::MAX);
                    texts.ends.push(end);
                }
            }
            // A column with integers has no other values.
            _ => return 0,
        }
        Code::try_from(self.len()).unwrap_or(Code::MAX)
    }

    /// Returns, for each value, whether its text contains another. The text of a real number has no exponent.
    pub(crate) fn containing(&self, part: &str) -> Vec<bool> {
        let mut found = vec![part.is_empty(); self.len()];
        let Self::Others(reals, texts) = self else {
            return found;
        };
        if part
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte))
        {
            for (found, real) in found.iter_mut().zip(reals) {
                *found |= real.to_string().contains(part);
            }
        }
        let Texts { joined, ends } = texts;
        let finder = memmem::Finder::new(part);
        let (mut from, mut index) = (0, 0);
        while !part.is_empty()
            && let Some(at) = finder.find(&joined.as_bytes()[from..])
        {
            let at = from + at;
            while ends[index] as usize <= at {
                index += 1;
            }
            let end = ends[index] as usize;
            // Beyond the end of its text, a match is of two texts.
            let is_inside = at + part.len() <= end;
            found[reals.len() + index] |= is_inside;
            from = if is_inside { end } else { at + 1 };
        }
        found
    }

    /// Returns this dictionary with more values, and the new code of each old one.
    pub(crate) fn with(&self, more: &[Value]) -> (Self, Vec<Code>) {
        let mut more: Vec<&Value> = more.iter().collect();
        more.sort_by(|a, b| a.order(b));
        let mut more = more.into_iter().peekable();
        let mut merged = Self::default();
        let mut codes = vec![0];
        for index in 0..self.len() {
            while let Some(new) = more.next_if(|new| self.order(index, new).is_gt()) {
                merged.push(new.into());
            }
            codes.push(merged.push(self.value_ref(index)));
        }
        for new in more {
            merged.push(new.into());
        }
        (merged, codes)
    }
}

#[cfg(test)]
mod tests {
    use lead_workspace_logic::filter::Value;

    use super::Dictionary;
    use crate::ValueRef;

    fn texts(texts: &[&str]) -> Dictionary {
        let mut dictionary = Dictionary::default();
        for text in texts {
            dictionary.push(ValueRef::Text(text));
        }
        dictionary
    }

    #[test]
    fn a_part_is_found_inside_of_texts_only() {
        let dictionary = texts(&["", "aab", "ba", "bab", "cab", "d"]);
        let found = |part| -> Vec<usize> {
            let found = dictionary.containing(part).into_iter().enumerate();
            found
                .filter_map(|(at, found)| found.then_some(at))
                .collect()
        };
        assert_eq!(found("ab"), [1, 3, 4]);
        assert_eq!(found("ba"), [2, 3]);
        assert_eq!(found("bb"), [0; 0]);
        assert_eq!(found("d"), [5]);
        assert_eq!(found(""), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn numbers_come_before_texts() {
        let values = [
            Value::Real(-1.5),
            Value::Real(20.0),
            "20".into(),
            "a".into(),
        ];
        let mut dictionary = Dictionary::default();
        let codes = values.each_ref().map(|value| dictionary.push(value.into()));
        assert_eq!(codes, [1, 2, 3, 4]);
        for (at, value) in values.iter().enumerate() {
            assert_eq!(dictionary.position(value), Some(at));
        }
        assert_eq!(dictionary.containing("20"), [false, true, true, false]);
        assert_eq!(dictionary.containing("1.5"), [true, false, false, false]);
        let (merged, codes) = dictionary.with(&["b".into(), Value::Real(3.0)]);
        assert_eq!(codes, [0, 1, 3, 4, 5]);
        assert_eq!(merged.position(&Value::Real(3.0)), Some(1));
        assert_eq!(merged.position(&"b".into()), Some(5));
    }

    #[test]
    fn values_are_merged_in_order() {
        let old = texts(&["b", "d"]);
        let more = ["e", "a", "b", "c", "e"].map(Value::from);
        let (merged, codes) = old.with(&more);
        let all = ["a", "b", "c", "d", "e"];
        assert_eq!(merged.len(), all.len());
        for (at, text) in all.into_iter().enumerate() {
            assert_eq!(merged.position(&text.into()), Some(at));
        }
        assert_eq!(codes, [0, 2, 4]);
        assert_eq!(merged.position(&"cc".into()), None);
        let (numbers, codes) = Dictionary::default().with(&[Value::Real(2.5), Value::Real(-1.0)]);
        assert_eq!(numbers.position(&Value::Integer(-1)), Some(0));
        assert_eq!(numbers.position(&Value::Real(2.5)), Some(1));
        assert_eq!(codes, [0]);
    }
}
