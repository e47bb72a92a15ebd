//! Splits CSV records into values, and detects the delimiter of a file.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::encoding::text;
use super::records::{Records, line_end};

const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// Splits records that were found by [`Records`](super::records::Records).
pub(super) struct Splitter {
    reader: Reader,
    values: Vec<u8>,
    ends: Vec<usize>,
}

impl Splitter {
    pub(super) fn new(delimiter: u8) -> Self {
        Self {
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            values: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Splits a record into trimmed values.
    ///
    /// # Errors
    /// If a line break outside quotes ends it too early: the rest must not be dropped silently, or
    /// be taken for a line of its own.
    pub(super) fn split(&mut self, record: &[u8]) -> Result<Vec<String>, &'static str> {
        self.reader.reset();
        // Values have no more bytes than the record, and there is one value more than delimiters.
        self.values.resize(record.len() + 1, 0);
        self.ends.resize(record.len() + 2, 0);
        let (mut input, mut written, mut ended) = (record, 0, 0);
        loop {
            let (result, read, wrote, ends) = self.reader.read_record(
                input,
                &mut self.values[written..],
                &mut self.ends[ended..],
            );
            input = &input[read..];
            written += wrote;
            ended += ends;
            match result {
                // The reader ends a record only when it gets empty input.
                ReadRecordResult::InputEmpty if read > 0 || !input.is_empty() => {}
                ReadRecordResult::InputEmpty => input = &[],
                _ => break,
            }
        }
        if !input.iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
            return Err("the line contains a line break outside quotes");
        }
        let mut start = 0;
        let ends = self.ends[..ended].iter().map(|end| {
            let value = &self.values[start..*end];
            start = *end;
            text(value).trim().to_owned()
        });
        Ok(ends.collect())
    }
}

/// Returns the delimiter that splits the first lines most evenly. A `sep=;` line sets it.
pub(super) fn sniff(start: &[u8]) -> u8 {
    if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter, ..] = start
        && (delimiter.is_ascii_punctuation() || matches!(delimiter, b'\t' | b' '))
        && *delimiter != b'"'
    {
        return *delimiter;
    }
    // The first header of an export. Its cells have line breaks and reasons with semicolons.
    if let Some([delimiter, ..]) = start.strip_prefix(b"lead_id")
        && DELIMITERS.contains(delimiter)
    {
        return *delimiter;
    }
    let even = |delimiter: u8| {
        let mut records = Records::new(start, Some(delimiter), line_end(start));
        let mut splitter = Splitter::new(delimiter);
        let mut widths = Vec::new();
        while let (true, Ok(Some(record))) = (widths.len() < 20, records.next()) {
            let values = record.bytes.and_then(|bytes| splitter.split(&bytes));
            widths.extend(values.ok().map(|values| values.len()));
        }
        // The last line may be cut off.
        if widths.len() > 2 {
            widths.pop();
        }
        let common = widths.iter().copied().filter(|width| *width > 1);
        let common =
            common.max_by_key(|width| widths.iter().filter(|other| *other == width).count());
        let common = common.unwrap_or(1);
        let even = widths.iter().filter(|width| **width == common).count();
        (if common > 1 { even } else { 0 }, common)
    };
    DELIMITERS
        .into_iter()
        .rev()
        .max_by_key(|delimiter| even(*delimiter))
        .unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::{Splitter, sniff};

    #[test]
    fn values_are_split_by_csv_rules() {
        let split = |text: &str| Splitter::new(b',').split(text.as_bytes()).unwrap();
        assert_eq!(split("a,b,"), ["a", "b", ""]);
        assert_eq!(
            split("\"a,b\", c ,\"say \"\"hi\"\"\""),
            ["a,b", "c", "say \"hi\""]
        );
        assert_eq!(split("\"two\nlines\",x"), ["two\nlines", "x"]);
        assert_eq!(split("5\" pipe,6\""), ["5\" pipe", "6\""]);
        assert_eq!(split("x"), ["x"]);
        assert_eq!(split(",,"), ["", "", ""]);
        assert_eq!(
            Splitter::new(b',').split(b"M\xFCller,\xC3\xBC").unwrap(),
            ["Müller", "ü"]
        );
        assert_eq!(split("\r\na,\"b\rc\"\r\r"), ["a", "b\rc"]);
    }

    #[test]
    fn an_unterminated_record_is_reported() {
        for text in ["a,b\rc,d", "a\nb", "a,\"b\"\r,c"] {
            assert!(
                Splitter::new(b',').split(text.as_bytes()).is_err(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_splitter_can_be_reused() {
        let mut splitter = Splitter::new(b';');
        assert_eq!(splitter.split(b"a;b;c").unwrap(), ["a", "b", "c"]);
        assert_eq!(splitter.split(b"\"open").unwrap(), ["open"]);
        assert_eq!(splitter.split(b"d").unwrap(), ["d"]);
    }

    #[test]
    fn the_delimiter_is_detected() {
        let cases: [(&str, u8); 10] = [
            ("a,b\n1,2\n", b','),
            ("a;b;c\n1,5;2;3\n2,5;3;4\n", b';'),
            ("a\tb\n1, 2 and 3\tx\n", b'\t'),
            ("name\nAna\n", b','),
            ("a,b\n\"x;y;z\",2\n\"x;y;z\",3\n", b','),
            ("sep=;\na;b\n", b';'),
            ("sep=\na;b\n1;2\n", b';'),
            ("lead_id,b\n1,\"x;y\nx;y\nx;y\"\n", b','),
            ("a;b;c\r1,5;2;3\r2,5;3;4\r", b';'),
            ("Name;Title\nAna;CEO, Founder\nBo;CTO\n", b';'),
        ];
        for (text, delimiter) in cases {
            assert_eq!(sniff(text.as_bytes()), delimiter, "{text:?}");
        }
    }
}
