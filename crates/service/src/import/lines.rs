//! A file as drafts: format, delimiter and header found, lines understood. No store.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use serde_json::{Map, Value};

use super::csv_values::{Splitter, sniff};
use super::draft::{Draft, draft};
use super::jsonl::Objects;
use super::mapping::Mapping;
use super::records::{Records, line_end};
use super::report::LineError;
use super::source::Source;
use super::{Format, ImportError, Options, limits};

/// How far the look at the beginning of a file goes, in bytes.
const LOOK: usize = 64 * 1024;

/// How far it goes on where not even the first line has ended.
const LONGEST_LOOK: usize = 1 << 20;

/// Records before the header that are passed over, e.g. notes of the exporting tool.
const MOST_PREAMBLE: usize = 8;

/// The lines of a file.
pub(super) struct Lines {
    records: Records<Source>,
    understand: Understand,
}

/// A line of a file, taken apart.
pub(super) struct Line {
    /// Its number.
    pub number: u64,
    /// Its values by column, and what has no column; or what is wrong with it.
    pub parts: Result<Parts, String>,
}

/// The values of a line by column, and those that have none.
pub(super) type Parts = (Vec<Option<Value>>, Map<String, Value>);

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
        let lines = Self::look(source, options)?;
        match lines.without_identity() {
            Some(columns) => Err(ImportError::NoIdentity(columns)),
            None => Ok(lines),
        }
    }

    /// The same, also where no column tells of anybody: somebody may still say which one does.
    pub(super) fn look(source: Source, options: &Options) -> Result<Self, ImportError> {
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

    /// The columns, if none of them tells of anybody. Objects may have one further down.
    fn without_identity(&self) -> Option<String> {
        let Understand::Csv(csv) = &self.understand else {
            return None;
        };
        (!csv.1.can_identify()).then(|| limits::named(&csv.1.headers))
    }

    /// What the file is.
    pub(super) fn format(&self) -> Format {
        match self.understand {
            Understand::Csv(_) => Format::Csv,
            Understand::Jsonl(_) => Format::Jsonl,
        }
    }

    /// What each column is taken for. Of JSONL, as far as columns have turned up.
    pub(super) fn mapping(&self) -> &Mapping {
        match &self.understand {
            Understand::Csv(csv) => &csv.1,
            Understand::Jsonl(objects) => &objects.mapping,
        }
    }

    /// The next line, as a draft.
    pub(super) fn next(&mut self) -> Result<Option<Result<Draft, LineError>>, ImportError> {
        let line = self.line()?;
        Ok(line.map(|line| self.understood(line.number, line.parts)))
    }

    /// The next line, taken apart.
    pub(super) fn line(&mut self) -> Result<Option<Line>, ImportError> {
        let Some(record) = self.records.next().map_err(ImportError::Read)? else {
            return Ok(None);
        };
        let bytes = record.bytes.map_err(str::to_owned);
        let parts = bytes.and_then(|bytes| match &mut self.understand {
            Understand::Csv(csv) => {
                let (splitter, mapping) = &mut **csv;
                csv_values(mapping, splitter.split(&bytes)?)
            }
            Understand::Jsonl(objects) => objects.parts(&bytes),
        });
        Ok(Some(Line {
            number: record.line,
            parts,
        }))
    }

    /// A line as a draft.
    pub(super) fn understood(
        &self,
        line: u64,
        parts: Result<Parts, String>,
    ) -> Result<Draft, LineError> {
        let draft = parts.and_then(|(values, more)| {
            let mut draft = draft(line, self.mapping(), &values)?;
            draft.custom_data.extend(more);
            Ok(draft)
        });
        draft.map_err(|reason| LineError { line, reason })
    }
}

/// The beginning of a file, and the file from its beginning on. An error that comes after some of it
/// comes again where it was, so that the lines before it are not lost.
fn beginning(mut source: Source) -> Result<(Vec<u8>, Source), ImportError> {
    let mut start = Vec::new();
    let mut broken = None;
    let mut more = true;
    let ends_line = |byte: &u8| matches!(byte, b'\n' | b'\r');
    // A first line may be longer than the look.
    while more && start.len() < LONGEST_LOOK && !start.iter().any(ends_line) {
        let before = start.len();
        let read = source.by_ref().take(LOOK as u64).read_to_end(&mut start);
        more = read.is_ok() && start.len() > before;
        broken = read.err();
    }
    let again = Cursor::new(start.clone());
    let source: Source = match broken {
        Some(error) if start.is_empty() => return Err(ImportError::Read(error)),
        Some(error) => Box::new(again.chain(BufReader::new(Broken(Some(error))))),
        None => Box::new(again.chain(source)),
    };
    Ok((start, source))
}

/// Gives an error, once.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn csv_values(mapping: &Mapping, values: Vec<String>) -> Result<Parts, String> {
    let columns = mapping.headers.len();
    if values.iter().skip(columns).any(|value| !value.is_empty()) {
        let found = values.len();
        return Err(format!(
            "the line has {found} values for {columns} columns; a quote or a separator is out of place"
        ));
    }
    let cell = |value: String| (!value.is_empty()).then_some(Value::String(value));
    let values = values.into_iter().take(columns).map(cell).collect();
    Ok((values, Map::new()))
}

fn jsonl(start: &[u8], options: &Options) -> Result<Understand, ImportError> {
    let first = start
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .find(|line| !line.trim_ascii().is_empty());
    let objects = Objects::new(first.unwrap_or_default(), options.overrides.clone())?;
    Ok(Understand::Jsonl(Box::new(objects)))
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
        let values = record.map(|record| record.bytes.and_then(|bytes| splitter.split(&bytes)));
        header = values.and_then(Result::ok).unwrap_or_default();
    }
    // Spreadsheets leave empty columns at the end.
    while header.last().is_some_and(String::is_empty) {
        header.pop();
    }
    let mapping = Mapping::new(&header, &options.overrides)?;
    Ok(Understand::Csv(Box::new((splitter, mapping))))
}

/// How many records stand before the header: the first record with two known headers is it, else
/// the first of all.
fn preamble(start: &[u8], delimiter: u8) -> usize {
    let mut records = Records::new(start, Some(delimiter), line_end(start));
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
        let values = splitter.split(&bytes).unwrap_or_default();
        if Mapping::recognised(&values) >= 2 {
            return at;
        }
    }
    says_separator
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
