//! Opens a file in any supported encoding.
//!
//! UTF-8 (with or without BOM) and Windows-1252 pass unchanged: both keep ASCII in one byte, so
//! lines, quotes and delimiters are found without decoding, and `text` decodes value by value.
//! UTF-16 is detected by its BOM and decoded first.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use super::error::FileError;
use super::file_limits;
#[cfg(feature = "encodings")]
use super::other_encodings::{Order, utf16, windows_1252};
use super::text_reader::{BUFFER, TextReader};

/// A file that was opened.
pub enum Source {
    Text(TextReader),
    /// An Excel workbook, as it is: the list of its parts is at its end.
    Workbook(Vec<u8>),
}

/// Opens a file, and detects its encoding from its beginning.
///
/// # Errors
/// If it is empty, neither text nor a workbook, a workbook that is too large, or cannot be read.
pub fn open(reader: impl Read + Send + 'static) -> Result<Source, FileError> {
    let mut reader = BufReader::with_capacity(BUFFER, reader);
    let start = reader.fill_buf().map_err(FileError::Read)?;
    match start {
        [] => return Err(FileError::Empty),
        [b'P', b'K', 3, 4, ..] => return workbook(reader).map(Source::Workbook),
        [0x1F, 0x8B, ..] => return Err(FileError::NotText("a gzip archive")),
        [0xD0, 0xCF, 0x11, 0xE0, ..] => {
            return Err(FileError::NotText(
                "an Excel workbook of the old format, or one with a password",
            ));
        }
        [b'%', b'P', b'D', b'F', ..] => return Err(FileError::NotText("a PDF")),
        [0xEF, 0xBB, 0xBF, ..] => reader.consume(3),
        #[cfg(feature = "encodings")]
        [0xFF, 0xFE, ..] => return Ok(Source::Text(utf16(reader, Order::LittleEndian))),
        #[cfg(feature = "encodings")]
        [0xFE, 0xFF, ..] => return Ok(Source::Text(utf16(reader, Order::BigEndian))),
        start if start.contains(&0) => return Err(FileError::Nul),
        _ => {}
    }
    Ok(Source::Text(Box::new(reader)))
}

/// Reads a workbook, unless it is too large.
fn workbook(reader: impl Read) -> Result<Vec<u8>, FileError> {
    let mut file = Vec::new();
    let limit = file_limits::WORKBOOK as u64 + 1;
    reader.take(limit).read_to_end(&mut file)?;
    if file.len() > file_limits::WORKBOOK {
        return Err(FileError::LargeWorkbook);
    }
    Ok(file)
}

/// Decodes a value as UTF-8, or else as Windows-1252, which some spreadsheets write.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        #[cfg(feature = "encodings")]
        Err(_) => windows_1252(bytes),
        #[cfg(not(feature = "encodings"))]
        Err(_) => String::from_utf8_lossy(bytes),
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
