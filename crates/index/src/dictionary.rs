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
    Reals(Vec<f64>),
    /// All texts in one, and the end of each.
    Texts(String, Vec<u32>),
}

impl Default for Dictionary {
    fn default() -> Self {
        Self::Texts(String::new(), Vec::new())
    }
}

impl Dictionary {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Reals(values) => values.len(),
            Self::Texts(_, ends) => ends.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Integers(_) | Self::Reals(_) => self.len() * 8,
            Self::Texts(texts, ends) => texts.len() + ends.len() * 4,
        }
    }

    pub(crate) fn value(&self, index: usize) -> Value {
        match self {
            Self::Integers(values) => Value::Integer(values[index]),
            Self::Reals(values) => Value::Real(values[index]),
            Self::Texts(texts, ends) => Value::Text(text_at(texts, ends, index).to_owned()),
        }
    }

    fn order(&self, index: usize, value: &Value) -> Ordering {
        match (self, value) {
            (Self::Texts(texts, ends), Value::Text(text)) => {
                text_at(texts, ends, index).cmp(text.as_str())
            }
            _ => self.value(index).order(value),
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
        if self.is_empty() {
            *self = match value {
                ValueRef::Integer(_) => Self::Integers(Vec::new()),
                ValueRef::Real(_) => Self::Reals(Vec::new()),
                _ => Self::default(),
            };
        }
        match (&mut *self, value) {
            (Self::Integers(values), ValueRef::Integer(value)) => {
                if values.last() != Some(&value) {
                    values.push(value);
                }
            }
            (Self::Reals(values), ValueRef::Real(value)) => {
                if values.last() != Some(&value) {
                    values.push(value);
                }
            }
            (Self::Texts(texts, ends), ValueRef::Text(text)) => {
                let last = ends.len().checked_sub(1);
                let last = last.map(|last| text_at(texts, ends, last));
                if last != Some(text) {
                    texts.push_str(text);
                    ends.push(u32::try_from(texts.len()).unwrap_or(u32::MAX));
                }
            }
            // A column has values of one type.
            _ => return 0,
        }
        Code::try_from(self.len()).unwrap_or(Code::MAX)
    }

    /// Returns, for each text, whether it contains another.
    pub(crate) fn containing(&self, part: &str) -> Vec<bool> {
        let mut found = vec![part.is_empty(); self.len()];
        let Self::Texts(texts, ends) = self else {
            return found;
        };
        let finder = memmem::Finder::new(part);
        let (mut from, mut index) = (0, 0);
        while !part.is_empty()
            && let Some(at) = finder.find(&texts.as_bytes()[from..])
        {
            let at = from + at;
            while ends[index] as usize <= at {
                index += 1;
            }
            let end = ends[index] as usize;
            // Beyond the end of its text, a match is of two texts.
            let is_inside = at + part.len() <= end;
            found[index] |= is_inside;
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
            codes.push(match self {
                Self::Texts(texts, ends) => {
                    let text = text_at(texts, ends, index);
                    merged.push(ValueRef::Text(text))
                }
                _ => merged.push((&self.value(index)).into()),
            });
        }
        for new in more {
            merged.push(new.into());
        }
        (merged, codes)
    }
}

fn text_at<'a>(texts: &'a str, ends: &[u32], index: usize) -> &'a str {
    let start = index
        .checked_sub(1)
        .map_or(0, |before| ends[before] as usize);
    &texts[start..ends[index] as usize]
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
