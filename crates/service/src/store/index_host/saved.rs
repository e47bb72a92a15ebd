//! The columns in a file, for the next start.
//!
//! While the service runs, its columns are written to a file in the data folder, at most once a minute, and at the
//! stop. The next start reads them and brings them up to date by the feed, also after a crash. So the file is written only
//! when that would take long: with a million leads it has 200 MB. A process on a shared
//! database has a folder of its own for the file, if it is given one.
//!
//! The file is only for the database that it was made from. Each file has a token, which the database has, too, since
//! after the columns were read: so a database with the token has had the rows of the columns, and its feed has an entry
//! for each later change. Other programs write no entries: after a stop, the size and time of the file of a database must
//! be the same. Each column has a checksum.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

use lead_workspace_index::{ChangeKind, Column, ColumnId};

use super::{IndexHost, Key};
use crate::failpoint::Failpoint;
use crate::lock::lock;
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::postgres::Pool;
use crate::store::shared_database::SharedDatabase;
use crate::store::sqlite::disk::{self, DATABASE_FILE};
use crate::store::sqlite::wal;
use crate::store::tenant::Tenant;

/// Name of the file in the data folder.
pub(in crate::store) const FILE: &str = "columns.cache";

/// The first bytes of the file; changes with its format.
const FORMAT: u64 = 0x4C64_5773_636F_6C05;

/// Where the state of the database is: after the format, the schema and the token.
const STATE: u64 = 24;

/// Bytes before the first column: the format, the schema, the token and the state of the database.
const HEADER: u64 = 48;

/// How many tokens a database keeps. Each process needs its last two.
const TOKENS: i64 = 1000;

/// How many versions a column in the file may be behind, and how many rows with another status or score.
const MAX_BEHIND: i64 = 1000;

/// The state of a database that is in use.
const IN_USE: [u64; 3] = [0; 3];

/// Bytes of a column's record besides its name and the column: the workspace, its version, the lengths of both, and a
/// checksum of all of this. The column has its own.
const RECORD: u64 = 36;

/// The database that columns are saved of.
pub(in crate::store) enum SavedFor {
    /// That of the data folder.
    Folder,
    Server(Arc<Pool>),
}

/// Saves the columns. Those of a data folder also when it is dropped, after the last write to the database.
pub(in crate::store) struct SavedColumns {
    dir: PathBuf,
    database: SavedFor,
    /// The version of the schema.
    schema: i64,
    host: IndexHost,
    /// The columns in the file, with their versions.
    saved: Mutex<HashMap<Key, i64>>,
}

impl SavedColumns {
    /// Must be called when the columns in memory are those of the file.
    pub(in crate::store) fn new(
        dir: &Path,
        database: SavedFor,
        schema: i64,
        host: &IndexHost,
    ) -> Self {
        Self {
            dir: dir.to_owned(),
            database,
            schema,
            host: host.clone(),
            saved: Mutex::new(host.latest()),
        }
    }

    /// Saves the columns, if one of them is not in the file, or too far behind there. Blocks.
    pub(in crate::store) fn save_if_behind(&self) -> Result<(), StoreError> {
        let latest = self.host.latest();
        let mut saved = lock(&self.saved);
        let is_behind = |(key, latest): (&Key, &i64)| {
            let saved = saved.get(key);
            saved.is_none_or(|saved| self.is_behind(*key, *saved, *latest))
        };
        // It is removed when a workspace is deleted.
        if latest.iter().any(is_behind) || !self.dir.join(FILE).exists() {
            self.save()?;
            *saved = latest;
        }
        Ok(())
    }

    fn is_behind(&self, (tenant, id): Key, saved: i64, latest: i64) -> bool {
        let kind = id.changed_by();
        let changes = self.host.changes();
        let Some(rows) = changes.between(tenant, saved, latest, kind) else {
            return true;
        };
        // Texts that were deleted must not remain in the file.
        let has_texts = ![ChangeKind::STATUS, ChangeKind::SCORE].contains(&kind);
        let max_rows = if has_texts { 0 } else { MAX_BEHIND };
        rows.len() as i64 > max_rows || latest - saved > MAX_BEHIND
    }

    fn save(&self) -> Result<(), StoreError> {
        if self.host.lock().loaded.is_empty() {
            return Ok(());
        }
        let mut database = match &self.database {
            SavedFor::Folder => SharedDatabase::of_folder(&self.dir)?,
            SavedFor::Server(pool) => SharedDatabase::of_pool(Arc::clone(pool)),
        };
        save(&self.dir, self.schema, &self.host, &mut database).inspect_err(|_| {
            // On a full disk, others need the space.
            let _ = fs::remove_file(part_of(&self.dir));
        })
    }
}

impl Drop for SavedColumns {
    fn drop(&mut self) {
        let SavedFor::Folder = self.database else {
            return;
        };
        let saved = self.save().and_then(|()| {
            state_of(&self.dir).map_or(Ok(()), |state| write_state(&self.dir, state))
        });
        if let Err(error) = saved {
            // The next start loads the columns from the database.
            tracing::warn!(%error, "could not save the columns");
        }
    }
}

/// The file of an earlier process, if the database is still the one that it was made from.
pub(in crate::store) struct Saved {
    dir: PathBuf,
    /// The token; `None` if the database was changed since the stop.
    token: Option<i64>,
}

impl Saved {
    /// Looks for the file. Must be called before the database of a data folder is opened, which writes to it. `schema` is
    /// the newest version of the schema: a migration may change any column.
    pub(in crate::store) fn find(dir: &Path, schema: i64) -> Option<Self> {
        // Left by a process that was ended while it saved.
        let _ = fs::remove_file(part_of(dir));
        let mut file = File::open(dir.join(FILE)).ok()?;
        let mut header = [0; 6];
        let is_read = header.iter_mut().try_for_each(|number| {
            *number = get_number(&mut file)?;
            std::io::Result::Ok(())
        });
        let [format, of_schema, token, state @ ..] = header;
        let is_current = is_read.is_ok()
            && format == FORMAT
            && of_schema == schema.cast_unsigned()
            && (state == IN_USE || Some(state) == state_of(dir));
        Some(Self {
            dir: dir.to_owned(),
            token: is_current.then_some(token.cast_signed()),
        })
    }

    /// Keeps the columns. The file stays for the next start, if that comes before the columns are saved again.
    pub(in crate::store) fn take(self, host: &IndexHost, db: Db<'_>) {
        let sql = "SELECT count(*) FROM saved_columns WHERE token = ?1";
        let known: Result<i64, StoreError> = db.value(sql, params![self.token]);
        let taken = if known.is_ok_and(|known| known > 0) {
            File::open(self.dir.join(FILE))
                .and_then(|file| read(file, host))
                .map_err(|source| StoreError::io("reading the columns", source))
                .and_then(|()| write_state(&self.dir, IN_USE))
        } else {
            remove(&self.dir)
        };
        if let Err(error) = taken {
            tracing::warn!(%error, "could not read the saved columns");
            let _ = remove(&self.dir);
        }
    }
}

/// Returns what changes with every write to the database; `None` if some of it is still in the log.
fn state_of(dir: &Path) -> Option<[u64; 3]> {
    let database = dir.join(DATABASE_FILE);
    if fs::metadata(wal::file(&database)).is_ok_and(|log| log.len() > 0) {
        return None;
    }
    let file = fs::metadata(database).ok()?;
    let time = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some([file.len(), time.as_secs(), time.subsec_nanos().into()])
}

/// Writes the state of the database into the file, if there is one.
fn write_state(dir: &Path, state: [u64; 3]) -> Result<(), StoreError> {
    let write = |mut file: File| {
        file.seek(SeekFrom::Start(STATE))?;
        file.write_all(&state.map(u64::to_le_bytes).concat())
    };
    match File::options()
        .write(true)
        .open(dir.join(FILE))
        .and_then(write)
    {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(StoreError::io("saving the columns", error))
        }
        _ => Ok(()),
    }
}

fn part_of(dir: &Path) -> PathBuf {
    dir.join(format!("{FILE}.part"))
}

/// Removes the file. A workspace that is deleted must not remain in it, and what is repaired has no entry in the feed.
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

fn save(
    dir: &Path,
    schema: i64,
    host: &IndexHost,
    database: &mut SharedDatabase,
) -> Result<(), StoreError> {
    let failed = |source| StoreError::io("saving the columns", source);
    // Renamed when it is whole.
    let part = part_of(dir);
    disk::make_private(&part)?;
    let file = File::options().write(true).truncate(true).open(&part);
    let mut out = BufWriter::with_capacity(1 << 20, file.map_err(failed)?);
    let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(failed);
    let token = RandomState::new().hash_one(dir).cast_signed();
    let start = [FORMAT, schema.cast_unsigned(), token.cast_unsigned()];
    for number in start.iter().chain(&IN_USE) {
        write(&number.to_le_bytes())?;
    }
    let tenants: HashSet<Tenant> = database.read(Tenant::all)?;
    // Each in a transaction of its own, so that none is long.
    for (tenant, id) in host.by_use() {
        if !tenants.contains(&tenant) {
            continue;
        }
        let current = database.read(|db| host.current(db, tenant, id))?;
        let Some((version, columns)) = current else {
            continue;
        };
        // A value that no row has any more may have been deleted for good.
        let column = columns.get(id).without_unused().to_bytes();
        let name = id.name();
        let numbers = [tenant.0, version, name.len() as i64, column.len() as i64];
        let mut record = numbers.map(i64::to_le_bytes).concat();
        record.extend(name.as_bytes());
        write(&record)?;
        write(&crc32fast::hash(&record).to_le_bytes())?;
        write(&column)?;
    }
    let file = out
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(failed)?;
    Failpoint::ColumnsWritten.reach();
    // The database has the new token before the file, and the old one still: one of them is in the file.
    database.change(|db| {
        let old = "DELETE FROM saved_columns
                   WHERE number <= (SELECT max(number) FROM saved_columns) - ?1";
        db.execute(old, params![TOKENS])?;
        db.execute(
            "INSERT INTO saved_columns (token) VALUES (?1)",
            params![token],
        )
    })?;
    Failpoint::ColumnsToken.reach();
    fs::rename(&part, dir.join(FILE)).map_err(failed)
}

fn read(file: File, host: &IndexHost) -> std::io::Result<()> {
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
        if let Some(id) = str::from_utf8(&name).ok().and_then(ColumnId::named) {
            host.changes().begin_at(tenant, version);
            host.keep((tenant, id), version, &Arc::new(column));
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
