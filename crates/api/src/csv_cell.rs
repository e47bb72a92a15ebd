//! CSV files that people open in a spreadsheet program: RFC 4180, and no cell is a formula.

use std::borrow::Cow;

/// The start of a file: the byte order mark. Without it, some programs guess the encoding.
pub const MARK: &str = "\u{feff}";

/// Returns whether a spreadsheet program would run a cell as a formula. An apostrophe before it makes it
/// text.
pub fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

/// Returns a cell with an apostrophe if it would be run as a formula. One that looks as if it had the apostrophe
/// already gets another, so that [`unguarded`] returns each cell exactly.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    match is_formula(cell.trim_start_matches('\'')) {
        true => ["'", cell].concat().into(),
        false => cell.into(),
    }
}

/// Returns a cell as it was before it was written.
pub fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => cell,
    }
}

/// Appends one line with its CRLF. Cells are quoted where needed.
pub fn line(text: &mut String, cells: &[impl AsRef<str>]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        write_cell(text, cell.as_ref());
    }
    text.push_str("\r\n");
}

fn write_cell(text: &mut String, cell: &str) {
    let cell = guarded(cell);
    if cell.contains([',', '"', '\r', '\n']) {
        text.push('"');
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(&cell);
    }
}
