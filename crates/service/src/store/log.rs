//! Keeps the write-ahead log short.
//!
//! SQLite moves the log into the database by itself, but starts it anew only when no read looks at
//! it. While some read always runs, the log would grow without end, and every read with it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::open::BUSY_TIMEOUT;

/// The size from which the log is shortened when there is nothing else to do, in bytes. It is a
/// little more than SQLite lets gather before it moves anything.
const SHORT: u64 = 24 << 20;

/// The size from which new changes wait for it, in bytes.
const LONG: u64 = 256 << 20;

/// How long new changes wait then for reads to end.
const WAIT: Duration = Duration::from_millis(200);

/// Between two tries.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) struct Log {
    file: PathBuf,
    short: u64,
    long: u64,
    tried: Option<Instant>,
}

impl Log {
    /// The log of a database.
    pub(super) fn of(database: &Path) -> Self {
        let mut file = database.as_os_str().to_owned();
        file.push("-wal");
        Self {
            file: file.into(),
            short: SHORT,
            long: LONG,
            tried: None,
        }
    }

    /// How long to wait for changes before [`shorten_when_idle`](Self::shorten_when_idle) is worth a
    /// try; without end where the log is short.
    pub(super) fn idle_wait(&self) -> Option<Duration> {
        (self.bytes() > self.short).then_some(PAUSE)
    }

    /// Shortens the log where no read is in the way.
    pub(super) fn shorten_when_idle(&mut self, connection: &Connection) {
        self.shorten(connection, Duration::ZERO);
    }

    /// Shortens the log where it is long, and waits for reads that are in the way.
    pub(super) fn shorten_if_long(&mut self, connection: &Connection) {
        let lately = self.tried.is_some_and(|tried| tried.elapsed() < PAUSE);
        if !lately && self.bytes() > self.long {
            self.shorten(connection, WAIT);
        }
    }

    fn shorten(&mut self, connection: &Connection, wait: Duration) {
        self.tried = Some(Instant::now());
        let _ = connection.busy_timeout(wait);
        // A read that is in the way is no error; the next try comes.
        if let Err(error) = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);") {
            tracing::warn!(%error, "the write-ahead log could not be shortened");
        }
        let _ = connection.busy_timeout(BUSY_TIMEOUT);
    }

    fn bytes(&self) -> u64 {
        std::fs::metadata(&self.file).map_or(0, |file| file.len())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use rusqlite::Connection;

    use super::Log;
    use crate::store::writer::Writer;
    use crate::store::{DATABASE_FILE, StoreError, open};

    /// A writer whose log counts as short up to some size, and as long from another.
    fn writer(dir: &Path, short: u64, long: u64) -> (Writer, std::path::PathBuf) {
        let database = dir.join(DATABASE_FILE);
        let connection = open::writable(&database).unwrap();
        let log = Log {
            short,
            long,
            ..Log::of(&database)
        };
        let file = log.file.clone();
        (Writer::start(connection, log).unwrap(), file)
    }

    /// A read that stands still.
    fn standing(dir: &Path) -> Connection {
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
    async fn the_log_is_shortened_once_the_reader_is_gone_and_nothing_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let (writer, file) = writer(dir.path(), 1 << 20, u64::MAX);
        let reader = standing(dir.path());
        while bytes(&file) < 2 << 20 {
            writer.run(fill).await.unwrap();
        }
        drop(reader);
        let began = Instant::now();
        while bytes(&file) > 1 << 20 {
            assert!(began.elapsed() < Duration::from_secs(30), "it stays long");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        writer.run(fill).await.unwrap();
    }

    #[tokio::test]
    async fn the_log_is_shortened_between_changes_that_never_rest() {
        let dir = tempfile::tempdir().unwrap();
        let (writer, file) = writer(dir.path(), u64::MAX, 1 << 20);
        let reader = standing(dir.path());
        while bytes(&file) < 2 << 20 {
            writer.run(fill).await.unwrap();
        }
        drop(reader);
        let began = Instant::now();
        while bytes(&file) > 1 << 20 {
            assert!(began.elapsed() < Duration::from_secs(30), "it stays long");
            writer
                .run(
                    |connection| Ok(connection.execute_batch("UPDATE tenants SET scoring = NULL")?),
                )
                .await
                .unwrap();
        }
    }
}
