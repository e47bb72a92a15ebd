//! Lines of JSONL as values by column.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::lines::Parts;
use super::mapping::{Mapping, Override};
use super::source::text;

/// Columns that are looked at for fields. A file whose every line has keys of its own must not
/// fill the memory with headers; what comes after is kept without a look.
const MOST_COLUMNS: usize = 500;

/// Reads objects. Their keys become columns as they turn up.
pub(super) struct Objects {
    overrides: Vec<Override>,
    headers: Vec<String>,
    known: HashMap<String, usize>,
    pub(super) mapping: Mapping,
}

impl Objects {
    /// Starts with the columns of an object, so that `--map` can be checked against it.
    pub(super) fn new(first: &[u8], overrides: Vec<Override>) -> Result<Self, String> {
        let mut objects = Self {
            mapping: Mapping::new(&[], &[])?,
            overrides: Vec::new(),
            headers: Vec::new(),
            known: HashMap::new(),
        };
        if let Ok(object) = object(first) {
            objects.values(flat(object));
        }
        objects.mapping = Mapping::new(&objects.headers, &overrides)?;
        objects.overrides = overrides;
        Ok(objects)
    }

    /// Takes a line apart.
    pub(super) fn parts(&mut self, bytes: &[u8]) -> Result<Parts, String> {
        Ok(self.values(flat(object(bytes)?)))
    }

    fn values(&mut self, object: Vec<(String, Value)>) -> Parts {
        let mut values = vec![None; self.headers.len()];
        let mut more = Map::new();
        let columns = self.headers.len();
        for (key, value) in object {
            let column = match self.known.get(&key) {
                Some(column) => *column,
                None if self.headers.len() >= MOST_COLUMNS => {
                    more.insert(key, value);
                    continue;
                }
                None => {
                    self.known.insert(key.clone(), self.headers.len());
                    self.headers.push(key);
                    values.push(None);
                    self.headers.len() - 1
                }
            };
            let empty = matches!(&value, Value::Null)
                || value.as_str().is_some_and(|text| text.trim().is_empty());
            values[column] = (!empty).then_some(value);
        }
        if self.headers.len() > columns {
            // Only an override of a header that is missing fails, and that was checked before.
            if let Ok(mapping) = Mapping::new(&self.headers, &self.overrides) {
                self.mapping = mapping;
            }
        }
        (values, more)
    }
}

fn object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(&text(bytes)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("the line is JSON, but no object".into()),
        Err(error) => Err(format!("the line is not JSON: {error}")),
    }
}

/// Members of inner objects stand under `outer.inner`.
fn flat(object: Map<String, Value>) -> Vec<(String, Value)> {
    let mut members = Vec::with_capacity(object.len());
    for (key, value) in object {
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                let inner = flat(inner).into_iter();
                members.extend(inner.map(|(name, value)| (format!("{key}.{name}"), value)));
            }
            value => members.push((key, value)),
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::{MOST_COLUMNS, Objects};
    use crate::import::draft::{Draft, draft};
    use serde_json::{Value, json};

    fn drafted(objects: &mut Objects, line: u64, text: &[u8]) -> Result<Draft, String> {
        let (values, more) = objects.parts(text)?;
        let mut draft = draft(line, &objects.mapping, &values)?;
        draft.custom_data.extend(more);
        Ok(draft)
    }

    #[test]
    fn objects_are_read_with_their_inner_ones() {
        let text = br#"{"name": "Ana", "current_account": {"name": "Acme", "industry": "Software"},
            "lists": ["A", "B"], "score": 4.5, "deep": {"er": [1, {"x": null}]}, "empty": "  "}"#;
        let mut objects = Objects::new(text, Vec::new()).unwrap();
        let draft = drafted(&mut objects, 1, text).unwrap();
        assert_eq!(draft.name.as_deref(), Some("Ana"));
        assert_eq!(draft.lists, ["A", "B"]);
        let company = draft.company.unwrap();
        assert_eq!(company.name.as_deref(), Some("Acme"));
        assert_eq!(company.industry.as_deref(), Some("Software"));
        assert_eq!(
            Value::Object(draft.custom_data),
            json!({"score": 4.5, "deep.er": [1, {"x": null}]})
        );
    }

    #[test]
    fn keys_may_turn_up_later() {
        let mut objects = Objects::new(br#"{"name": "Ana"}"#, Vec::new()).unwrap();
        let draft = drafted(&mut objects, 1, br#"{"email": "bo@acme.example"}"#).unwrap();
        assert_eq!(draft.email.as_deref(), Some("bo@acme.example"));
        assert_eq!(draft.name, None);
    }

    #[test]
    fn what_is_no_object_is_told() {
        let mut objects = Objects::new(b"{}", Vec::new()).unwrap();
        let error =
            |objects: &mut Objects, text: &str| drafted(objects, 1, text.as_bytes()).unwrap_err();
        assert!(error(&mut objects, "{\"a\":").starts_with("the line is not JSON: EOF"));
        assert_eq!(
            error(&mut objects, "[1]"),
            "the line is JSON, but no object"
        );
    }

    #[test]
    fn a_file_of_ever_new_keys_is_kept_without_growing() {
        let mut objects = Objects::new(b"{}", Vec::new()).unwrap();
        for number in 0..2000 {
            let text = format!("{{\"name\": \"A\", \"key{number}\": {number}}}");
            let draft = drafted(&mut objects, 1, text.as_bytes()).unwrap();
            assert_eq!(draft.custom_data[&format!("key{number}")], number);
        }
        assert_eq!(objects.headers.len(), MOST_COLUMNS);
    }
}
