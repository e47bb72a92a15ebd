//! What one file may ask for at most. More than any export has; beyond it a small file could cost
//! hours of a processor, or all memory.

use super::{ImportError, Options};

/// Columns of a CSV file, and names in one object of JSONL.
pub(super) const COLUMNS: usize = 1_000;

/// Columns that `--map` (`map=`) may name.
pub(super) const OVERRIDES: usize = 100;

/// Characters in the name of a column, a list, a campaign or a file.
pub(super) const NAME: usize = 200;

/// Lists that one line may put its lead on.
pub(super) const LISTS: usize = 100;

/// Characters of a name that is too long, as an error shows it.
const SHOWN: usize = 40;

/// Columns that an error names.
const NAMED: usize = 50;

impl Options {
    /// Refuses options beyond the limits.
    ///
    /// # Errors
    /// Which limit, with the parameter that exceeds it.
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

/// The beginning of a name, if it has too many characters.
pub(super) fn too_long(name: &str) -> Option<String> {
    // Most names are short in bytes already.
    if name.len() <= NAME || name.chars().count() <= NAME {
        return None;
    }
    let start: String = name.chars().take(SHOWN).collect();
    Some(format!("{start}…"))
}

/// Columns as an error names them.
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
