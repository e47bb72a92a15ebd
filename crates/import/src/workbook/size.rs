//! Refuses workbooks that are too large, before any of their parts is unpacked into memory.

use std::io::{BufRead, BufReader, Cursor};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::damaged;
use crate::FileError;
use crate::file_limits::{CELL_FORMATS, STYLE_TEXT};

/// Limit on all parts together, in bytes. Sheets are read cell by cell.
pub(super) const UNPACKED: u64 = 512 << 20;

/// Limit on each part that is read as a whole, in bytes, such as the texts of all sheets.
const PART: u64 = 128 << 20;

/// Checks the sizes that the archive announces. A part that turns out to be longer cannot be read.
pub(super) fn check(file: &[u8]) -> Result<(), FileError> {
    let archive = ZipArchive::new(Cursor::new(file));
    let mut archive = archive.map_err(|_| FileError::NotText("a damaged ZIP archive"))?;
    let mut left = UNPACKED;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(damaged)?;
        let name = part.name().map_err(damaged)?.replace('\\', "/");
        let (name, size) = (name.to_ascii_lowercase(), part.size());
        let has_texts = name.ends_with("sharedstrings.xml");
        let has_styles = name.ends_with("styles.xml");
        let is_read_whole = has_texts || has_styles || name.ends_with("workbook.xml");
        let is_sheet = name.starts_with("xl/worksheets/sheet") && !is_read_whole;
        if size > if is_sheet { left } else { left.min(PART) } {
            return Err(FileError::LargeWorkbook);
        }
        left -= size;
        let part = BufReader::new(part);
        if has_texts {
            // Each text takes some bytes. calamine reserves memory for as many as the part says it has.
            if text_count(part).is_some_and(|count| count > size) {
                return Err(damaged("it says that it has more texts than bytes"));
            }
        } else if has_styles && has_large_styles(part) {
            return Err(FileError::WorkbookStyles);
        }
    }
    Ok(())
}

/// Returns whether the styles have too many formats or too long texts. What is no XML fails later.
fn has_large_styles(part: impl BufRead) -> bool {
    let mut reader = Reader::from_reader(part);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.check_end_names = false;
    let (mut buffer, mut formats, mut is_of_cells) = (Vec::new(), 0, false);
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::End(element)) if element.local_name().as_ref() == "cellXfs" => {
                is_of_cells = false;
            }
            Ok(Event::Start(element)) => {
                let name = element.local_name();
                is_of_cells |= name.as_ref() == "cellXfs";
                formats += usize::from(is_of_cells && name.as_ref() == "xf");
                let mut attributes = element.attributes();
                let mut texts = attributes.with_checks(false).flatten();
                let is_long = texts.any(|attribute| attribute.value.len() > STYLE_TEXT);
                if formats > CELL_FORMATS || is_long {
                    return true;
                }
            }
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// Returns how many texts the part with the shared texts says it has.
fn text_count(part: impl BufRead) -> Option<u64> {
    let mut reader = Reader::from_reader(part);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.check_end_names = false;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(element) if element.local_name().as_ref() == "sst" => {
                let count = element.try_get_attribute("uniqueCount").ok()??;
                return count.value.parse().ok();
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use zip::ZipArchive;

    use super::{CELL_FORMATS, PART, STYLE_TEXT, UNPACKED, check};
    use crate::FileError;
    use crate::workbook::tests::archive;

    /// Makes the archive say another size of its only part.
    fn announcing(mut file: Vec<u8>, size: u32) -> Vec<u8> {
        for (signature, offset) in [(b"PK\x03\x04", 22), (b"PK\x01\x02", 24)] {
            let mut places = file.windows(4);
            let at = places.position(|bytes| bytes == signature).unwrap() + offset;
            file[at..at + 4].copy_from_slice(&size.to_le_bytes());
        }
        file
    }

    #[test]
    fn an_archive_that_announces_gigabytes_is_refused() {
        let refused = |name: &str, size: u64| {
            let size = u32::try_from(size).unwrap();
            let result = check(&announcing(archive(&[(name, "x")]), size));
            matches!(result, Err(FileError::LargeWorkbook))
        };
        assert!(refused("xl/worksheets/sheet1.xml", 3 << 30));
        assert!(!refused("xl/worksheets/sheet1.xml", UNPACKED));
        assert!(refused("xl/styles.xml", PART + 1));
        assert!(refused("xl/worksheets/sheets/sharedStrings.xml", PART + 1));
        assert!(!refused("xl/styles.xml", PART));
    }

    #[test]
    fn styles_that_would_be_copied_for_each_cell_format_are_refused() {
        let refused = |name: &str, font: usize, formats: usize| {
            let font = "n".repeat(font);
            let formats = "<xf fontId=\"0\"/>".repeat(formats);
            let part = format!(
                "<styleSheet><fonts><font><name val=\"{font}\"/></font></fonts><cellStyleXfs><xf/></cellStyleXfs>\
                 <cellXfs>{formats}</cellXfs></styleSheet>"
            );
            let result = check(&archive(&[(name, &part)]));
            matches!(result, Err(FileError::WorkbookStyles))
        };
        for name in ["xl/styles.xml", "xl/worksheets/sheets/Styles.xml"] {
            assert!(!refused(name, STYLE_TEXT, CELL_FORMATS));
            assert!(refused(name, STYLE_TEXT + 1, 1));
            assert!(refused(name, 1, CELL_FORMATS + 1));
        }
    }

    #[test]
    fn what_is_longer_than_announced_is_not_unpacked() {
        let file = archive(&[("xl/worksheets/sheet1.xml", &"x".repeat(100_000))]);
        let mut archive = ZipArchive::new(Cursor::new(announcing(file, 1000))).unwrap();
        let mut unpacked = Vec::new();
        let result = archive.by_index(0).unwrap().read_to_end(&mut unpacked);
        assert!(
            result.is_err() && unpacked.len() < 2000,
            "{}",
            unpacked.len()
        );
    }

    #[test]
    fn texts_are_counted_before_memory_is_reserved_for_them() {
        let texts = |count: &str| {
            let part =
                format!("<!-- <sst/> --><sst uniqueCount=\"{count}\"><si><t>a</t></si></sst>");
            check(&archive(&[("xl/SharedStrings.xml", &part)]))
        };
        assert!(texts("1").is_ok());
        assert!(matches!(
            texts("99999999999"),
            Err(FileError::DamagedWorkbook(_))
        ));
    }
}
