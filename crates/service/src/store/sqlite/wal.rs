//! Keeps the write-ahead log short.
//!
//! SQLite copies the log into the database on its own, but restarts the log only when no read uses
//! it. If there is always some read, the log grows without limit and slows down every read.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::disk::with_suffix;
use super::open::BUSY_TIMEOUT;
use crate::failpoint::Failpoint;

/// Log size in bytes from which an idle writer truncates the log. A little more than SQLite
/// accumulates before its own checkpoint.
const SHORT: u64 = 24 << 20;

/// Log size in bytes from which new changes wait for truncation.
const LONG: u64 = 256 << 20;

/// How long new changes then wait for reads to end.
const WAIT: Duration = Duration::from_millis(200);

/// Minimum time between two attempts.
const PAUSE: Duration = Duration::from_secs(1);

pub(in crate::store) struct WriteAheadLog {
    file: PathBuf,
    short: u64,
    long: u64,
    tried: Option<Instant>,
}

impl WriteAheadLog {
    pub(in crate::store) fn new(database: &Path) -> Self {
        Self {
            file: file(database),
            short: SHORT,
            long: LONG,
            tried: None,
        }
    }

    /// Returns how long to wait for changes before calling
    /// [`shorten_when_idle`](Self::shorten_when_idle); `None` (forever) if the log is short.
    pub(in crate::store) fn idle_wait(&self) -> Option<Duration> {
        (self.bytes() > self.short).then_some(PAUSE)
    }

    /// Truncates the log if no read uses it.
    pub(in crate::store) fn shorten_when_idle(&mut self, connection: &Connection) {
        self.shorten(connection, Duration::ZERO);
    }

    /// Truncates a long log, and waits for reads that use it.
    pub(in crate::store) fn shorten_if_long(&mut self, connection: &Connection) {
        let lately = self.tried.is_some_and(|tried| tried.elapsed() < PAUSE);
        if !lately && self.bytes() > self.long {
            self.shorten(connection, WAIT);
        }
    }

    fn shorten(&mut self, connection: &Connection, wait: Duration) {
        self.tried = Some(Instant::now());
        let _ = connection.busy_timeout(wait);
        // A read that blocks the checkpoint is not an error; there will be another attempt.
        if let Err(error) = truncate(connection) {
            tracing::warn!(%error, "could not truncate the write-ahead log");
        }
        let _ = connection.busy_timeout(BUSY_TIMEOUT);
    }

    fn bytes(&self) -> u64 {
        std::fs::metadata(&self.file).map_or(0, |file| file.len())
    }
}

/// Copies the log into the database and truncates it, if no read uses it.
pub(in crate::store) fn truncate(connection: &Connection) -> rusqlite::Result<()> {
    Failpoint::Checkpoint.reach();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
    Failpoint::Checkpoint.reach();
    Ok(())
}

/// Returns the path of a database's log.
pub(in crate::store) fn file(database: &Path) -> PathBuf {
    with_suffix(database, "-wal")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use rusqlite::Connection;

    use super::WriteAheadLog;
    use crate::metrics::StoreMetrics;
    use crate::store::error::StoreError;
    use crate::store::sqlite::disk::DATABASE_FILE;
    use crate::store::sqlite::open;
    use crate::store::sqlite::writer::Writer;

    /// Starts a writer with these limits for the log.
    fn writer(dir: &Path, short: u64, long: u64) -> (Writer, std::path::PathBuf) {
        let database = dir.join(DATABASE_FILE);
        let connection = open::writable(&database).unwrap();
        let wal = WriteAheadLog {
            short,
            long,
            ..WriteAheadLog::new(&database)
        };
        let file = wal.file.clone();
        let writer = Writer::start(connection, wal, StoreMetrics::new());
        (writer.unwrap(), file)
    }

    /// A read transaction that stays open.
    fn open_reader(dir: &Path) -> Connection {
        let connection = open::read_only(&dir.join(DATABASE_FILE)).unwrap();
        let read = "BEGIN; SELECT count(*) FROM tenants";
        connection.execute_batch(read).unwrap();
        connection
    }

    fn fill(connection: &Connection) -> Result<(), StoreError> {
        let sql = "INSERT INTO tenants (tenant_id, name, created_at)
                   VALUES (hex(randomblob(8)), hex(zeroblob(100000)), '')";
        Ok(connection.execute(sql, []).map(drop)?)
    }

    fn bytes(file: &Path) -> u64 {
        std::fs::metadata(file).unwrap().len()
    }

    #[tokio::test]
    async fn the_log_is_truncated_when_idle_and_without_readers() {
        let dir = tempfile::tempdir().unwrap();
        let (writer, file) = writer(dir.path(), 1 << 20, u64::MAX);
        let reader = open_reader(dir.path());
        while bytes(&file) < 2 << 20 {
            writer.run(fill).await.unwrap();
        }
        drop(reader);
        let began = Instant::now();
        while bytes(&file) > 1 << 20 {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "the log was not truncated"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        writer.run(fill).await.unwrap();
    }

    #[tokio::test]
    async fn the_log_is_truncated_during_continuous_writes() {
        let dir = tempfile::tempdir().unwrap();
        let (writer, file) = writer(dir.path(), u64::MAX, 1 << 20);
        let reader = open_reader(dir.path());
        while bytes(&file) < 2 << 20 {
            writer.run(fill).await.unwrap();
        }
        drop(reader);
        let began = Instant::now();
        while bytes(&file) > 1 << 20 {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "the log was not truncated"
            );
            writer
                .run(
                    |connection| Ok(connection.execute_batch("UPDATE tenants SET scoring = NULL")?),
                )
                .await
                .unwrap();
        }
    }
}
