//! Records of a CSV file: lines, joined where a quoted value holds a newline.
//!
//! Lines end with LF, or CRLF; those of old with CR alone, which the beginning of a file tells.
//!
//! A quote that is never closed would swallow the rest of the file. Here it costs its own line: a
//! record has an end to its length, and what was read too much is read again.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// The longest record in bytes, and in lines.
const MOST_BYTES: usize = 1 << 20;
const MOST_LINES: usize = 100;

/// A record, or why there is none at this line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The number of its first line, from 1.
    pub line: u64,
    /// Its bytes without the end of the line.
    pub bytes: Result<Vec<u8>, &'static str>,
}

/// Reads records.
pub(super) struct Records<R> {
    reader: R,
    /// The delimiter of values; none for a file in which quotes mean nothing (JSONL).
    delimiter: Option<u8>,
    /// The last byte of a line.
    end: u8,
    /// Lines that were read ahead.
    ahead: VecDeque<Line>,
    line: u64,
}

struct Line {
    bytes: Vec<u8>,
    too_long: bool,
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(reader: R, delimiter: Option<u8>, end: u8) -> Self {
        Self {
            reader,
            delimiter,
            end,
            ahead: VecDeque::new(),
            line: 1,
        }
    }

    pub(super) fn set_delimiter(&mut self, delimiter: Option<u8>) {
        self.delimiter = delimiter;
    }

    /// The next record that is not empty.
    pub(super) fn next(&mut self) -> io::Result<Option<Record>> {
        loop {
            let line = self.line;
            let Some(first) = self.take_line()? else {
                return Ok(None);
            };
            self.line += 1;
            if first.too_long {
                let bytes = Err("the line is longer than 1 MiB");
                return Ok(Some(Record { line, bytes }));
            }
            let bytes = match self.delimiter {
                Some(delimiter) => self.joined(first.bytes, delimiter)?,
                None => Ok(first.bytes),
            };
            let bytes = bytes.map(|mut bytes| {
                while bytes
                    .last()
                    .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
                {
                    bytes.pop();
                }
                bytes
            });
            if !matches!(&bytes, Ok(bytes) if bytes.iter().all(u8::is_ascii_whitespace)) {
                return Ok(Some(Record { line, bytes }));
            }
        }
    }

    fn joined(
        &mut self,
        first: Vec<u8>,
        delimiter: u8,
    ) -> io::Result<Result<Vec<u8>, &'static str>> {
        let mut quotes = Quotes::new(delimiter);
        quotes.feed(&first);
        if !quotes.open() {
            return Ok(Ok(first));
        }
        let mut more = Vec::new();
        let mut length = first.len();
        while quotes.open() && more.len() < MOST_LINES && length < MOST_BYTES {
            let Some(line) = self.take_line()? else { break };
            quotes.feed(&line.bytes);
            length += line.bytes.len();
            let too_long = line.too_long;
            more.push(line);
            if too_long {
                break;
            }
        }
        if quotes.open() || more.last().is_some_and(|line| line.too_long) {
            for line in more.into_iter().rev() {
                self.ahead.push_front(line);
            }
            return Ok(Err("a quote is opened in this line and never closed"));
        }
        self.line += more.len() as u64;
        let mut bytes = first;
        for line in more {
            bytes.extend_from_slice(&line.bytes);
        }
        Ok(Ok(bytes))
    }

    fn take_line(&mut self) -> io::Result<Option<Line>> {
        match self.ahead.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.read_line(),
        }
    }

    fn read_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let limit = MOST_BYTES as u64 + 1;
        self.reader
            .by_ref()
            .take(limit)
            .read_until(self.end, &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let too_long = bytes.len() > MOST_BYTES && bytes.last() != Some(&self.end);
        if too_long {
            bytes.truncate(0);
            self.skip_line()?;
        }
        Ok(Some(Line { bytes, too_long }))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let (length, ended) = match buffer.iter().position(|byte| *byte == self.end) {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.reader.consume(length);
            if ended {
                return Ok(());
            }
        }
    }
}

/// The last byte of the lines of a file that begins so: CR where more lines end with it alone than
/// with LF. What is quoted ends no line.
pub(super) fn line_end(start: &[u8]) -> u8 {
    let (mut feeds, mut returns) = (0_usize, 0_usize);
    let mut quoted = false;
    for (at, byte) in start.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => feeds += 1,
            b'\r' if !quoted => {
                // Some tools write CR CR LF.
                let after = start[at..].iter().find(|byte| **byte != b'\r');
                returns += usize::from(after != Some(&b'\n'));
            }
            _ => {}
        }
    }
    if returns > feeds { b'\r' } else { b'\n' }
}

/// Whether a quoted value is open: a quote opens one only at the beginning of a value, and two
/// quotes inside stand for one.
struct Quotes {
    delimiter: u8,
    state: State,
}

#[derive(PartialEq)]
enum State {
    ValueStart,
    Plain,
    Quoted,
    QuoteInQuoted,
}

impl Quotes {
    fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            state: State::ValueStart,
        }
    }

    fn open(&self) -> bool {
        self.state == State::Quoted
    }

    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.state = match (&self.state, byte) {
                (State::ValueStart, b'"') | (State::QuoteInQuoted, b'"') => State::Quoted,
                (State::Quoted, b'"') => State::QuoteInQuoted,
                (State::Quoted, _) => State::Quoted,
                (_, b'\n' | b'\r') => State::ValueStart,
                (_, byte) if byte == self.delimiter => State::ValueStart,
                _ => State::Plain,
            };
        }
    }
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
