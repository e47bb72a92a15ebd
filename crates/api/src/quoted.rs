//! Quoted text for messages.

use std::fmt::{self, Write};

/// A text in quotation marks, escaped as by `{:?}`.
///
/// Characters beyond ASCII are not escaped: std's tables of printable characters are large in the Wasm.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.0.chars() {
            match char {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\0' => f.write_str("\\0")?,
                control if control.is_control() => write!(f, "\\u{{{:x}}}", u32::from(control))?,
                char => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}
