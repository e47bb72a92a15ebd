//! Opens a file in any supported encoding.
//!
//! UTF-8 (with or without BOM) and Windows-1252 pass unchanged: both keep ASCII in one byte, so
//! lines, quotes and delimiters are found without decoding, and [`text`] decodes value by value.
//! UTF-16 is detected by its BOM and decoded here.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::error::ImportError;
use super::file_limits;

const BUFFER: usize = 64 * 1024;

/// A file as bytes of UTF-8 or Windows-1252.
pub(super) type TextReader = Box<dyn BufRead + Send>;

/// A file that was opened.
pub(super) enum Source {
    Text(TextReader),
    /// An Excel workbook, as it is: the list of its parts is at its end.
    Workbook(Vec<u8>),
}

/// Opens a file, and detects its encoding from its beginning.
///
/// # Errors
/// If it is empty, neither text nor a workbook, a workbook that is too large, or cannot be read.
pub(super) fn open(reader: impl Read + Send + 'static) -> Result<Source, ImportError> {
    let mut reader = BufReader::with_capacity(BUFFER, reader);
    let start = reader.fill_buf().map_err(ImportError::Read)?;
    match start {
        [] => return Err(ImportError::Empty),
        [b'P', b'K', 3, 4, ..] => return workbook(reader).map(Source::Workbook),
        [0x1F, 0x8B, ..] => return Err(ImportError::NotText("a gzip archive")),
        [0xD0, 0xCF, 0x11, 0xE0, ..] => {
            return Err(ImportError::NotText(
                "an Excel workbook of the old format, or one with a password",
            ));
        }
        [b'%', b'P', b'D', b'F', ..] => return Err(ImportError::NotText("a PDF")),
        [0xEF, 0xBB, 0xBF, ..] => reader.consume(3),
        [0xFF, 0xFE, ..] => {
            return Ok(Utf16::source(
                reader,
                UTF_16LE.new_decoder_with_bom_removal(),
            ));
        }
        [0xFE, 0xFF, ..] => {
            return Ok(Utf16::source(
                reader,
                UTF_16BE.new_decoder_with_bom_removal(),
            ));
        }
        start if start.contains(&0) => return Err(ImportError::Nul),
        _ => {}
    }
    Ok(Source::Text(Box::new(reader)))
}

/// Reads a workbook, unless it is too large.
fn workbook(reader: impl Read) -> Result<Vec<u8>, ImportError> {
    let mut file = Vec::new();
    let limit = file_limits::WORKBOOK as u64 + 1;
    reader.take(limit).read_to_end(&mut file)?;
    if file.len() > file_limits::WORKBOOK {
        return Err(ImportError::LargeWorkbook);
    }
    Ok(file)
}

/// Decodes a value as UTF-8, or else as Windows-1252, which some spreadsheets write.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// Reads UTF-16 as UTF-8.
struct Utf16<R> {
    reader: R,
    decoder: Decoder,
    decoded: Vec<u8>,
    position: usize,
    ended: bool,
}

impl<R: BufRead + Send + 'static> Utf16<R> {
    fn source(reader: R, decoder: Decoder) -> Source {
        Source::Text(Box::new(BufReader::with_capacity(
            BUFFER,
            Self {
                reader,
                decoder,
                decoded: Vec::new(),
                position: 0,
                ended: false,
            },
        )))
    }

    fn decode_more(&mut self) -> io::Result<()> {
        self.position = 0;
        self.decoded.resize(BUFFER, 0);
        let bytes = self.reader.fill_buf()?;
        self.ended = bytes.is_empty();
        let (_, read, written, _) =
            self.decoder
                .decode_to_utf8(bytes, &mut self.decoded, self.ended);
        self.reader.consume(read);
        self.decoded.truncate(written);
        Ok(())
    }
}

impl<R: BufRead + Send + 'static> Read for Utf16<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.position == self.decoded.len() && !self.ended {
            self.decode_more()?;
        }
        let left = &self.decoded[self.position..];
        let length = left.len().min(out.len());
        out[..length].copy_from_slice(&left[..length]);
        self.position += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, open, text};
    use std::io::{Cursor, Read};

    fn read(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        let Source::Text(mut source) = open(Cursor::new(bytes.to_vec())).unwrap() else {
            panic!("a workbook");
        };
        source.read_to_end(&mut out).unwrap();
        text(&out).into_owned()
    }

    #[test]
    fn common_encodings_are_read() {
        assert_eq!(read("\u{feff}Zoë".as_bytes()), "Zoë");
        assert_eq!(read("Zoë".as_bytes()), "Zoë");
        assert_eq!(read(b"Zo\xEB \x80"), "Zoë €");
        let little: Vec<u8> = "\u{feff}Zoë 林"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let big: Vec<u8> = "\u{feff}Zoë 林"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(read(&little), "Zoë 林");
        assert_eq!(read(&big), "Zoë 林");
    }

    #[test]
    fn a_long_utf16_file_is_read_in_full() {
        let long = format!("\u{feff}{}", "a😀ü,".repeat(60_000));
        let bytes: Vec<u8> = long.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&bytes), long.trim_start_matches('\u{feff}'));
    }

    #[test]
    fn binary_files_are_rejected_with_a_message() {
        let refused = |bytes: &[u8]| open(Cursor::new(bytes.to_vec())).err().unwrap().to_string();
        assert!(refused(b"\xD0\xCF\x11\xE0rest").contains("one with a password"));
        assert!(refused(b"").contains("empty"));
        assert!(refused(b"N\0a\0m\0e\0").contains("UTF-16 without a byte order mark"));
    }
}
