//! Imports the user's own leads from CSV and JSONL files of any size, and from Excel workbooks, in bounded memory.
//!
//! A thread reads the file and turns its lines into drafts; the store writes them in batches. A
//! lead is matched by its profile URL, else by its e-mail address, else by name and company, so
//! that a file can be imported again: new leads are added, changed ones are updated, and the rest
//! is left alone. An empty cell never erases a value, and a file never changes a decision that a
//! user has made on a lead.

mod batch_size;
mod csv_values;
mod dates;
mod draft;
mod encoding;
mod error;
mod field;
pub(crate) mod file_limits;
mod import_writer;
mod json_array;
mod jsonl;
mod line_parser;
mod lines;
mod mapping;
mod normalize;
mod preview;
mod records;
mod run;
mod shared_hosts;
mod summary;
#[cfg(test)]
pub(crate) mod test_import;
mod workbook;

pub use error::ImportError;
pub use field::Field;
pub use mapping::{ColumnUse, Mapping, Override};
pub use preview::preview;
pub use run::run;
pub use summary::summary;

pub(crate) use draft::Draft;
pub(crate) use preview::preview_unmapped;

use crate::store::audit::Actor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Values separated by comma, semicolon or tab, with a header.
    Csv,
    /// One JSON object on each line, or one array of objects.
    Jsonl,
    /// A sheet of an Excel workbook.
    Xlsx,
}

impl Format {
    /// Returns the format that a file's extension suggests.
    pub fn of_file(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match ending.as_str() {
            "csv" | "tsv" | "txt" => Some(Self::Csv),
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            "xlsx" => Some(Self::Xlsx),
            _ => None,
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Csv),
            "jsonl" => Some(Self::Jsonl),
            "xlsx" => Some(Self::Xlsx),
            _ => None,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Xlsx => "xlsx",
        }
    }
}

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
