//! The columns of the last stop, for the next start.
//!
//! A normal stop writes the columns to a file next to the database, and the next start reads and
//! removes it. The file is only for the very database that it was made from: any write to that, by
//! whichever program, changes the time of its file. Each column has a checksum.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use rusqlite::Connection;

use super::codes::{BLOCK, Codes};
use super::column::{Cells, Column};
use super::dictionary::Dictionary;
use super::{ColumnId, Columns};
use crate::store::{DATABASE_FILE, StoreError, Tenant, open, schema, versions};

/// Name of the file in the data folder.
pub(in crate::store) const FILE: &str = "columns.cache";

/// The first bytes of the file; changes with its format.
const FORMAT: u64 = 0x4C64_5773_636F_6C02;

/// Bytes before the first column: the format and the state of the database.
const HEADER: u64 = 32;

/// Saves the columns when it is dropped, after the last write to the database.
pub(in crate::store) struct SavedColumns {
    dir: PathBuf,
    columns: Columns,
}

impl SavedColumns {
    pub(in crate::store) fn at_end(dir: &Path, columns: &Columns) -> Self {
        Self {
            dir: dir.to_owned(),
            columns: columns.clone(),
        }
    }
}

impl Drop for SavedColumns {
    fn drop(&mut self) {
        if let Err(error) = save(&self.dir, &self.columns) {
            // The next start loads the columns from the database.
            tracing::warn!(%error, "could not save the columns");
        }
    }
}

/// The file of the last stop, if the database is still what it was made from.
pub(in crate::store) struct Saved {
    path: PathBuf,
    is_current: bool,
}

impl Saved {
    /// Looks for the file. Must be called before the database is opened, which writes to it.
    pub(in crate::store) fn find(dir: &Path) -> Option<Self> {
        // Left by a stop that did not finish.
        let _ = fs::remove_file(part_of(dir));
        let path = dir.join(FILE);
        let mut file = File::open(&path).ok()?;
        let mut header = [0; 4];
        let is_read = header.iter_mut().try_for_each(|number| {
            *number = get_number(&mut file)?;
            std::io::Result::Ok(())
        });
        let [format, database @ ..] = header;
        let is_current = is_read.is_ok() && format == FORMAT && Some(database) == state_of(dir);
        // A migration may change any column.
        let is_migrated = || schema::is_current(&dir.join(DATABASE_FILE)).unwrap_or(false);
        Some(Self {
            is_current: is_current && is_migrated(),
            path,
        })
    }

    /// Keeps the columns, and removes the file.
    pub(in crate::store) fn take(self, columns: &Columns, connection: &Connection) {
        let read = if self.is_current {
            File::open(&self.path).and_then(|file| read(file, columns, connection))
        } else {
            Ok(())
        };
        // What is deleted from the workspace must not remain in this file.
        if let Err(error) = read.and(fs::remove_file(&self.path)) {
            tracing::warn!(%error, "could not read the saved columns");
        }
    }
}

/// Returns what changes with every write to the database; `None` if some of it is still in the log.
fn state_of(dir: &Path) -> Option<[u64; 3]> {
    let database = dir.join(DATABASE_FILE);
    let mut log = database.clone().into_os_string();
    log.push("-wal");
    if fs::metadata(log).is_ok_and(|log| log.len() > 0) {
        return None;
    }
    let file = fs::metadata(database).ok()?;
    let time = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some([file.len(), time.as_secs(), time.subsec_nanos().into()])
}

fn part_of(dir: &Path) -> PathBuf {
    dir.join(format!("{FILE}.part"))
}

/// Removes the file. A workspace that is deleted must not remain in it.
pub(in crate::store) fn remove(dir: &Path) -> Result<(), StoreError> {
    for path in [part_of(dir), dir.join(FILE)] {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StoreError::io(
                    format!("removing {}", path.display()),
                    error,
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

fn save(dir: &Path, columns: &Columns) -> Result<(), StoreError> {
    let Some(database) = state_of(dir).filter(|_| !columns.lock().loaded.is_empty()) else {
        return Ok(());
    };
    let failed = |source| StoreError::io("saving the columns", source);
    // Renamed when it is whole.
    let part = part_of(dir);
    open::make_private(&part)?;
    let file = File::options().write(true).truncate(true).open(&part);
    let mut out = BufWriter::with_capacity(1 << 20, file.map_err(failed)?);
    let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(failed);
    for number in [FORMAT].iter().chain(&database) {
        write(&number.to_le_bytes())?;
    }
    // As the last writer has left it. Workspaces may be deleted, and columns not of the last version.
    let connection = open::open_shared(dir)?;
    for tenant in Tenant::all::<Vec<_>>((&connection).into())? {
        let Some(snapshot) = columns.snapshot((&connection).into(), tenant)? else {
            continue;
        };
        for id in columns.loaded_of(tenant) {
            if let Some(column) = snapshot.column(id)? {
                // A value that no row has any more may have been deleted for good.
                let column = column.without_unused();
                let record = record_of(tenant, id, snapshot.version, &column);
                write(&(record.len() as u64).to_le_bytes())?;
                write(&crc32fast::hash(&record).to_le_bytes())?;
                write(&record)?;
            }
        }
    }
    drop(connection);
    let file = out
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(failed)?;
    if state_of(dir) == Some(database) {
        fs::rename(&part, dir.join(FILE)).map_err(failed)
    } else {
        // Another process has written meanwhile.
        fs::remove_file(&part).map_err(failed)
    }
}

fn record_of(tenant: Tenant, id: ColumnId, version: i64, column: &Column) -> Vec<u8> {
    let mut out = Vec::with_capacity(column.bytes() + 256);
    put_numbers(&mut out, [tenant.0, version].map(i64::to_le_bytes));
    put_text(&mut out, id.0);
    match &column.dictionary {
        Dictionary::Integers(values) => {
            out.push(b'i');
            put_numbers(&mut out, values.iter().map(|value| value.to_le_bytes()));
        }
        Dictionary::Reals(values) => {
            out.push(b'r');
            put_numbers(&mut out, values.iter().map(|value| value.to_le_bytes()));
        }
        Dictionary::Texts(texts, ends) => {
            out.push(b't');
            put_text(&mut out, texts);
            put_numbers(&mut out, ends.iter().map(|end| end.to_le_bytes()));
        }
    }
    match &column.cells {
        Cells::One(codes) => {
            out.push(b'o');
            // Each block with the number of its first row before it.
            let blocks = codes.blocks().flat_map(|(first, codes)| {
                std::iter::once(first as u32).chain(codes.iter().copied())
            });
            let blocks: Vec<u32> = blocks.collect();
            put_numbers(&mut out, blocks.iter().map(|number| number.to_le_bytes()));
        }
        Cells::Many { ends, rows } => {
            out.push(b'm');
            let ends = ends.iter().map(|end| (*end as u64).to_le_bytes());
            put_numbers(&mut out, ends);
            put_numbers(&mut out, rows.iter().map(|row| row.to_le_bytes()));
        }
    }
    out
}

/// Appends numbers with their length in bytes before them.
fn put_numbers<const N: usize>(
    out: &mut Vec<u8>,
    numbers: impl IntoIterator<Item = [u8; N], IntoIter: ExactSizeIterator>,
) {
    let numbers = numbers.into_iter();
    put_length(out, numbers.len() * N);
    out.extend(numbers.flatten());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_length(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn put_length(out: &mut Vec<u8>, bytes: usize) {
    out.extend_from_slice(&(bytes as u64).to_le_bytes());
}

fn read(file: File, columns: &Columns, connection: &Connection) -> std::io::Result<()> {
    let mut rest = file.metadata()?.len().saturating_sub(HEADER);
    let mut file = BufReader::with_capacity(1 << 20, file);
    file.read_exact(&mut [0; HEADER as usize])?;
    while rest > 0 {
        let mut checksum = [0; 4];
        let length = get_number(&mut file)?;
        file.read_exact(&mut checksum)?;
        let taken = length.checked_add(12).ok_or_else(damaged)?;
        rest = rest.checked_sub(taken).ok_or_else(damaged)?;
        let mut record = vec![0; usize::try_from(length).map_err(|_| damaged())?];
        file.read_exact(&mut record)?;
        if crc32fast::hash(&record) != u32::from_le_bytes(checksum) {
            return Err(damaged());
        }
        let mut record = Record(&record);
        let &[tenant, version] = &record.numbers(i64::from_le_bytes)?[..] else {
            return Err(damaged());
        };
        let id = record.text()?;
        let column = record.column()?;
        let tenant = Tenant(tenant);
        let is_current =
            versions::version(connection.into(), tenant).is_ok_and(|now| now == version);
        if let Some(id) = ColumnId::named(&id).filter(|_| is_current) {
            columns.keep(tenant, id, version, &Arc::new(column));
        }
    }
    Ok(())
}

/// What is left to read of a column.
struct Record<'a>(&'a [u8]);

impl<'a> Record<'a> {
    fn bytes(&mut self, length: usize) -> std::io::Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn counted_bytes(&mut self) -> std::io::Result<&'a [u8]> {
        let length = get_number(&mut self.0)?;
        self.bytes(usize::try_from(length).map_err(|_| damaged())?)
    }

    fn numbers<T, const N: usize>(
        &mut self,
        read: impl Fn([u8; N]) -> T,
    ) -> std::io::Result<Vec<T>> {
        let (numbers, rest) = self.counted_bytes()?.as_chunks::<N>();
        if !rest.is_empty() {
            return Err(damaged());
        }
        Ok(numbers.iter().map(|number| read(*number)).collect())
    }

    fn text(&mut self) -> std::io::Result<String> {
        String::from_utf8(self.counted_bytes()?.to_vec()).map_err(|_| damaged())
    }

    fn column(&mut self) -> std::io::Result<Column> {
        let dictionary = match self.bytes(1)? {
            b"i" => Dictionary::Integers(self.numbers(i64::from_le_bytes)?),
            b"r" => Dictionary::Reals(self.numbers(f64::from_le_bytes)?),
            b"t" => Dictionary::Texts(self.text()?, self.numbers(u32::from_le_bytes)?),
            _ => return Err(damaged()),
        };
        let cells = match self.bytes(1)? {
            b"o" => {
                let mut codes = Codes::default();
                for block in self.numbers(u32::from_le_bytes)?.chunks(BLOCK + 1) {
                    let [first, block @ ..] = block else {
                        return Err(damaged());
                    };
                    for (code, row) in block.iter().zip(*first as usize..) {
                        codes.set(row, *code);
                    }
                }
                Cells::One(codes)
            }
            b"m" => Cells::Many {
                ends: self.numbers(|bytes| u64::from_le_bytes(bytes) as usize)?,
                rows: self.numbers(u32::from_le_bytes)?,
            },
            _ => return Err(damaged()),
        };
        Ok(Column { dictionary, cells })
    }
}

fn get_number(file: &mut impl Read) -> std::io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn damaged() -> std::io::Error {
    std::io::Error::new(ErrorKind::InvalidData, "the file is damaged")
}

#[cfg(test)]
mod tests;
