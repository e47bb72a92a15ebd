//! Turns lines of JSONL into values by column.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::encoding::text;
use super::line_values::LineValues;
use super::mapping::{Mapping, Override};
use super::{FileError, file_limits};

/// Limit on the columns that are mapped to fields. A file in which every line has its own keys must
/// not fill the memory with headers; further keys are stored without mapping.
const KNOWN_COLUMNS: usize = 500;

/// Reads objects. Their keys become columns when they first appear.
pub(super) struct Objects {
    overrides: Vec<Override>,
    headers: Vec<String>,
    known: HashMap<String, usize>,
    pub(super) mapping: Mapping,
}

impl Objects {
    /// Starts with the columns of the first object, so that `--map` can be checked against them.
    pub(super) fn new(first: &[u8], overrides: Vec<Override>) -> Result<Self, FileError> {
        let mut objects = Self {
            mapping: Mapping::new(&[], &[])?,
            overrides: Vec::new(),
            headers: Vec::new(),
            known: HashMap::new(),
        };
        // An error in this line is reported when the line itself is read.
        if let Ok(members) = object(first).and_then(flat_members) {
            objects.by_column(members)?;
        }
        objects.mapping = Mapping::new(&objects.headers, &overrides)?;
        objects.overrides = overrides;
        Ok(objects)
    }

    pub(super) fn values(&mut self, bytes: &[u8]) -> Result<LineValues, String> {
        let members = flat_members(object(bytes)?)?;
        self.by_column(members).map_err(|error| error.to_string())
    }

    /// # Errors
    /// If a new key is the name to which another column is renamed. The key is not known then.
    fn by_column(&mut self, object: Vec<(String, Value)>) -> Result<LineValues, FileError> {
        let mut values = vec![None; self.headers.len()];
        let mut more = Map::new();
        let columns = self.headers.len();
        for (key, value) in object {
            let column = match self.known.get(&key) {
                Some(column) => *column,
                None if self.headers.len() >= KNOWN_COLUMNS => {
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
            match Mapping::new(&self.headers, &self.overrides) {
                Ok(mut mapping) => {
                    mapping.date_orders.append(&mut self.mapping.date_orders);
                    self.mapping = mapping;
                }
                Err(error) => {
                    for header in self.headers.drain(columns..) {
                        self.known.remove(&header);
                    }
                    return Err(error);
                }
            }
        }
        Ok((values, more))
    }
}

fn object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(&text(bytes)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("the line is JSON, but not an object".into()),
        Err(error) => Err(format!("the line is not JSON: {error}")),
    }
}

/// Flattens inner objects: their members are named `outer.inner`.
///
/// # Errors
/// If there are too many members, or a name is too long. Each inner name repeats the outer ones, so
/// a short line could otherwise produce names of many times its length.
fn flat_members(object: Map<String, Value>) -> Result<Vec<(String, Value)>, String> {
    let mut members = Vec::new();
    flatten("", object, &mut members)?;
    Ok(members)
}

fn flatten(
    outer: &str,
    object: Map<String, Value>,
    members: &mut Vec<(String, Value)>,
) -> Result<(), String> {
    for (key, value) in object {
        let name = if outer.is_empty() {
            key
        } else {
            format!("{outer}.{key}")
        };
        if let Some(shown) = file_limits::too_long(&name) {
            return Err(format!(
                "the key {shown:?} is longer than {} characters",
                file_limits::NAME
            ));
        }
        match value {
            Value::Object(inner) if !inner.is_empty() => flatten(&name, inner, members)?,
            _ if members.len() >= file_limits::COLUMNS => {
                return Err(format!(
                    "the line has more than {} keys",
                    file_limits::COLUMNS
                ));
            }
            value => members.push((name, value)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{KNOWN_COLUMNS, Objects};
    use crate::draft::{Draft, draft};
    use serde_json::{Value, json};

    fn drafted(objects: &mut Objects, line: u64, text: &[u8]) -> Result<Draft, String> {
        let (values, more) = objects.values(text)?;
        let mut draft = draft(line, &objects.mapping, &values)?;
        draft.custom_data.extend(more);
        Ok(draft)
    }

    #[test]
    fn nested_objects_are_read() {
        let text = br#"{"name": "Ana", "current_account": {"name": "Acme", "industry": "Software"},
            "lists": ["A", "B"], "score": 4.5, "deep": {"er": [1, {"x": null}]}, "empty": "  "}"#;
        let mut objects = Objects::new(text, Vec::new()).unwrap();
        let draft = drafted(&mut objects, 1, text).unwrap();
        assert_eq!(draft.lead.name.as_deref(), Some("Ana"));
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
    fn later_objects_may_have_new_keys() {
        let mut objects = Objects::new(br#"{"name": "Ana"}"#, Vec::new()).unwrap();
        let draft = drafted(&mut objects, 1, br#"{"email": "bo@acme.example"}"#).unwrap();
        assert_eq!(draft.lead.email.as_deref(), Some("bo@acme.example"));
        assert_eq!(draft.lead.name, None);
    }

    #[test]
    fn a_later_key_with_the_name_of_a_renamed_column_rejects_only_its_line() {
        let first = br#"{"name": "Ana", "Deal": 1}"#;
        let overrides = vec!["Deal=custom_data.Size".parse().unwrap()];
        let mut objects = Objects::new(first, overrides).unwrap();
        let draft = drafted(&mut objects, 1, first).unwrap();
        assert_eq!(Value::Object(draft.custom_data), json!({"Size": 1}));
        let error = drafted(&mut objects, 2, br#"{"name": "Bo", "Size": 5}"#).unwrap_err();
        assert!(
            error.contains("two columns would be kept as \"Size\""),
            "{error}"
        );
        let line = br#"{"name": "Cleo", "Deal": 2, "email": "cleo@acme.example", "Plan": "b"}"#;
        let draft = drafted(&mut objects, 3, line).unwrap();
        assert_eq!(draft.lead.email.as_deref(), Some("cleo@acme.example"));
        assert_eq!(draft.custom_data["Size"], 2);
        assert_eq!(draft.custom_data["Plan"], "b");
    }

    #[test]
    fn values_other_than_objects_are_reported() {
        let mut objects = Objects::new(b"{}", Vec::new()).unwrap();
        let error =
            |objects: &mut Objects, text: &str| drafted(objects, 1, text.as_bytes()).unwrap_err();
        assert!(error(&mut objects, "{\"a\":").starts_with("the line is not JSON: EOF"));
        assert_eq!(
            error(&mut objects, "[1]"),
            "the line is JSON, but not an object"
        );
    }

    #[test]
    fn too_many_or_too_long_keys_reject_only_their_line() {
        let mut objects = Objects::new(b"{}", Vec::new()).unwrap();
        let error = |objects: &mut Objects, value: &Value| {
            let text = value.to_string();
            drafted(objects, 1, text.as_bytes()).unwrap_err()
        };
        let many: serde_json::Map<_, _> = (0..1001)
            .map(|number| (number.to_string(), json!(1)))
            .collect();
        assert_eq!(
            error(&mut objects, &Value::Object(many.clone())),
            "the line has more than 1000 keys"
        );
        assert_eq!(
            error(&mut objects, &json!({"name": "Ana", "more": many})),
            "the line has more than 1000 keys"
        );
        let long = "é".repeat(201);
        let message = format!(
            "the key \"{}…\" is longer than 200 characters",
            "é".repeat(40)
        );
        assert_eq!(error(&mut objects, &json!({&long: 1})), message);
        assert_eq!(
            error(&mut objects, &json!({&long: {"a": 1, "b": 2}})),
            message
        );
        // The limit applies to the joined name.
        let half = "k".repeat(120);
        let message = error(&mut objects, &json!({&half: {&half: 1}}));
        assert!(
            message.ends_with("is longer than 200 characters"),
            "{message}"
        );
        let most = "é".repeat(200);
        let line = json!({"name": "Ana", &most: 1}).to_string();
        let draft = drafted(&mut objects, 1, line.as_bytes()).unwrap();
        assert_eq!(draft.custom_data[&most], 1);
    }

    #[test]
    fn ever_new_keys_do_not_grow_the_header_list() {
        let mut objects = Objects::new(b"{}", Vec::new()).unwrap();
        for number in 0..2000 {
            let text = format!("{{\"name\": \"A\", \"key{number}\": {number}}}");
            let draft = drafted(&mut objects, 1, text.as_bytes()).unwrap();
            assert_eq!(draft.custom_data[&format!("key{number}")], number);
        }
        assert_eq!(objects.headers.len(), KNOWN_COLUMNS);
    }
}
