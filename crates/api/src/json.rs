//! JSON text of values in memory.

use std::fmt::Write;

use serde_json::{Map, Number, Value};

/// Returns the JSON text of a value, without whitespace.
///
/// The text is equivalent to that of `Value::to_string`, which compiles a writer for every kind of formatting
/// and is larger in the Wasm.
pub fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => quote(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                quote(name, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
    }
}

fn write_number(number: &Number, out: &mut String) {
    // Writing to a String cannot fail. serde_json's errors also format floats, so this code is in the Wasm
    // already; the standard library's own float formatting would add 6 kB.
    let _ = write!(out, "{number}");
}

/// Appends a text to `out` as a JSON string.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            char => out.push(char),
        }
    }
    out.push('"');
}

/// Returns an object with these members. Unlike `json!`, whose conversion may panic, it does not add the formatting of
/// serde_json's errors to the Wasm.
pub fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let mut object = Map::new();
    for (name, value) in members {
        object.insert(name.to_owned(), value);
    }
    Value::Object(object)
}
