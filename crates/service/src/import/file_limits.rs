//! Limits on what one file may request. Real exports stay below them; beyond them a small file
//! could take hours of processor time, or all memory.

use super::{ImportError, ImportOptions};

/// Columns of a CSV file, or names in one object of JSONL.
pub(super) const COLUMNS: usize = 1_000;

/// Columns that `--map` (`map=`) may name.
pub(super) const OVERRIDES: usize = 100;

/// Characters in the name of a column, a list, a campaign or a file.
pub(crate) const NAME: usize = 200;

/// Size of a workbook, in bytes: it is kept in memory while it is read.
pub(crate) const WORKBOOK: usize = 64 << 20;

/// Lists that one line may name.
pub(super) const LISTS: usize = 100;

/// Length at which an error cuts off a name, in characters.
const MAX_SHOWN: usize = 40;

/// Columns that an error lists.
const NAMED: usize = 50;

impl ImportOptions {
    /// Checks the options against the limits.
    ///
    /// # Errors
    /// The parameter that exceeds a limit, and the error.
    pub fn check(&self) -> Result<(), (&'static str, ImportError)> {
        if self.overrides.len() > OVERRIDES {
            return Err(("map", ImportError::TooManyOverrides(self.overrides.len())));
        }
        match self.list.as_deref().and_then(too_long) {
            Some(shown) => Err(("list", ImportError::LongList(shown))),
            None => Ok(()),
        }
    }
}

/// Returns the beginning of a name if the name is too long.
pub(super) fn too_long(name: &str) -> Option<String> {
    // Most names need no counting: they are already short enough in bytes.
    if name.len() <= NAME || name.chars().count() <= NAME {
        return None;
    }
    let start: String = name.chars().take(MAX_SHOWN).collect();
    Some(format!("{start}…"))
}

/// Lists columns for an error message.
pub(super) fn named(headers: &[String]) -> String {
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
