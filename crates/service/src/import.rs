//! Imports the user's own leads from CSV and JSONL files of any size, and from Excel workbooks, in bounded memory.
//!
//! A thread reads the file and turns its lines into drafts; the store writes them in batches. A
//! lead is matched by its profile URL, else by its e-mail address, else by name and company, so
//! that a file can be imported again: new leads are added, changed ones are updated, and the rest
//! is left alone. An empty cell never erases a value, and a file never changes a decision that a
//! user has made on a lead.

mod batch_size;
mod error;
mod import_writer;
mod preview;
mod run;
mod summary;
#[cfg(test)]
pub(crate) mod test_import;

pub use error::ImportError;
pub use lead_workspace_import::{ColumnUse, Field, FileError, Format, Mapping, Override};
pub use preview::preview;
pub use run::run;
pub use summary::summary;

pub(crate) use preview::preview_unmapped;

use lead_workspace_import::{ReadOptions, file_limits};

use crate::store::audit::Actor;

#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Name of the file, shown with the import.
    pub file_name: String,
    /// `None` detects the format from the beginning of the file.
    pub format: Option<Format>,
    /// Sheet of a workbook; `None` for the first one that has a header.
    pub sheet: Option<String>,
    /// List that every lead is put on; created if it is missing.
    pub list: Option<String>,
    /// Uses of columns that the user has set.
    pub overrides: Vec<Override>,
    /// Whether the leads are queued for scoring at the end.
    pub score: bool,
    /// Who imports, for the audit log; without it the decisions in the file are not recorded.
    pub actor: Option<Actor>,
}

impl ImportOptions {
    /// Checks the options against the limits.
    ///
    /// # Errors
    /// The parameter that exceeds a limit, and the error.
    pub fn check(&self) -> Result<(), (&'static str, ImportError)> {
        if self.overrides.len() > file_limits::OVERRIDES {
            let error = FileError::TooManyOverrides(self.overrides.len());
            return Err(("map", error.into()));
        }
        match self.list.as_deref().and_then(file_limits::too_long) {
            Some(shown) => Err(("list", ImportError::LongList(shown))),
            None => Ok(()),
        }
    }

    fn read_options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            sheet: self.sheet.clone(),
            overrides: self.overrides.clone(),
        }
    }
}
