//! Runs an import: a thread reads, the store writes, and little is held in between.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use lead_workspace_api::import::{ImportEvent, ImportLineError, ImportReport};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use super::lines::Lines;
use super::write::Writing;
use super::{Draft, ImportError, Options, source};
use crate::store::Tenant;
use crate::store::import_jobs::end_import;
use crate::time::now;
use crate::{Store, StoreError};

/// Lines per batch, which is one change of the store. A user who decides on a lead meanwhile waits
/// for one batch.
const BATCH: usize = 200;

/// Lines per batch if no one else uses the folder. Lines that are written together share the index
/// pages that they touch.
const BATCH_ALONE: usize = 2000;

/// Approximate limit on the bytes per batch: long lines make small batches.
const BATCH_BYTES: u64 = 1 << 20;

/// Batches that are read ahead.
const AHEAD: usize = 2;

enum Told {
    Mapping(Vec<(String, String)>),
    Batch {
        drafts: Vec<Draft>,
        errors: Vec<ImportLineError>,
        bytes: u64,
    },
    Stopped(ImportError),
}

/// Imports a file. `tell` receives the events: the mapping first, then those of each batch.
///
/// # Errors
/// If nothing can be imported from the file, or the import had to stop. Batches before that stay,
/// and importing the file again continues.
pub async fn run(
    store: &Store,
    tenant: Tenant,
    source: impl Read + Send + 'static,
    options: Options,
    mut tell: impl FnMut(ImportEvent),
) -> Result<ImportReport, ImportError> {
    let writing = Writing {
        tenant,
        import_job_id: format!("import_{}", Uuid::now_v7().simple()),
        file_name: options.file_name.clone(),
        list: options.list.clone(),
        score: options.score,
        at: now(),
        names: Mutex::default(),
    };
    let writing = Arc::new(writing);
    let (told, mut heard) = mpsc::channel(AHEAD);
    let reading = reader(source, options, told)?;

    let mut report = ImportReport::default();
    let mut stopped = None;
    while let Some(next) = heard.recv().await {
        match next {
            Told::Mapping(columns) => tell(ImportEvent::Mapping { columns }),
            Told::Stopped(error) => stopped = Some(error),
            Told::Batch {
                drafts,
                errors,
                bytes,
            } => {
                let (writing, failed) = (Arc::clone(&writing), errors.len() as u64);
                let written = store
                    .write_in(tenant, move |connection| {
                        writing.batch(connection, &drafts, failed)
                    })
                    .await;
                match written {
                    Ok(counts) => report.counts += counts,
                    Err(error) => {
                        stopped = Some(error.into());
                        break;
                    }
                }
                for error in errors {
                    if report.first_errors.len() < ImportReport::FIRST_ERRORS {
                        report.first_errors.push(error.clone());
                    }
                    tell(ImportEvent::Failed(error));
                }
                tell(ImportEvent::Progress {
                    bytes,
                    counts: report.counts,
                });
            }
        }
    }
    drop(heard);
    if stopped.is_none() {
        // A panic of the reader was printed when it happened.
        stopped = reading.await.err().map(|_| StoreError::Panicked.into());
    }
    report.list_id = writing.list_id();
    let changed = report.counts.inserted + report.counts.updated > 0;
    report.import_job_id = changed.then(|| writing.import_job_id.clone());
    // Also after an error: what was written is stored, and waits to be scored. If this fails, too,
    // the next opening of the folder does it.
    let ended = store
        .write_in(tenant, move |connection| {
            end_import(connection, tenant, &writing.import_job_id)
        })
        .await;
    match stopped {
        Some(error) => Err(error),
        None => Ok(ended.map(|()| report)?),
    }
}

/// Starts the thread that reads. The returned receiver resolves when the thread has ended. It is a
/// separate thread, because the threads that read the database are limited, and a file may arrive
/// slowly.
fn reader(
    source: impl Read + Send + 'static,
    options: Options,
    told: mpsc::Sender<Told>,
) -> Result<oneshot::Receiver<()>, StoreError> {
    let (end, ended) = oneshot::channel();
    let work = move || {
        read(source, &options, &told);
        // The receiver is gone if the import was cancelled.
        let _ = end.send(());
    };
    let thread = thread::Builder::new().name("import-reader".into());
    let started = thread.spawn(work);
    started.map_err(|source| StoreError::io("starting the import thread", source))?;
    Ok(ended)
}

fn read(source: impl Read + Send + 'static, options: &Options, told: &mpsc::Sender<Told>) {
    if let Err(error) = read_all(source, options, told) {
        // The receiver is gone if the import was cancelled.
        let _ = told.blocking_send(Told::Stopped(error));
    }
}

fn read_all(
    source: impl Read + Send + 'static,
    options: &Options,
    told: &mpsc::Sender<Told>,
) -> Result<(), ImportError> {
    let read = Arc::new(AtomicU64::new(0));
    let counted = Counted {
        source,
        read: Arc::clone(&read),
    };
    let mut lines = Lines::open(source::open(counted)?, options)?;
    let mapping = lines.mapping();
    let uses = mapping.uses.iter().map(|to| to.name().to_owned());
    let columns = mapping.headers.iter().cloned().zip(uses).collect();
    if told.blocking_send(Told::Mapping(columns)).is_err() {
        return Ok(());
    }
    let batch = if options.alone { BATCH_ALONE } else { BATCH };
    let mut ended = false;
    while !ended {
        let (mut drafts, mut errors) = (Vec::new(), Vec::new());
        let start = read.load(Ordering::Relaxed);
        let mut stopped = None;
        while drafts.len() + errors.len() < batch
            && read.load(Ordering::Relaxed) - start < BATCH_BYTES
        {
            match lines.next() {
                Ok(Some(Ok(draft))) => drafts.push(draft),
                Ok(Some(Err(error))) => errors.push(error),
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
        let bytes = read.load(Ordering::Relaxed);
        if drafts.len() + errors.len() > 0
            && told
                .blocking_send(Told::Batch {
                    drafts,
                    errors,
                    bytes,
                })
                .is_err()
        {
            return Ok(());
        }
        if let Some(error) = stopped {
            return Err(error);
        }
    }
    Ok(())
}

struct Counted<R> {
    source: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let length = self.source.read(out)?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}
