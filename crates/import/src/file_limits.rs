//! Limits on what one file may request. Real exports stay below them; beyond them a small file
//! could take hours of processor time, or all memory.

/// Columns of a CSV file, or names in one object of JSONL.
pub(crate) const COLUMNS: usize = 1_000;

/// Columns of an export of this program, which has one for each name of the user's own data.
pub(crate) const EXPORTED_COLUMNS: usize = 20_000;

/// Columns that `--map` (`map=`) may name.
pub const OVERRIDES: usize = 100;

/// Characters in the name of a column, a list, a campaign or a file.
pub const NAME: usize = 200;

/// Bytes of a text that leads or companies are found by. Names have half of it, as two of them are one key.
pub(crate) const KEY: usize = 2_000;

/// Size of a workbook, in bytes: it is kept in memory while it is read.
pub const WORKBOOK: usize = 64 << 20;

/// Formats of cells in a workbook, as in Excel.
pub(crate) const CELL_FORMATS: usize = 65_490;

/// Bytes of a text in the styles of a workbook. calamine copies some of them for each format.
pub(crate) const STYLE_TEXT: usize = 1_024;

/// Lists that one line may name.
pub(crate) const LISTS: usize = 100;

/// Length at which an error cuts off a name, in characters.
const MAX_SHOWN: usize = 40;

/// Columns that an error lists.
const NAMED: usize = 50;

/// Returns the beginning of a name if the name is too long.
pub fn too_long(name: &str) -> Option<String> {
    // Most names need no counting: they are already short enough in bytes.
    if name.len() <= NAME || name.chars().count() <= NAME {
        return None;
    }
    let start: String = name.chars().take(MAX_SHOWN).collect();
    Some(format!("{start}…"))
}

/// Lists columns for an error message.
pub(crate) fn named(headers: &[String]) -> String {
    let mut text = headers
        .iter()
        .take(NAMED)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    if let Some(more) = headers.len().checked_sub(NAMED).filter(|more| *more > 0) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
