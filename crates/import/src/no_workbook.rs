//! Stands for `workbook` without that feature.

use super::FileError;

pub(super) const HEADER_ROWS: usize = 1;

pub(super) struct Row {
    pub number: u64,
    pub values: Result<Vec<String>, &'static str>,
}

pub(super) struct SheetRows {
    pub sheets: Vec<String>,
    pub sheet: String,
}

impl SheetRows {
    pub(super) fn open(_: Vec<u8>, _: Option<String>) -> Result<Self, FileError> {
        Err(FileError::NoWorkbooks)
    }

    pub(super) fn next(&mut self) -> Result<Option<Row>, FileError> {
        Ok(None)
    }
}
