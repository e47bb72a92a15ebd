//! Records of a file: lines, joined where a quoted CSV value contains a newline.
//!
//! Lines end with LF, or CRLF; in old files with CR alone, which is detected from the beginning of
//! the file.
//!
//! A quote that is never closed would swallow the rest of the file. Here it costs only its own line: the quote that ends a
//! value of several lines must be followed by a delimiter or the end of its line, the length of a record is limited, and
//! lines that were read ahead in vain are read again.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// Limit on a record, in bytes.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Bytes of a file that may be read ahead in vain. After them a record has at most [`MAX_LINES`], so that a file in which each
/// line has an unclosed quote does not take hours.
const MAX_IN_VAIN: usize = 16 << 20;
const MAX_LINES: usize = 100;

/// Why a longer line is not read.
pub(super) const TOO_LONG: &str = "the line is longer than 1 MiB";

/// A record, or the reason why there is none at this line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Number of its first line, from 1.
    pub line: u64,
    /// Bytes without the line ending.
    pub bytes: Result<Vec<u8>, &'static str>,
}

pub(super) struct Records<R> {
    reader: R,
    /// Delimiter of values; `None` for a file in which quotes have no meaning (JSONL).
    delimiter: Option<u8>,
    /// Byte that ends a line: LF or CR.
    end: u8,
    /// Lines to read again, after an unclosed quote.
    ahead: VecDeque<RawLine>,
    line: u64,
    /// Bytes that were read ahead in vain.
    in_vain: usize,
}

struct RawLine {
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
            in_vain: 0,
        }
    }

    pub(super) fn set_delimiter(&mut self, delimiter: Option<u8>) {
        self.delimiter = delimiter;
    }

    /// Returns the next record that is not empty.
    pub(super) fn next(&mut self) -> io::Result<Option<Record>> {
        loop {
            let line = self.line;
            let Some(first) = self.take_line()? else {
                return Ok(None);
            };
            self.line += 1;
            if first.too_long {
                return Ok(Some(Record {
                    line,
                    bytes: Err(TOO_LONG),
                }));
            }
            let bytes = match self.delimiter {
                Some(delimiter) => self.join_quoted(first.bytes, delimiter)?,
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

    fn join_quoted(
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
        while quotes.open() && !quotes.stray && length < MAX_BYTES {
            if self.in_vain > MAX_IN_VAIN && more.len() >= MAX_LINES {
                break;
            }
            let Some(line) = self.take_line()? else { break };
            quotes.feed(&line.bytes);
            length += line.bytes.len();
            let too_long = line.too_long;
            more.push(line);
            if too_long {
                break;
            }
        }
        if quotes.open() || quotes.stray || more.last().is_some_and(|line| line.too_long) {
            self.in_vain += length;
            for line in more.into_iter().rev() {
                self.ahead.push_front(line);
            }
            return Ok(Err("a quote in this line is never closed"));
        }
        self.line += more.len() as u64;
        let mut bytes = first;
        for line in more {
            bytes.extend_from_slice(&line.bytes);
        }
        Ok(Ok(bytes))
    }

    fn take_line(&mut self) -> io::Result<Option<RawLine>> {
        match self.ahead.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.read_line(),
        }
    }

    fn read_line(&mut self) -> io::Result<Option<RawLine>> {
        let mut bytes = Vec::new();
        let limit = MAX_BYTES as u64 + 1;
        self.reader
            .by_ref()
            .take(limit)
            .read_until(self.end, &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let too_long = bytes.len() > MAX_BYTES && bytes.last() != Some(&self.end);
        if too_long {
            bytes.truncate(0);
            self.skip_line()?;
        }
        Ok(Some(RawLine { bytes, too_long }))
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

/// Detects the byte that ends lines from the beginning of a file: CR if more lines end with CR
/// alone than with LF. Line breaks in quotes do not count.
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

/// Tracks whether a quoted value is open. A quote opens a value only at its beginning, and two
/// quotes inside mean one.
struct Quotes {
    delimiter: u8,
    state: State,
    /// Whether the value that an earlier line opened is still open.
    continues: bool,
    /// Whether the end of that value was followed by anything other than a delimiter or the end of its line.
    stray: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    ValueStart,
    Plain,
    Quoted,
    QuoteInQuoted,
    /// White space after a quoted value.
    AfterQuoted,
}

impl Quotes {
    fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            state: State::ValueStart,
            continues: false,
            stray: false,
        }
    }

    fn open(&self) -> bool {
        self.state == State::Quoted
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.continues = self.open();
        for &byte in bytes {
            self.state = match (self.state, byte) {
                (State::ValueStart, b'"') | (State::QuoteInQuoted, b'"') => State::Quoted,
                (State::Quoted, b'"') => State::QuoteInQuoted,
                (State::Quoted, _) => State::Quoted,
                (_, b'\n' | b'\r') => State::ValueStart,
                (_, byte) if byte == self.delimiter => State::ValueStart,
                (State::QuoteInQuoted | State::AfterQuoted, b' ' | b'\t') => State::AfterQuoted,
                (before, _) => {
                    let is_after = matches!(before, State::QuoteInQuoted | State::AfterQuoted);
                    self.stray |= self.continues && is_after;
                    State::Plain
                }
            };
            self.continues &= self.state != State::ValueStart;
        }
    }
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
