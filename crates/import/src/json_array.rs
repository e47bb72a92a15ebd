//! Reads one JSON array as JSONL: each element becomes a line.

use std::io::{self, BufRead, Read};

/// Changes only bytes outside texts: the brackets of the array, the commas between its elements, and line breaks
/// within them. So the file is never in memory, and the number of a line is that of its element.
pub(super) struct JsonArray<R> {
    source: R,
    depth: usize,
    place: Place,
}

enum Place {
    BetweenTexts,
    InText,
    /// After a backslash.
    Escaped,
    /// After the array, where nothing should be. What is there becomes lines that are reported: each begins with a bracket,
    /// so that none is JSON.
    AfterEnd {
        is_line_start: bool,
    },
}

impl<R> JsonArray<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            depth: 0,
            place: Place::BetweenTexts,
        }
    }

    fn line_byte(&mut self, byte: u8) -> u8 {
        match (&self.place, byte) {
            (Place::AfterEnd { .. }, b'\n' | b'\r') => {
                self.place = Place::AfterEnd {
                    is_line_start: true,
                };
            }
            (Place::AfterEnd { is_line_start }, _) => {
                let begins = *is_line_start && !byte.is_ascii_whitespace();
                if begins {
                    self.place = Place::AfterEnd {
                        is_line_start: false,
                    };
                    return b']';
                }
            }
            (Place::InText, b'\\') => self.place = Place::Escaped,
            (Place::InText, b'"') => self.place = Place::BetweenTexts,
            (Place::InText, _) => {}
            (Place::Escaped, _) => self.place = Place::InText,
            (Place::BetweenTexts, b'"') => self.place = Place::InText,
            (Place::BetweenTexts, b'[' | b'{') => {
                self.depth += 1;
                if self.depth == 1 {
                    return b' ';
                }
            }
            (Place::BetweenTexts, b']' | b'}') => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.place = Place::AfterEnd {
                        is_line_start: true,
                    };
                    return b'\n';
                }
            }
            (Place::BetweenTexts, b',') if self.depth == 1 => return b'\n',
            (Place::BetweenTexts, b'\n' | b'\r') => return b' ',
            (Place::BetweenTexts, _) => {}
        }
        byte
    }
}

impl<R: BufRead> Read for JsonArray<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(out)?;
        for byte in &mut out[..length] {
            *byte = self.line_byte(*byte);
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::JsonArray;
    use std::io::Read;

    fn lines(text: &str) -> Vec<String> {
        let mut out = String::new();
        JsonArray::new(text.as_bytes())
            .read_to_string(&mut out)
            .unwrap();
        let lines = out.split('\n').map(str::trim);
        lines.map(str::to_owned).collect()
    }

    #[test]
    fn each_element_is_a_line() {
        assert_eq!(
            lines("\n[{\"a\": 1},\r\n {\"b\":\n [2, {\"c\": 3}]}\n]\n"),
            [r#"{"a": 1}"#, r#"{"b":  [2, {"c": 3}]}"#, "", ""]
        );
        assert_eq!(lines("[]"), ["", ""]);
    }

    #[test]
    fn texts_stay_as_they_are() {
        let object = r#"{"a": "],[{\"", "b\\": "\\"}"#;
        assert_eq!(lines(&format!("[{object},{object}]")), [object, object, ""]);
    }

    #[test]
    fn what_follows_the_array_is_a_line_that_is_no_json() {
        assert_eq!(
            lines("[1] x\n {\"a\": [2, 3]}"),
            ["1", "]", "]\"a\": [2, 3]}"]
        );
        assert_eq!(lines("[{\"a\": 1}, {\"b\""), ["{\"a\": 1}", "{\"b\""]);
    }
}
