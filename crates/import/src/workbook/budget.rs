//! Limits how much of a workbook is read: its sheets may all name the same part.

use std::io::{Error, Read, Result, Seek, SeekFrom};

/// What is read beyond the sheets, in bytes: the ends of buffers, the table of contents.
const MORE: u64 = 64 << 10;

/// A file that may be read only so often.
pub(super) struct Budgeted<R> {
    file: R,
    /// In bytes.
    left: u64,
}

impl<R> Budgeted<R> {
    /// Allows each byte of a file to be read `times` times.
    pub(super) fn new(file: R, length: usize, times: u64) -> Self {
        let left = (length as u64).saturating_mul(times).saturating_add(MORE);
        Self { file, left }
    }
}

impl<R: Read> Read for Budgeted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.left.checked_sub(read as u64);
        self.left = left.ok_or_else(|| Error::other("its sheets share their parts"))?;
        Ok(read)
    }
}

impl<R: Seek> Seek for Budgeted<R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Seek};

    use super::{Budgeted, MORE};

    #[test]
    fn a_file_is_read_as_often_as_allowed() {
        let length = 1_000_000;
        let mut file = Budgeted::new(Cursor::new(vec![0; length]), length, 2);
        let mut read = || {
            file.rewind().unwrap();
            file.read_to_end(&mut Vec::new())
        };
        assert_eq!(read().unwrap(), length);
        assert_eq!(read().unwrap(), length);
        assert!(MORE < length as u64 && read().is_err());
    }
}
