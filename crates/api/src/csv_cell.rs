//! Cells of CSV files that people open in a spreadsheet program.

/// Returns whether a spreadsheet program would run a cell as a formula. An apostrophe before it makes it
/// text.
pub fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}
