//! Generates random values that match a schema, and corrupted ones. Every run uses the same values.

use fastrand::Rng;
use serde_json::{Map, Value, json};

pub struct Random(Rng);

impl Random {
    /// Seeds the generator with a name.
    pub fn new(name: &str) -> Self {
        let seed = name.bytes().fold(0, |seed: u64, byte| {
            seed.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        Self(Rng::with_seed(seed))
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.usize(..end)
    }

    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// Returns a value that matches the schema. Sometimes omits members.
    pub fn fitting(&mut self, schema: &Value) -> Value {
        if let Some(choices) = schema["anyOf"].as_array() {
            // Null, the other choice, in one of eight cases.
            let null = self.below(8) == 0;
            return self.fitting(&choices[usize::from(null)]);
        }
        match schema["type"].as_str() {
            Some("null") => Value::Null,
            Some("string") => self.text(schema).into(),
            Some("boolean") => (self.below(2) == 0).into(),
            Some("integer") => self.one_of(&[0, 1, 50, 1999, u32::MAX]).into(),
            Some("number") => self.one_of(&[json!(0), json!(81), json!(12.5), json!(-0.25)]),
            Some("array") => {
                let length = self.below(4);
                (0..length)
                    .map(|_| self.fitting(&schema["items"]))
                    .collect()
            }
            Some("object") => match schema["properties"].as_object() {
                Some(members) => self.object(members),
                None => {
                    let value = self.fitting(&schema["additionalProperties"]);
                    json!({"positive": value, "__proto__": 3, "7": 7})
                }
            },
            _ => self.anything(),
        }
    }

    fn object(&mut self, members: &Map<String, Value>) -> Value {
        let mut object = Map::new();
        for (name, schema) in members {
            if self.below(6) > 0 {
                object.insert(name.clone(), self.fitting(schema));
            }
        }
        if self.below(4) == 0 {
            object.insert("linkedin_id".to_owned(), "n-2".into());
        }
        if self.below(8) == 0 {
            object.insert("added_later".to_owned(), self.anything());
        }
        object.into()
    }

    fn text(&mut self, schema: &Value) -> String {
        let known = schema["examples"].as_array().into_iter().flatten();
        let mut choices: Vec<&str> = known.filter_map(Value::as_str).collect();
        choices.extend([
            "",
            "Ada",
            "Zoë 李雷",
            "👩🏽‍💻",
            "\u{2028}\"\\\n\0",
            "DONE",
            "canceled",
        ]);
        self.one_of(&choices).to_owned()
    }

    fn anything(&mut self) -> Value {
        let one = json!({"done": 3, "total": 4, "deep": [[{"__proto__": {"a": 1}}]]});
        self.one_of(&[
            one,
            json!([]),
            json!("text"),
            json!(0.5),
            json!(40),
            json!({}),
            json!(true),
        ])
    }

    /// Replaces some nested value with an odd one, or removes a member.
    pub fn spoil(&mut self, value: &mut Value) {
        let inside = match value {
            Value::Array(items) => items.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        // Stops before the leaves in one of twelve cases.
        if inside == 0 || self.below(12) == 0 {
            *value = self.odd();
            return;
        }
        let place = self.below(inside);
        match value {
            Value::Array(items) => self.spoil(&mut items[place]),
            Value::Object(members) => {
                let name = members.keys().nth(place).cloned().unwrap_or_default();
                if self.below(10) == 0 {
                    members.remove(&name);
                } else if let Some(member) = members.get_mut(&name) {
                    self.spoil(member);
                }
            }
            _ => {}
        }
    }

    fn odd(&mut self) -> Value {
        self.one_of(&[
            Value::Null,
            json!(true),
            json!(""),
            json!("1999"),
            json!(0),
            json!(-1),
            json!(1.5),
            json!(-0.0),
            json!(4_294_967_296_u64),
            json!(9_223_372_036_854_775_808_u64),
            json!(1e300),
            json!([]),
            json!([null]),
            json!(["a", "b", "c"]),
            json!({}),
            json!({"id": "a"}),
        ])
    }

    /// Corrupts a text so that it is no valid JSON, or no valid UTF-8.
    pub fn spoil_bytes(&mut self, body: &mut Vec<u8>) {
        match self.below(4) {
            0 => body.truncate(self.below(body.len())),
            1 => body.extend_from_slice(b" x"),
            2 => drop(body.splice(0..0, *b"\xef\xbb\xbf")),
            _ => {
                let place = self.below(body.len());
                body[place] = 0xff;
            }
        }
    }
}
