//! Parses a file of any format into lines of values by column.

use std::io::{self, BufReader, Cursor, Read};

use lead_workspace_api::csv_cell::unguarded;
use lead_workspace_api::export::is_export;
use serde_json::{Map, Value};

use super::csv_values::{Splitter, sniff};
use super::encoding::Source;
use super::json_array::JsonArray;
use super::jsonl::Objects;
use super::line_values::LineValues;
use super::mapping::{Mapping, find_header};
use super::records::{Record, Records, line_end};
use super::text_reader::TextReader;
use super::workbook::{HEADER_ROWS, Row, SheetRows};
use super::{FileError, Format, ReadOptions, file_limits};

/// Size of the beginning that is inspected, in bytes.
const START_BYTES: usize = 64 * 1024;

/// Limit on that size while the first line has not ended, in bytes.
const MAX_START_BYTES: usize = 1 << 20;

/// Limit on the records that are skipped before the header, e.g. notes of the exporting tool.
const MAX_PREAMBLE: usize = 8;

/// A parsed line.
pub struct Line {
    pub number: u64,
    /// The values, or what is wrong with the line.
    pub values: Result<LineValues, String>,
}

pub(super) enum LineParser {
    Csv(Box<CsvLines>),
    Jsonl(Box<JsonLines>),
    Sheet(Box<SheetLines>),
}

pub(super) struct CsvLines {
    records: Records<TextReader>,
    splitter: Splitter,
    mapping: Mapping,
}

pub(super) struct JsonLines {
    records: Records<TextReader>,
    objects: Objects,
}

pub(super) struct SheetLines {
    /// Rows after the header that were read to find it, the last one first.
    ahead: Vec<Row>,
    rows: SheetRows,
    mapping: Mapping,
}

impl LineParser {
    /// Opens a file, and detects its format from its beginning.
    ///
    /// # Errors
    /// If nothing can be imported from it with any mapping.
    pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Self, FileError> {
        let source = match source {
            Source::Text(source) => source,
            Source::Workbook(file) => {
                let rows = SheetRows::open(file, options.sheet.clone())?;
                return SheetLines::open(rows, options).map(|lines| Self::Sheet(Box::new(lines)));
            }
        };
        let (mut start, mut source) = beginning(source)?;
        let is_csv = options.format == Some(Format::Csv);
        if first(&start) == Some(b'[') && !is_csv {
            let lines = BufReader::new(JsonArray::new(source));
            (start, source) = beginning(Box::new(lines))?;
        }
        let Some(first) = first(&start) else {
            return Err(FileError::Empty);
        };
        let records = Records::new(source, None, line_end(&start));
        // An object at the start means JSONL regardless of the file name; a CSV header never is
        // one.
        if first == b'{' || options.format == Some(Format::Jsonl) {
            let lines = JsonLines::open(records, &start, options)?;
            return Ok(Self::Jsonl(Box::new(lines)));
        }
        let lines = CsvLines::open(records, &start, options)?;
        Ok(Self::Csv(Box::new(lines)))
    }

    /// Returns the columns if none of them identifies a lead. JSONL may still have one further
    /// down.
    pub(super) fn without_identity(&self) -> Option<String> {
        let mapping = match self {
            Self::Csv(csv) => &csv.mapping,
            Self::Sheet(sheet) => &sheet.mapping,
            Self::Jsonl(_) => return None,
        };
        (!mapping.can_identify()).then(|| file_limits::named(&mapping.headers))
    }

    pub(super) fn format(&self) -> Format {
        match self {
            Self::Csv(_) => Format::Csv,
            Self::Jsonl(_) => Format::Jsonl,
            Self::Sheet(_) => Format::Xlsx,
        }
    }

    /// Returns the sheets of a workbook, and the one that is read.
    pub(super) fn sheets(&self) -> (&[String], &str) {
        match self {
            Self::Sheet(sheet) => (&sheet.rows.sheets, &sheet.rows.sheet),
            Self::Csv(_) | Self::Jsonl(_) => (&[], ""),
        }
    }

    /// Returns the use of each column; for JSONL, of the columns found so far.
    pub(super) fn mapping(&self) -> &Mapping {
        match self {
            Self::Csv(csv) => &csv.mapping,
            Self::Jsonl(json) => &json.objects.mapping,
            Self::Sheet(sheet) => &sheet.mapping,
        }
    }

    pub(super) fn mapping_mut(&mut self) -> &mut Mapping {
        match self {
            Self::Csv(csv) => &mut csv.mapping,
            Self::Jsonl(json) => &mut json.objects.mapping,
            Self::Sheet(sheet) => &mut sheet.mapping,
        }
    }

    /// Reads and splits the next line.
    pub(super) fn next(&mut self) -> Result<Option<Line>, FileError> {
        let line = match self {
            Self::Csv(csv) => csv.records.next()?.map(|record| {
                parsed(record, |bytes| {
                    by_column(&csv.mapping, csv.splitter.split(&bytes)?)
                })
            }),
            Self::Jsonl(json) => json
                .records
                .next()?
                .map(|record| parsed(record, |bytes| json.objects.values(&bytes))),
            Self::Sheet(sheet) => {
                let row = match sheet.ahead.pop() {
                    Some(row) => Some(row),
                    None => sheet.rows.next()?,
                };
                row.map(|row| Line {
                    number: row.number,
                    values: row
                        .values
                        .map_err(str::to_owned)
                        .and_then(|values| by_column(&sheet.mapping, values)),
                })
            }
        };
        Ok(line)
    }
}

fn parsed(record: Record, parse: impl FnOnce(Vec<u8>) -> Result<LineValues, String>) -> Line {
    Line {
        number: record.line,
        values: record.bytes.map_err(str::to_owned).and_then(parse),
    }
}

impl SheetLines {
    fn open(mut rows: SheetRows, options: &ReadOptions) -> Result<Self, FileError> {
        let mut ahead = Vec::new();
        while ahead.len() < HEADER_ROWS
            && let Some(row) = rows.next()?
        {
            ahead.push(row);
        }
        let values = |row: &Row| row.values.clone().unwrap_or_default();
        let start: Vec<_> = ahead.iter().map(values).collect();
        let header = find_header(&start).unwrap_or(0);
        let headers = start.get(header).ok_or(FileError::Empty)?;
        let mapping = mapping_of(headers, options)?;
        ahead.drain(..=header);
        ahead.reverse();
        Ok(Self {
            ahead,
            rows,
            mapping,
        })
    }
}

/// Returns the beginning of a file, and a source that still includes it. A read error after the
/// first bytes is repeated at its position, so that the lines before it are not lost.
fn beginning(mut source: TextReader) -> Result<(Vec<u8>, TextReader), FileError> {
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
        Some(error) if start.is_empty() => return Err(FileError::Read(error)),
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

fn by_column(mapping: &Mapping, values: Vec<String>) -> Result<LineValues, String> {
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

/// Returns the first byte that is not white space.
fn first(start: &[u8]) -> Option<u8> {
    let mut bytes = start.iter().copied();
    bytes.find(|byte| !byte.is_ascii_whitespace())
}

impl JsonLines {
    fn open(
        records: Records<TextReader>,
        start: &[u8],
        options: &ReadOptions,
    ) -> Result<Self, FileError> {
        let first = start
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .find(|line| !line.trim_ascii().is_empty());
        let objects = Objects::new(first.unwrap_or_default(), options.overrides.clone())?;
        Ok(Self { records, objects })
    }
}

impl CsvLines {
    fn open(
        mut records: Records<TextReader>,
        start: &[u8],
        options: &ReadOptions,
    ) -> Result<Self, FileError> {
        let delimiter = sniff(start);
        records.set_delimiter(Some(delimiter));
        let mut splitter = Splitter::new(delimiter);
        let preamble = preamble(start, delimiter);
        let mut header = Vec::new();
        for _ in 0..=preamble {
            let record = records.next()?;
            let values = record.map(|record| record.bytes.and_then(|bytes| splitter.split(&bytes)));
            header = values.and_then(Result::ok).unwrap_or_default();
        }
        // Spreadsheets leave empty columns at the end.
        while header.last().is_some_and(String::is_empty) {
            header.pop();
        }
        let mapping = mapping_of(&header, options)?;
        Ok(Self {
            records,
            splitter,
            mapping,
        })
    }
}

/// Returns the uses of the columns with these headers. Cells of an export may be guarded against formulas.
fn mapping_of(header: &[String], options: &ReadOptions) -> Result<Mapping, FileError> {
    let is_export = is_export(header.iter().map(String::as_str));
    let plain = header.iter().map(|header| match is_export {
        true => unguarded(header).to_owned(),
        false => header.clone(),
    });
    Mapping::new(&plain.collect::<Vec<_>>(), &options.overrides)
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
        if at == 0 && matches!(bytes.len(), 4 | 5) && bytes[..4].eq_ignore_ascii_case(b"sep=") {
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
