//! JSON text of values that are already in memory.

use std::fmt::Write;

use serde_json::{Number, Value};

/// The JSON text of a value, without spaces.
///
/// It says the same as `Value::to_string`. That brings serde_json's float writer along, whose tables
/// alone weigh 10 kB compressed in the Wasm; the numbers of a request do not need its speed.
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
        Value::String(text) => write_string(text, out),
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
                write_string(name, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
    }
}

fn write_number(number: &Number, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = if let Some(integer) = number.as_u64() {
        write!(out, "{integer}")
    } else if let Some(integer) = number.as_i64() {
        write!(out, "{integer}")
    } else {
        // A `Number` is finite. The shortest digits that read back as the same float; a whole one
        // keeps its point, as serde_json writes it.
        let float = number.as_f64().unwrap_or_default();
        let point = if float.fract() == 0.0 { ".0" } else { "" };
        write!(out, "{float}{point}")
    };
}

fn write_string(text: &str, out: &mut String) {
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
