//! Reads a file as drafts. No access to the store.

use std::collections::{BTreeMap, VecDeque};

use lead_workspace_api::import::ImportLineError;

use super::dates::DateColumn;
use super::draft::{Draft, draft, text_of};
use super::encoding::Source;
use super::field::Field;
use super::line_parser::{Line, LineParser};
use super::line_values::LineValues;
use super::mapping::Mapping;
use super::{FileError, Format, ReadOptions};

/// Lines in which the order of day and month is looked for, and the approximate limit on their bytes.
const LINES_AHEAD: usize = 1000;
const BYTES_AHEAD: usize = 1 << 20;

/// The lines of a file.
pub struct Lines {
    parser: LineParser,
    /// Lines that were read to find out what dates mean.
    ahead: VecDeque<Line>,
    /// The error after these lines.
    failed: Option<FileError>,
    notes: Vec<String>,
    bytes: usize,
}

impl Lines {
    /// Opens a file, and detects its format from its beginning.
    ///
    /// # Errors
    /// If nothing can be imported from it.
    pub fn open(source: Source, options: &ReadOptions) -> Result<Self, FileError> {
        let lines = Self::open_unmapped(source, options)?;
        match lines.parser.without_identity() {
            Some(columns) => Err(FileError::NoIdentity(columns)),
            None => Ok(lines),
        }
    }

    /// Like [`open`](Self::open), but accepts a file in which no column identifies a lead: the user
    /// can still map one.
    pub fn open_unmapped(source: Source, options: &ReadOptions) -> Result<Self, FileError> {
        let mut lines = Self {
            parser: LineParser::open(source, options)?,
            ahead: VecDeque::new(),
            failed: None,
            notes: Vec::new(),
            bytes: 0,
        };
        lines.read_date_orders();
        Ok(lines)
    }

    pub fn format(&self) -> Format {
        self.parser.format()
    }

    /// Returns the sheets of a workbook, and the one that is read.
    pub fn sheets(&self) -> (&[String], &str) {
        self.parser.sheets()
    }

    /// Returns the use of each column; for JSONL, of the columns found so far.
    pub fn mapping(&self) -> &Mapping {
        self.parser.mapping()
    }

    /// Returns what the user should know about the values of columns.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the approximate size of the values that were returned so far, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Reads the next line as a draft.
    pub fn next_draft(&mut self) -> Result<Option<Result<Draft, ImportLineError>>, FileError> {
        let line = self.line()?;
        Ok(line.map(|line| self.draft_of(line.number, line.values)))
    }

    /// Reads and splits the next line.
    pub fn line(&mut self) -> Result<Option<Line>, FileError> {
        let line = match (self.ahead.pop_front(), self.failed.take()) {
            (Some(line), failed) => {
                self.failed = failed;
                Some(line)
            }
            (None, Some(error)) => return Err(error),
            (None, None) => self.parser.next()?,
        };
        self.bytes += line.as_ref().map_or(0, size);
        Ok(line)
    }

    /// Turns a line into a draft.
    pub fn draft_of(
        &self,
        line: u64,
        values: Result<LineValues, String>,
    ) -> Result<Draft, ImportLineError> {
        let draft = values.and_then(|(values, more)| {
            let mut draft = draft(line, self.mapping(), &values)?;
            draft.custom_data.extend(more);
            Ok(draft)
        });
        draft.map_err(|reason| ImportLineError { line, reason })
    }

    /// Finds out from the first lines whether the day or the month comes first in the dates of a column.
    fn read_date_orders(&mut self) {
        let mut columns: BTreeMap<usize, DateColumn> = BTreeMap::new();
        let mut bytes = 0;
        while !self.mapping().columns(Field::CreatedAt).is_empty()
            && self.ahead.len() < LINES_AHEAD
            && bytes < BYTES_AHEAD
        {
            let line = match self.parser.next() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            };
            if let Ok((values, _)) = &line.values {
                for &column in self.parser.mapping().columns(Field::CreatedAt) {
                    if let Some(text) = values.get(column).and_then(text_of) {
                        columns.entry(column).or_default().add(&text);
                    }
                }
            }
            bytes += size(&line);
            self.ahead.push_back(line);
        }
        for (at, column) in columns {
            if let Some(order) = column.order() {
                self.parser.mapping_mut().date_orders.insert(at, order);
            }
            if let Some(example) = column.unclear() {
                let header = &self.mapping().headers[at];
                self.notes.push(format!(
                    "{header:?} has dates in which the day and the month cannot be told apart, such as \
                     {example}. They are kept as custom data; write them as 2025-12-31 to import them as dates"
                ));
            }
        }
    }
}

/// Returns the approximate size of the values of a line, in bytes.
fn size(line: &Line) -> usize {
    let Ok((values, more)) = &line.values else {
        return 0;
    };
    let value = |value: &serde_json::Value| value.as_str().map_or(16, str::len);
    let values: usize = values.iter().flatten().map(value).sum();
    values + more.values().map(value).sum::<usize>()
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
