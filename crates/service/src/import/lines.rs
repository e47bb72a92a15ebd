//! A file as drafts: format, delimiter and header found, lines understood. No store.

use std::io::BufRead;

use serde_json::Value;

use super::csv_values::{Splitter, sniff};
use super::draft::{Draft, draft};
use super::jsonl::Objects;
use super::mapping::Mapping;
use super::records::Records;
use super::report::LineError;
use super::source::Source;
use super::{Format, ImportError, Options};

/// How far the look at the beginning of a file goes, in bytes.
const LOOK: usize = 64 * 1024;

/// Records before the header that are passed over, e.g. notes of the exporting tool.
const MOST_PREAMBLE: usize = 8;

/// The lines of a file.
pub(super) struct Lines {
    records: Records<Source>,
    understand: Understand,
}

enum Understand {
    Csv(Box<(Splitter, Mapping)>),
    Jsonl(Box<Objects>),
}

impl Lines {
    /// Looks at the beginning of a file.
    ///
    /// # Errors
    /// When nothing can be imported from it.
    pub(super) fn open(source: Source, options: &Options) -> Result<Self, ImportError> {
        let mut records = Records::new(source, None);
        let start = records.peek(LOOK).map_err(ImportError::Read)?;
        let first = start
            .iter()
            .copied()
            .find(|byte| !byte.is_ascii_whitespace());
        let Some(first) = first else {
            return Err(ImportError::Empty);
        };
        if first == b'[' && options.format != Some(Format::Csv) {
            return Err(ImportError::JsonArray);
        }
        // An object at the start is JSONL whatever the file is called, and a header never is one.
        let format = match first {
            b'{' => Format::Jsonl,
            _ => options.format.unwrap_or(Format::Csv),
        };
        let understand = match format {
            Format::Jsonl => jsonl(&start, options)?,
            Format::Csv => csv(&mut records, &start, options)?,
        };
        Ok(Self {
            records,
            understand,
        })
    }

    /// What each column is taken for. Of JSONL, as far as columns have turned up.
    pub(super) fn mapping(&self) -> &Mapping {
        match &self.understand {
            Understand::Csv(csv) => &csv.1,
            Understand::Jsonl(objects) => &objects.mapping,
        }
    }

    /// The next line.
    pub(super) fn next(&mut self) -> Result<Option<Result<Draft, LineError>>, ImportError> {
        let Some(record) = self.records.next().map_err(ImportError::Read)? else {
            return Ok(None);
        };
        let line = record.line;
        let understood =
            record
                .bytes
                .map_err(str::to_owned)
                .and_then(|bytes| match &mut self.understand {
                    Understand::Csv(csv) => {
                        let (splitter, mapping) = &mut **csv;
                        csv_draft(line, mapping, splitter.split(&bytes))
                    }
                    Understand::Jsonl(objects) => objects.draft(line, &bytes),
                });
        Ok(Some(
            understood.map_err(|reason| LineError { line, reason }),
        ))
    }
}

fn csv_draft(line: u64, mapping: &Mapping, values: Vec<String>) -> Result<Draft, String> {
    let columns = mapping.headers.len();
    if values.iter().skip(columns).any(|value| !value.is_empty()) {
        let found = values.len();
        return Err(format!(
            "the line has {found} values for {columns} columns; a quote or a separator is out of place"
        ));
    }
    let cell = |value: String| (!value.is_empty()).then_some(Value::String(value));
    let values: Vec<_> = values.into_iter().take(columns).map(cell).collect();
    draft(line, mapping, &values)
}

fn jsonl(start: &[u8], options: &Options) -> Result<Understand, ImportError> {
    let first = start
        .split(|byte| *byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty());
    let objects = Objects::new(first.unwrap_or_default(), options.overrides.clone());
    Ok(Understand::Jsonl(Box::new(
        objects.map_err(ImportError::Mapping)?,
    )))
}

fn csv<R: BufRead>(
    records: &mut Records<R>,
    start: &[u8],
    options: &Options,
) -> Result<Understand, ImportError> {
    let delimiter = sniff(start);
    records.set_delimiter(Some(delimiter));
    let mut splitter = Splitter::new(delimiter);
    let preamble = preamble(start, delimiter);
    let mut header = Vec::new();
    for _ in 0..=preamble {
        let record = records.next().map_err(ImportError::Read)?;
        header = match record.map(|record| record.bytes) {
            Some(Ok(bytes)) => splitter.split(&bytes),
            _ => Vec::new(),
        };
    }
    // Spreadsheets leave empty columns at the end.
    while header.last().is_some_and(String::is_empty) {
        header.pop();
    }
    let mapping = Mapping::new(&header, &options.overrides).map_err(ImportError::Mapping)?;
    if !mapping.can_identify() {
        return Err(ImportError::NoIdentity(mapping.headers.join(", ")));
    }
    Ok(Understand::Csv(Box::new((splitter, mapping))))
}

/// How many records stand before the header: the first record with two known headers is it, else
/// the first of all.
fn preamble(start: &[u8], delimiter: u8) -> usize {
    let mut records = Records::new(start, Some(delimiter));
    let mut splitter = Splitter::new(delimiter);
    let mut says_separator = 0;
    for at in 0..MOST_PREAMBLE {
        let Ok(Some(record)) = records.next() else {
            break;
        };
        let Ok(bytes) = record.bytes else { continue };
        if at == 0 && bytes.len() == 5 && bytes[..4].eq_ignore_ascii_case(b"sep=") {
            says_separator = 1;
            continue;
        }
        if Mapping::recognised(&splitter.split(&bytes)) >= 2 {
            return at;
        }
    }
    says_separator
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
