//! Runs an import: a thread reads, the store writes, and little is in memory in between.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use lead_workspace_api::import::{ImportEvent, ImportLineError, ImportReport};
use lead_workspace_import::{Draft, Lines as FileLines, encoding};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use super::batch_size::BatchSize;
use super::import_writer::{Batch, ImportWriter, NameLookup};
use super::{ImportError, ImportOptions};
use crate::failpoint::Failpoint;
use crate::store::Tenant;
use crate::store::db::Db;
use crate::store::import_jobs::end_import;
use crate::store::lease::RENEWAL;
use crate::store::{AnyLead, Store, StoreError};
use crate::time::now;

/// Lines that the reader passes on at once, and the fewest lines of a batch. A batch is one change of
/// the store.
const CHUNK_LINES: usize = 200;

/// Approximate limit on the bytes that the reader passes on at once: long lines make small batches.
const CHUNK_BYTES: usize = 256 << 10;

/// Chunks that are read ahead.
const CHUNKS_AHEAD: usize = 16;

enum ReaderMessage {
    Mapping(Vec<(String, String)>),
    Lines(Lines),
    Stopped(ImportError),
}

#[derive(Default)]
struct Lines {
    drafts: Vec<Draft>,
    errors: Vec<ImportLineError>,
    /// Bytes of the file up to the end of these lines.
    bytes: u64,
}

impl Lines {
    fn count(&self) -> usize {
        self.drafts.len() + self.errors.len()
    }

    fn add(&mut self, more: Self) {
        self.drafts.extend(more.drafts);
        self.errors.extend(more.errors);
        self.bytes = more.bytes;
    }
}

/// Imports a file. `on_event` receives the events: the mapping first, then those of each batch.
///
/// # Errors
/// If nothing can be imported from the file, or the import had to stop. Batches before that stay,
/// and importing the file again continues.
pub async fn run(
    store: &Store,
    tenant: Tenant,
    source: impl Read + Send + 'static,
    options: ImportOptions,
    mut on_event: impl FnMut(ImportEvent),
) -> Result<ImportReport, ImportError> {
    let writer = ImportWriter {
        tenant,
        import_job_id: format!("import_{}", Uuid::now_v7().simple()),
        file_name: options.file_name.clone(),
        list: options.list.clone(),
        score: options.score,
        actor: options.actor.clone(),
        at: now(),
    };
    let writer = Arc::new(writer);
    let (messages, mut received) = mpsc::channel(CHUNKS_AHEAD);
    let reader_ended = spawn_reader(source, options, messages)?;

    let mut report = ImportReport::default();
    let mut stopped = None;
    let mut size = BatchSize::from(CHUNK_LINES);
    let (mut names, mut is_first) = (Arc::<NameLookup>::default(), true);
    let mut next = receive(&mut received, store, &writer).await;
    while let Some(message) = next.take() {
        match message {
            ReaderMessage::Mapping(columns) => on_event(ImportEvent::Mapping { columns }),
            ReaderMessage::Stopped(error) => stopped = Some(error),
            ReaderMessage::Lines(mut lines) => {
                while lines.count() < size.lines()
                    && let Ok(message) = received.try_recv()
                {
                    match message {
                        ReaderMessage::Lines(more) => lines.add(more),
                        other => next = Some(other),
                    }
                }
                let count = lines.count();
                let Lines {
                    drafts,
                    errors,
                    bytes,
                } = lines;
                let batch = Batch {
                    drafts,
                    failed: errors.len() as u64,
                    is_first,
                    names: Arc::clone(&names),
                };
                let (writer, queue) = (Arc::clone(&writer), store.write_queue());
                let written = store.write_leads(tenant, move |db| {
                    let started = Instant::now();
                    let (written, changed) = writer.batch(db, &batch)?;
                    let outcome = (written, started.elapsed(), !queue.is_empty());
                    Ok((outcome, changed))
                });
                match written.await {
                    Ok(((counts, known), time, others_wait)) => {
                        (names, is_first) = (Arc::new(known), false);
                        report.counts += counts;
                        size.adapt(count, time, others_wait);
                    }
                    Err(error) => {
                        stopped = Some(error.into());
                        break;
                    }
                }
                Failpoint::ImportBatch.reach();
                for error in errors {
                    if report.first_errors.len() < ImportReport::FIRST_ERRORS {
                        report.first_errors.push(error.clone());
                    }
                    on_event(ImportEvent::Failed(error));
                }
                on_event(ImportEvent::Progress {
                    bytes,
                    counts: report.counts,
                });
            }
        }
        if next.is_none() {
            next = receive(&mut received, store, &writer).await;
        }
    }
    drop(received);
    if stopped.is_none() {
        // A panic of the reader was printed when it happened.
        stopped = reader_ended
            .await
            .err()
            .map(|_| StoreError::Panicked.into());
    }
    report.list_id = writer.list.as_deref().and_then(|list| names.list_id(list));
    let changed = report.counts.inserted + report.counts.updated > 0;
    report.import_job_id = changed.then(|| writer.import_job_id.clone());
    // Also after an error: what was written is stored, and waits to be scored. If this fails, too,
    // the next opening of the folder does it, or another process when the lease has run out.
    let end = move |db: Db<'_>| {
        end_import(db, tenant, &writer.import_job_id)?;
        Ok(((), AnyLead(false)))
    };
    let ended = store.write_leads(tenant, end).await;
    match stopped {
        Some(error) => Err(error),
        None => Ok(ended.map(|()| report)?),
    }
}

/// Receives the next message. A file may arrive slowly: meanwhile the lease of the import is renewed.
async fn receive(
    messages: &mut mpsc::Receiver<ReaderMessage>,
    store: &Store,
    writer: &ImportWriter,
) -> Option<ReaderMessage> {
    loop {
        match timeout(RENEWAL, messages.recv()).await {
            Ok(message) => return message,
            Err(_) => {
                let renewed = store.renew_import(writer.tenant, writer.import_job_id.clone());
                if let Err(error) = renewed.await {
                    // If the lease runs out, the next batch fails.
                    tracing::warn!(%error, "could not renew the lease of an import");
                }
            }
        }
    }
}

/// Starts the thread that reads. The returned receiver resolves when the thread has ended. It is a
/// separate thread, because the threads that read the database are limited, and a file may arrive
/// slowly.
fn spawn_reader(
    source: impl Read + Send + 'static,
    options: ImportOptions,
    messages: mpsc::Sender<ReaderMessage>,
) -> Result<oneshot::Receiver<()>, StoreError> {
    let (end, ended) = oneshot::channel();
    let work = move || {
        read(source, &options, &messages);
        // The receiver is gone if the import was cancelled.
        let _ = end.send(());
    };
    let thread = thread::Builder::new().name("import-reader".into());
    let started = thread.spawn(work);
    started.map_err(|source| StoreError::io("starting the import thread", source))?;
    Ok(ended)
}

fn read(
    source: impl Read + Send + 'static,
    options: &ImportOptions,
    messages: &mpsc::Sender<ReaderMessage>,
) {
    if let Err(error) = read_all(source, options, messages) {
        // The receiver is gone if the import was cancelled.
        let _ = messages.blocking_send(ReaderMessage::Stopped(error));
    }
}

fn read_all(
    source: impl Read + Send + 'static,
    options: &ImportOptions,
    messages: &mpsc::Sender<ReaderMessage>,
) -> Result<(), ImportError> {
    let read = Arc::new(AtomicU64::new(0));
    let counted = CountingReader {
        source,
        read: Arc::clone(&read),
    };
    let mut lines = FileLines::open(encoding::open(counted)?, &options.read_options())?;
    let mapping = lines.mapping();
    let uses = mapping.uses.iter().map(|to| to.name().to_owned());
    let columns = mapping.headers.iter().cloned().zip(uses).collect();
    if messages
        .blocking_send(ReaderMessage::Mapping(columns))
        .is_err()
    {
        return Ok(());
    }
    let mut ended = false;
    while !ended {
        let mut chunk = Lines::default();
        let start = lines.bytes();
        let mut stopped = None;
        while chunk.count() < CHUNK_LINES && lines.bytes() - start < CHUNK_BYTES {
            match lines.next_draft() {
                Ok(Some(Ok(draft))) => chunk.drafts.push(draft),
                Ok(Some(Err(error))) => chunk.errors.push(error),
                Ok(None) => {
                    ended = true;
                    break;
                }
                Err(error) => {
                    stopped = Some(error);
                    break;
                }
            }
        }
        chunk.bytes = read.load(Ordering::Relaxed);
        if chunk.count() > 0 && messages.blocking_send(ReaderMessage::Lines(chunk)).is_err() {
            return Ok(());
        }
        if let Some(error) = stopped {
            return Err(error.into());
        }
    }
    Ok(())
}

struct CountingReader<R> {
    source: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let length = self.source.read(out)?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}
