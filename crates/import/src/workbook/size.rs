//! Refuses workbooks that are too large, before any of their parts is unpacked into memory.

use std::io::{BufRead, BufReader, Cursor};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::damaged;
use crate::FileError;

/// Limit on all parts together, in bytes. Sheets are read cell by cell.
pub(super) const UNPACKED: u64 = 512 << 20;

/// Limit on each part that is read as a whole, in bytes: the texts of all sheets, the styles.
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
        let is_sheet = name.starts_with("xl/worksheets/sheet");
        if size > if is_sheet { left } else { left.min(PART) } {
            return Err(FileError::LargeWorkbook);
        }
        left -= size;
        if name.ends_with("sharedstrings.xml") {
            // Each text takes some bytes. calamine reserves memory for as many as the part says it has.
            if text_count(BufReader::new(part)).is_some_and(|count| count > size) {
                return Err(damaged("it says that it has more texts than bytes"));
            }
        }
    }
    Ok(())
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

    use super::{PART, UNPACKED, check};
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
        assert!(!refused("xl/styles.xml", PART));
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
