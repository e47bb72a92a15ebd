//! Reads a file as drafts: detects format, delimiter and header, and parses lines. No access to the
//! store.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use lead_workspace_api::csv_cell::unguarded;
use lead_workspace_api::export::is_export;
use lead_workspace_api::import::ImportLineError;
use serde_json::{Map, Value};

use super::csv_values::{Splitter, sniff};
use super::draft::{Draft, draft};
use super::encoding::TextReader;
use super::jsonl::Objects;
use super::mapping::Mapping;
use super::records::{Records, line_end};
use super::{Format, ImportError, ImportOptions, file_limits};

/// Size of the beginning that is inspected, in bytes.
const START_BYTES: usize = 64 * 1024;

/// Limit on that size while the first line has not ended, in bytes.
const MAX_START_BYTES: usize = 1 << 20;

/// Limit on the records that are skipped before the header, e.g. notes of the exporting tool.
const MAX_PREAMBLE: usize = 8;

pub(super) struct Lines {
    records: Records<TextReader>,
    parser: LineParser,
}

/// A parsed line.
pub(super) struct Line {
    pub number: u64,
    /// The values, or what is wrong with the line.
    pub values: Result<LineValues, String>,
}

/// The values of a line by column, and the ones without a column.
pub(super) type LineValues = (Vec<Option<Value>>, Map<String, Value>);

enum LineParser {
    Csv(Box<(Splitter, Mapping)>),
    Jsonl(Box<Objects>),
}

impl Lines {
    /// Opens a file, and detects its format from its beginning.
    ///
    /// # Errors
    /// If nothing can be imported from it.
    pub(super) fn open(source: TextReader, options: &ImportOptions) -> Result<Self, ImportError> {
        let lines = Self::open_unmapped(source, options)?;
        match lines.without_identity() {
            Some(columns) => Err(ImportError::NoIdentity(columns)),
            None => Ok(lines),
        }
    }

    /// Like [`open`](Self::open), but accepts a file in which no column identifies a lead: the user
    /// can still map one.
    pub(super) fn open_unmapped(
        source: TextReader,
        options: &ImportOptions,
    ) -> Result<Self, ImportError> {
        let (start, source) = beginning(source)?;
        let mut records = Records::new(source, None, line_end(&start));
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
        // An object at the start means JSONL regardless of the file name; a CSV header never is
        // one.
        let format = match first {
            b'{' => Format::Jsonl,
            _ => options.format.unwrap_or(Format::Csv),
        };
        let parser = match format {
            Format::Jsonl => jsonl(&start, options)?,
            Format::Csv => csv(&mut records, &start, options)?,
        };
        Ok(Self { records, parser })
    }

    /// Returns the columns if none of them identifies a lead. JSONL may still have one further
    /// down.
    fn without_identity(&self) -> Option<String> {
        let LineParser::Csv(csv) = &self.parser else {
            return None;
        };
        (!csv.1.can_identify()).then(|| file_limits::named(&csv.1.headers))
    }

    pub(super) fn format(&self) -> Format {
        match self.parser {
            LineParser::Csv(_) => Format::Csv,
            LineParser::Jsonl(_) => Format::Jsonl,
        }
    }

    /// Returns the use of each column; for JSONL, of the columns found so far.
    pub(super) fn mapping(&self) -> &Mapping {
        match &self.parser {
            LineParser::Csv(csv) => &csv.1,
            LineParser::Jsonl(objects) => &objects.mapping,
        }
    }

    /// Reads the next line as a draft.
    pub(super) fn next(&mut self) -> Result<Option<Result<Draft, ImportLineError>>, ImportError> {
        let line = self.line()?;
        Ok(line.map(|line| self.draft_of(line.number, line.values)))
    }

    /// Reads and splits the next line.
    pub(super) fn line(&mut self) -> Result<Option<Line>, ImportError> {
        let Some(record) = self.records.next().map_err(ImportError::Read)? else {
            return Ok(None);
        };
        let bytes = record.bytes.map_err(str::to_owned);
        let values = bytes.and_then(|bytes| match &mut self.parser {
            LineParser::Csv(csv) => {
                let (splitter, mapping) = &mut **csv;
                csv_values(mapping, splitter.split(&bytes)?)
            }
            LineParser::Jsonl(objects) => objects.values(&bytes),
        });
        Ok(Some(Line {
            number: record.line,
            values,
        }))
    }

    /// Turns a line into a draft.
    pub(super) fn draft_of(
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
}

/// Returns the beginning of a file, and a source that still includes it. A read error after the
/// first bytes is repeated at its position, so that the lines before it are not lost.
fn beginning(mut source: TextReader) -> Result<(Vec<u8>, TextReader), ImportError> {
    let mut start = Vec::new();
    let mut failed = None;
    let mut more = true;
    let ends_line = |byte: &u8| matches!(byte, b'\n' | b'\r');
    // The first line may be longer than `START_BYTES`.
    while more && start.len() < MAX_START_BYTES && !start.iter().any(ends_line) {
        let before = start.len();
        let read = source
            .by_ref()
            .take(START_BYTES as u64)
            .read_to_end(&mut start);
        more = read.is_ok() && start.len() > before;
        failed = read.err();
    }
    let again = Cursor::new(start.clone());
    let source: TextReader = match failed {
        Some(error) if start.is_empty() => return Err(ImportError::Read(error)),
        Some(error) => Box::new(again.chain(BufReader::new(FailingReader(Some(error))))),
        None => Box::new(again.chain(source)),
    };
    Ok((start, source))
}

/// Returns an error, once.
struct FailingReader(Option<io::Error>);

impl Read for FailingReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn csv_values(mapping: &Mapping, values: Vec<String>) -> Result<LineValues, String> {
    let columns = mapping.headers.len();
    if values.iter().skip(columns).any(|value| !value.is_empty()) {
        let found = values.len();
        return Err(format!(
            "the line has {found} values for {columns} columns; a quote or a separator is misplaced"
        ));
    }
    let cell = |value: String| {
        let value = match mapping.is_export {
            true => unguarded(&value).to_owned(),
            false => value,
        };
        (!value.is_empty()).then_some(Value::String(value))
    };
    let values = values.into_iter().take(columns).map(cell).collect();
    Ok((values, Map::new()))
}

fn jsonl(start: &[u8], options: &ImportOptions) -> Result<LineParser, ImportError> {
    let first = start
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .find(|line| !line.trim_ascii().is_empty());
    let objects = Objects::new(first.unwrap_or_default(), options.overrides.clone())?;
    Ok(LineParser::Jsonl(Box::new(objects)))
}

fn csv<R: BufRead>(
    records: &mut Records<R>,
    start: &[u8],
    options: &ImportOptions,
) -> Result<LineParser, ImportError> {
    let delimiter = sniff(start);
    records.set_delimiter(Some(delimiter));
    let mut splitter = Splitter::new(delimiter);
    let preamble = preamble(start, delimiter);
    let mut header = Vec::new();
    for _ in 0..=preamble {
        let record = records.next().map_err(ImportError::Read)?;
        let values = record.map(|record| record.bytes.and_then(|bytes| splitter.split(&bytes)));
        header = values.and_then(Result::ok).unwrap_or_default();
    }
    // Spreadsheets leave empty columns at the end.
    while header.last().is_some_and(String::is_empty) {
        header.pop();
    }
    if is_export(header.iter().map(String::as_str)) {
        let plain = header.iter().map(|header| unguarded(header).to_owned());
        header = plain.collect();
    }
    let mapping = Mapping::new(&header, &options.overrides)?;
    Ok(LineParser::Csv(Box::new((splitter, mapping))))
}

/// Returns the number of records before the header. The header is the first record with two known
/// headers, else the first record after a `sep=` line.
fn preamble(start: &[u8], delimiter: u8) -> usize {
    let mut records = Records::new(start, Some(delimiter), line_end(start));
    let mut splitter = Splitter::new(delimiter);
    let mut sep_lines = 0;
    for at in 0..MAX_PREAMBLE {
        let Ok(Some(record)) = records.next() else {
            break;
        };
        let Ok(bytes) = record.bytes else { continue };
        if at == 0 && bytes.len() == 5 && bytes[..4].eq_ignore_ascii_case(b"sep=") {
            sep_lines = 1;
            continue;
        }
        let values = splitter.split(&bytes).unwrap_or_default();
        if Mapping::count_known_headers(&values) >= 2 {
            return at;
        }
    }
    sep_lines
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
