//! Reads a file of leads, of any size and in bounded memory, as drafts: CSV, JSON, JSONL, and Excel workbooks. No access
//! to a store.

mod csv_values;
mod dates;
mod draft;
pub mod encoding;
mod error;
mod field;
pub mod file_limits;
mod json_array;
mod jsonl;
mod line_parser;
mod line_values;
mod lines;
mod mapping;
mod merge;
mod normalize;
#[cfg(feature = "encodings")]
mod other_encodings;
mod records;
mod shared_hosts;
mod text_reader;
#[cfg_attr(not(feature = "workbook"), path = "no_workbook.rs")]
mod workbook;

pub use draft::Draft;
pub use error::FileError;
pub use field::Field;
pub use line_parser::Line;
pub use line_values::LineValues;
pub use lines::Lines;
pub use mapping::{ColumnUse, Mapping, Override};
pub use merge::{account_of, identity, merge};

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

/// How a file is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// `None` detects the format from the beginning of the file.
    pub format: Option<Format>,
    /// Sheet of a workbook; `None` for the first one that has a header.
    pub sheet: Option<String>,
    /// Uses of columns that the user has set.
    pub overrides: Vec<Override>,
}
