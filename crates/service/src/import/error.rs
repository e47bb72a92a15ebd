//! Why a file cannot be imported at all.

use std::io;

use thiserror::Error;

use crate::StoreError;

/// Why an import did not happen, or stopped. What is wrong with single lines is in the report.
#[derive(Debug, Error)]
pub enum ImportError {
    /// There is nothing in the file.
    #[error("the file is empty. Nothing was imported; export it again with a header and lines")]
    Empty,
    /// The file is of a known kind, but no text.
    #[error(
        "the file is {0}, not CSV or JSONL. Nothing was imported; open it and save it as CSV (UTF-8)"
    )]
    NotText(&'static str),
    /// The file has NUL bytes.
    #[error(
        "the file holds NUL bytes: it is UTF-16 without its mark, or no text at all. \
         Nothing was imported; save it as CSV (UTF-8)"
    )]
    Nul,
    /// A JSON array instead of JSONL.
    #[error(
        "the file is one JSON array; JSONL has one object on each line. Nothing was imported; \
         convert it, for example with: jq -c '.[]' FILE > FILE.jsonl"
    )]
    JsonArray,
    /// The header tells of nobody.
    #[error(
        "no column holds a name, a profile address or an e-mail address. Nothing was imported. \
         The columns are {0}. Say which is which, for example with --map \"Who=name\""
    )]
    NoIdentity(String),
    /// `--map` does not fit the file.
    #[error("{0}. Nothing was imported; correct --map")]
    Mapping(String),
    /// The file cannot be read on.
    #[error(
        "the file cannot be read ({0}). Lines before that were imported; import it again to go on"
    )]
    Read(io::Error),
    /// The store cannot keep the lines.
    #[error("{0}. Lines before that were imported; import the file again to go on")]
    Store(#[from] StoreError),
}
