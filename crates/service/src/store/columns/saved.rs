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

use lead_workspace_index::{Column, ColumnId};
use rusqlite::Connection;

use super::IndexHost;
use crate::store::{DATABASE_FILE, StoreError, Tenant, open, schema, versions};

/// Name of the file in the data folder.
pub(in crate::store) const FILE: &str = "columns.cache";

/// The first bytes of the file; changes with its format.
const FORMAT: u64 = 0x4C64_5773_636F_6C03;

/// Bytes before the first column: the format and the state of the database.
const HEADER: u64 = 32;

/// Bytes of a column's record besides its name and the column: the workspace, its version, the lengths of both, and a
/// checksum of all of this. The column has its own.
const RECORD: u64 = 36;

/// Saves the columns when it is dropped, after the last write to the database.
pub(in crate::store) struct SavedColumns {
    dir: PathBuf,
    columns: IndexHost,
}

impl SavedColumns {
    pub(in crate::store) fn at_end(dir: &Path, columns: &IndexHost) -> Self {
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
    pub(in crate::store) fn take(self, columns: &IndexHost, connection: &Connection) {
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

fn save(dir: &Path, columns: &IndexHost) -> Result<(), StoreError> {
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
        let version = columns.version((&connection).into(), tenant)?;
        let ids = columns.loaded_of(tenant, version);
        let current = columns.read((&connection).into(), tenant, &ids)?;
        for id in ids {
            // A value that no row has any more may have been deleted for good.
            let column = current.get(id).without_unused().to_bytes();
            let name = id.name();
            let numbers = [tenant.0, version, name.len() as i64, column.len() as i64];
            let mut record = numbers.map(i64::to_le_bytes).concat();
            record.extend(name.as_bytes());
            write(&record)?;
            write(&crc32fast::hash(&record).to_le_bytes())?;
            write(&column)?;
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

fn read(file: File, columns: &IndexHost, connection: &Connection) -> std::io::Result<()> {
    let mut rest = file.metadata()?.len().saturating_sub(HEADER);
    let mut file = BufReader::with_capacity(1 << 20, file);
    file.read_exact(&mut [0; HEADER as usize])?;
    while rest > 0 {
        let mut record = vec![0; 32];
        file.read_exact(&mut record)?;
        let numbers = record
            .as_chunks()
            .0
            .iter()
            .map(|number| u64::from_le_bytes(*number));
        let &[tenant, version, name, column] = &numbers.collect::<Vec<_>>()[..] else {
            return Err(damaged());
        };
        let taken = name
            .checked_add(column)
            .and_then(|bytes| bytes.checked_add(RECORD));
        rest = taken
            .and_then(|taken| rest.checked_sub(taken))
            .ok_or_else(damaged)?;
        let mut bytes = |length: u64| {
            let mut bytes = vec![0; usize::try_from(length).map_err(|_| damaged())?];
            file.read_exact(&mut bytes).map(|()| bytes)
        };
        let (name, checksum, column) = (bytes(name)?, bytes(4)?, bytes(column)?);
        record.extend(&name);
        if crc32fast::hash(&record).to_le_bytes()[..] != checksum[..] {
            return Err(damaged());
        }
        let column = Column::of_bytes(&column).map_err(|_| damaged())?;
        let (tenant, version) = (Tenant(tenant.cast_signed()), version.cast_signed());
        let is_current =
            versions::version(connection.into(), tenant).is_ok_and(|now| now == version);
        let id = str::from_utf8(&name).ok().and_then(ColumnId::named);
        if let Some(id) = id.filter(|_| is_current) {
            columns.changes().begin_at(tenant, version);
            columns.keep((tenant, id), version, &Arc::new(column));
        }
    }
    Ok(())
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
