//! Import of a person's own leads: CSV and JSONL, of any size, in bounded memory.
//!
//! A thread reads the file and turns its lines into drafts; the store writes them in batches.
//! A lead is recognised by its profile address, else by its e-mail address, else by name and
//! company, so that a file can be imported again: what is new is added, what changed is updated,
//! what is the same is left alone. An empty cell never erases anything, and a decision that
//! somebody has made on a lead is never changed by a file.

mod body;
mod csv_values;
mod draft;
mod error;
mod field;
mod http;
mod jsonl;
mod limits;
mod lines;
mod mapping;
mod normal;
mod preview;
mod records;
mod report;
mod run;
mod running;
mod shared_hosts;
mod source;
mod write;

pub use error::ImportError;
pub use field::Field;
pub use mapping::{Mapping, Override, Use};
pub use preview::{Column, Preview, preview};
pub use report::{Counts, Event, ImportReport, LineError};
pub use run::run;

pub(crate) use draft::Draft;
pub(crate) use http::{fields, import as import_over_http, preview as preview_over_http};
pub(crate) use running::Running;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Values separated by comma, semicolon or tab, with a header.
    Csv,
    /// One JSON object on each line.
    Jsonl,
}

impl Format {
    /// The format that a file's name tells.
    pub fn of_file(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match ending.as_str() {
            "csv" | "tsv" | "txt" => Some(Self::Csv),
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            _ => None,
        }
    }

    /// The format by its name, `csv` or `jsonl`.
    pub fn find(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Csv),
            "jsonl" => Some(Self::Jsonl),
            _ => None,
        }
    }

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
        }
    }
}

/// How to import.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the file, as the import is listed.
    pub file_name: String,
    /// None lets the beginning of the file tell.
    pub format: Option<Format>,
    /// A list that every lead goes onto; made where it is missing.
    pub list: Option<String>,
    /// What somebody said of the columns.
    pub overrides: Vec<Override>,
    /// Whether the leads are queued for scoring at the end.
    pub score: bool,
    /// Whether nobody else works in the folder, so that larger batches hold up nobody.
    pub alone: bool,
}
