//! Errors for which a file cannot be imported at all.

use std::io;

use thiserror::Error;

use super::file_limits;

/// Reason why a file cannot be read. Errors of single lines are with the lines.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("the file is empty. Nothing was imported; export it again with a header and data")]
    Empty,
    #[error(
        "the file is {0}, not CSV, JSON or .xlsx. Nothing was imported; open it and save it as .xlsx or \
         as CSV (UTF-8)"
    )]
    NotText(&'static str),
    #[error(
        "the file contains NUL bytes: it is UTF-16 without a byte order mark, or not text. \
         Nothing was imported; save it as CSV (UTF-8)"
    )]
    Nul,
    #[error(
        "the workbook is larger than {file} MiB, or more than 512 MiB when it is unpacked. Nothing was \
         imported; save the sheet with the leads as CSV (UTF-8)",
        file = file_limits::WORKBOOK >> 20
    )]
    LargeWorkbook,
    #[error(
        "the workbook has more than {formats} cell formats, or a text of more than {text} bytes in its styles. Nothing was \
         imported; copy the leads into a new workbook, or save the sheet as CSV",
        formats = file_limits::CELL_FORMATS, text = file_limits::STYLE_TEXT
    )]
    WorkbookStyles,
    #[error(
        "the workbook is damaged ({0}). Rows before that, if any, were imported; open it, save it as a new \
         file, and import that"
    )]
    DamagedWorkbook(String),
    /// The sheet, and those of the workbook.
    #[error("the workbook has no sheet {0:?}. Nothing was imported; its sheets are {1}")]
    NoSheet(String, String),
    #[error(
        "no column contains a name, a profile URL or an e-mail address. Nothing was imported. \
         The columns are {0}. Rename the one with the names to \"name\", or map it: `lead-workspace import` has \
         --map \"Who=name\""
    )]
    NoIdentity(String),
    /// A preview found no column and no usable line. Contains the first line and its error.
    #[error("none of the lines is valid. Line {0}: {1}. Correct the lines and try again")]
    NoLine(u64, String),
    #[error("{0}. Nothing was imported; correct --map")]
    Mapping(String),
    #[error(
        "the file has {0} columns; the limit is {1}. Nothing was imported; remove the columns \
         that are not needed"
    )]
    TooManyColumns(usize, usize),
    /// Number and name of the column.
    #[error(
        "the name of column {0} ({1:?}) is longer than {most} characters. Nothing was imported; \
         shorten it, and check that the first line is the header",
        most = file_limits::NAME
    )]
    LongColumn(usize, String),
    #[error(
        "{0} columns are mapped with --map; the limit is {most}. Nothing was imported; rename \
         columns in the file instead",
        most = file_limits::OVERRIDES
    )]
    TooManyOverrides(usize),
    #[cfg(not(feature = "workbook"))]
    #[error(
        "the file is an Excel workbook, which cannot be read here. Nothing was imported; save the sheet with the \
         leads as CSV (UTF-8)"
    )]
    NoWorkbooks,
    #[error(
        "the file cannot be read ({0}). Earlier lines were imported; import it again to continue"
    )]
    Read(io::Error),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}
