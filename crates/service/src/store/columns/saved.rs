//! The columns of the last stop, for the next start.
//!
//! A normal stop writes the columns to a file next to the database, and the next start reads and
//! removes it. The file is only for the very database that it was made from: any write to that, by
//! whichever program, changes the time of its file.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use rusqlite::Connection;

use super::column::{Cells, Column};
use super::dictionary::Dictionary;
use super::{ColumnId, Columns};
use crate::store::{DATABASE_FILE, StoreError, Tenant, count_cache, open, schema};

/// Name of the file in the data folder.
pub(in crate::store) const FILE: &str = "columns.cache";

/// The first bytes of the file; changes with its format.
const FORMAT: u64 = 0x4C64_5773_636F_6C01;

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

fn save(dir: &Path, columns: &Columns) -> Result<(), StoreError> {
    let state = columns.lock();
    let Some(database) = state_of(dir).filter(|_| !state.loaded.is_empty()) else {
        return Ok(());
    };
    let failed = |source| StoreError::io("saving the columns", source);
    // Renamed when it is whole.
    let part = part_of(dir);
    open::make_private(&part)?;
    let file = File::options().write(true).truncate(true).open(&part);
    let mut out = BufWriter::with_capacity(1 << 20, file.map_err(failed)?);
    let mut write = || -> std::io::Result<()> {
        for number in [FORMAT].iter().chain(&database) {
            out.write_all(&number.to_le_bytes())?;
        }
        for ((tenant, id), loaded) in &state.loaded {
            let changes = &columns.0.changes;
            let latest = changes.latest(*tenant).unwrap_or(loaded.version);
            let changed = changes.between(*tenant, loaded.version, latest, id.kind());
            if changed.is_none_or(|rows| !rows.is_empty()) {
                continue;
            }
            put_numbers(&mut out, [tenant.0, latest].map(i64::to_le_bytes))?;
            put_text(&mut out, id.0)?;
            // A value that no row has any more may have been deleted for good.
            put_column(&mut out, &loaded.column.without_unused())?;
        }
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&part, dir.join(FILE))
    };
    write().map_err(failed)
}

fn put_column(out: &mut impl Write, column: &Column) -> std::io::Result<()> {
    match &column.dictionary {
        Dictionary::Integers(values) => {
            out.write_all(b"i")?;
            put_numbers(out, values.iter().map(|value| value.to_le_bytes()))?;
        }
        Dictionary::Reals(values) => {
            out.write_all(b"r")?;
            put_numbers(out, values.iter().map(|value| value.to_le_bytes()))?;
        }
        Dictionary::Texts(texts, ends) => {
            out.write_all(b"t")?;
            put_text(out, texts)?;
            put_numbers(out, ends.iter().map(|end| end.to_le_bytes()))?;
        }
    }
    match &column.cells {
        Cells::One(codes) => {
            out.write_all(b"o")?;
            put_numbers(out, codes.iter().map(|code| code.to_le_bytes()))
        }
        Cells::Many { ends, rows } => {
            out.write_all(b"m")?;
            put_numbers(out, ends.iter().map(|end| (*end as u64).to_le_bytes()))?;
            put_numbers(out, rows.iter().map(|row| row.to_le_bytes()))
        }
    }
}

/// Writes numbers with their length in bytes before them.
fn put_numbers<const N: usize>(
    out: &mut impl Write,
    numbers: impl IntoIterator<Item = [u8; N]>,
) -> std::io::Result<()> {
    let bytes: Vec<u8> = numbers.into_iter().flatten().collect();
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(&bytes)
}

fn put_text(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

fn read(file: File, columns: &Columns, connection: &Connection) -> std::io::Result<()> {
    let mut rest = file.metadata()?.len();
    let mut file = BufReader::with_capacity(1 << 20, file);
    file.read_exact(&mut [0; HEADER as usize])?;
    rest -= HEADER;
    while rest > 0 {
        let mut from = Counted {
            file: &mut file,
            rest,
        };
        let keys = get_numbers(&mut from, i64::from_le_bytes)?;
        let id = get_text(&mut from)?;
        let column = get_column(&mut from)?;
        rest = from.rest;
        let &[tenant, version] = &keys[..] else {
            return Err(damaged());
        };
        let tenant = Tenant(tenant);
        let is_current = count_cache::version(connection, tenant).is_ok_and(|now| now == version);
        if let Some(id) = ColumnId::named(&id).filter(|_| is_current) {
            columns.keep(tenant, id, version, &Arc::new(column));
        }
    }
    Ok(())
}

/// The rest of the file: no length in it can be larger.
struct Counted<'a, R> {
    file: &'a mut R,
    rest: u64,
}

impl<R: Read> Counted<'_, R> {
    fn bytes(&mut self, length: u64) -> std::io::Result<Vec<u8>> {
        self.rest = self.rest.checked_sub(length).ok_or_else(damaged)?;
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| damaged())?];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn counted_bytes(&mut self) -> std::io::Result<Vec<u8>> {
        self.rest = self.rest.checked_sub(8).ok_or_else(damaged)?;
        let length = get_number(self.file)?;
        self.bytes(length)
    }
}

fn get_column<R: Read>(from: &mut Counted<'_, R>) -> std::io::Result<Column> {
    let dictionary = match from.bytes(1)?[..] {
        [b'i'] => Dictionary::Integers(get_numbers(from, i64::from_le_bytes)?),
        [b'r'] => Dictionary::Reals(get_numbers(from, f64::from_le_bytes)?),
        [b't'] => Dictionary::Texts(get_text(from)?, get_numbers(from, u32::from_le_bytes)?),
        _ => return Err(damaged()),
    };
    let cells = match from.bytes(1)?[..] {
        [b'o'] => Cells::One(get_numbers(from, u32::from_le_bytes)?),
        [b'm'] => Cells::Many {
            ends: get_numbers(from, |bytes| u64::from_le_bytes(bytes) as usize)?,
            rows: get_numbers(from, u32::from_le_bytes)?,
        },
        _ => return Err(damaged()),
    };
    Ok(Column { dictionary, cells })
}

fn get_numbers<R: Read, T, const N: usize>(
    from: &mut Counted<'_, R>,
    read: impl Fn([u8; N]) -> T,
) -> std::io::Result<Vec<T>> {
    let bytes = from.counted_bytes()?;
    let (numbers, rest) = bytes.as_chunks::<N>();
    if !rest.is_empty() {
        return Err(damaged());
    }
    Ok(numbers.iter().map(|number| read(*number)).collect())
}

fn get_text<R: Read>(from: &mut Counted<'_, R>) -> std::io::Result<String> {
    String::from_utf8(from.counted_bytes()?).map_err(|_| damaged())
}

fn get_number(file: &mut impl Read) -> std::io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn damaged() -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, "the file is damaged")
}

#[cfg(test)]
mod tests;
