//! Errors for which a file cannot be imported at all.

use std::io;

use thiserror::Error;

use super::limits;
use crate::StoreError;

/// Reason why an import did not happen, or stopped. Errors of single lines are in the report.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error("the file is empty. Nothing was imported; export it again with a header and lines")]
    Empty,
    #[error(
        "the file is {0}, not CSV or JSONL. Nothing was imported; open it and save it as CSV (UTF-8)"
    )]
    NotText(&'static str),
    #[error(
        "the file holds NUL bytes: it is UTF-16 without its mark, or no text at all. \
         Nothing was imported; save it as CSV (UTF-8)"
    )]
    Nul,
    #[error(
        "the file is one JSON array; JSONL has one object on each line. Nothing was imported; \
         convert it, for example with: jq -c '.[]' FILE > FILE.jsonl"
    )]
    JsonArray,
    #[error(
        "no column holds a name, a profile address or an e-mail address. Nothing was imported. \
         The columns are {0}. Say which is which, for example with --map \"Who=name\""
    )]
    NoIdentity(String),
    /// A preview found no column and no usable line. Contains the first line and its error.
    #[error("none of the lines can be used. Line {0}: {1}. Correct these lines, and try again")]
    NoLine(u64, String),
    #[error("{0}. Nothing was imported; correct --map")]
    Mapping(String),
    #[error(
        "the file has {0} columns, and at most {most} are read. Nothing was imported; leave out the \
         columns that hold nothing about the leads",
        most = limits::COLUMNS
    )]
    TooManyColumns(usize),
    /// Number and name of the column.
    #[error(
        "the name of column {0} ({1:?}) is longer than {most} characters. Nothing was imported; \
         shorten it, and see that the first line is the header",
        most = limits::NAME
    )]
    LongColumn(usize, String),
    #[error(
        "{0} columns are mapped with --map, and at most {most} can be. Nothing was imported; rename \
         columns in the file instead",
        most = limits::OVERRIDES
    )]
    TooManyOverrides(usize),
    #[error(
        "the name of the list {0:?} is longer than {most} characters. Nothing was imported; choose a shorter name",
        most = limits::NAME
    )]
    LongList(String),
    #[error(
        "the file cannot be read ({0}). Lines before that were imported; import it again to go on"
    )]
    Read(io::Error),
    #[error("{0}. Lines before that were imported; import the file again to go on")]
    Store(#[from] StoreError),
}
