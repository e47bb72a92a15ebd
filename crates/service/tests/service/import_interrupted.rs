//! Interrupted imports: the leads they wrote are still scored.

use lead_workspace_service::store::{AcrossWorkspaces, Db};
use std::fmt::Write as _;
use std::io::{Cursor, Read};
use std::sync::mpsc;

use lead_workspace_api::import::{ImportEvent, ImportReport};
use lead_workspace_service::import::{self, ImportError, ImportOptions};
use lead_workspace_service::{Store, StoreError, Tenant};

use super::import::{counts, options};

/// A file that never ends: after its text the reader blocks.
struct Endless {
    text: Cursor<Vec<u8>>,
    wait: mpsc::Receiver<()>,
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match self.text.read(out)? {
            0 => {
                let _ = self.wait.recv();
                Ok(0)
            }
            length => Ok(length),
        }
    }
}

/// Builds a file with lines so long that the format detection does not reach its end.
fn file(leads: std::ops::Range<u32>, title: &str) -> Vec<u8> {
    let mut text = String::from("Name,Email,Title,Company,Notes\n");
    let notes = "n".repeat(500);
    for lead in leads {
        let _ = writeln!(text, "Lead {lead},l{lead}@a.example,{title},Acme,{notes}");
    }
    text.into_bytes()
}

fn scored(score: bool) -> ImportOptions {
    ImportOptions {
        score,
        ..options("leads.csv")
    }
}

async fn tenant(store: &Store) -> Tenant {
    store.read(Tenant::default_of).await.unwrap()
}

async fn number(store: &Store, sql: &'static str) -> i64 {
    store
        .read(move |db| db.value(AcrossWorkspaces(sql), &[]))
        .await
        .unwrap()
}

const OPEN: &str = "SELECT count(*) FROM import_jobs WHERE finished_at IS NULL";
const LEADS_QUEUED: &str = "SELECT count(*) FROM job_targets JOIN jobs ON jobs.id = job
    WHERE kind = 'score_leads' AND status = 'queued'";
const ACCOUNTS_QUEUED: &str = "SELECT count(*) FROM job_targets JOIN jobs ON jobs.id = job
    WHERE kind = 'score_accounts' AND status = 'queued'";

async fn imported(
    store: &Store,
    text: Vec<u8>,
    options: ImportOptions,
) -> Result<ImportReport, ImportError> {
    super::import::import(store, tenant(store).await, text, options).await
}

/// Imports until the first batch is written, then drops the import like a killed process.
async fn killed(store: &Store, text: Vec<u8>, options: ImportOptions) {
    let (_open, wait) = mpsc::channel();
    let source = Endless {
        text: Cursor::new(text),
        wait,
    };
    let (written, notified) = tokio::sync::oneshot::channel();
    let mut written = Some(written);
    let notify = move |event: ImportEvent| {
        if matches!(event, ImportEvent::Progress { .. }) {
            written.take().map(|written| written.send(()));
        }
    };
    let tenant = tenant(store).await;
    tokio::select! {
        ended = import::run(store, tenant, source, options, notify) => panic!("{ended:?}"),
        _ = notified => {}
    }
}

#[tokio::test]
async fn leads_imported_before_a_kill_are_scored_after_restart() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = imported(&store, file(0..150, "Clerk"), scored(false)).await;
    assert_eq!(counts(&first.unwrap()), [150, 0, 0, 0]);
    assert_eq!(number(&store, LEADS_QUEUED).await, 0);

    // 100 known leads change, 100 are new, then the process is killed.
    killed(&store, file(50..250, "Director"), scored(true)).await;
    assert_eq!(number(&store, OPEN).await, 1);
    assert_eq!(
        number(&store, LEADS_QUEUED).await,
        0,
        "scoring was queued before the import ended"
    );
    drop(store);

    let store = Store::open(dir.path()).unwrap();
    assert_eq!(number(&store, OPEN).await, 0);
    assert_eq!(number(&store, LEADS_QUEUED).await, 200);
    assert_eq!(number(&store, ACCOUNTS_QUEUED).await, 1);
    let total = "SELECT total FROM jobs WHERE kind = 'score_leads' AND status = 'queued'";
    assert_eq!(number(&store, total).await, 200);
    drop(store);

    let store = Store::open(dir.path()).unwrap();
    assert_eq!(
        number(&store, LEADS_QUEUED).await,
        200,
        "scoring was queued twice"
    );
    let again = imported(&store, file(50..250, "Director"), scored(true)).await;
    assert_eq!(counts(&again.unwrap()), [0, 0, 200, 0]);
}

#[tokio::test]
async fn a_killed_import_without_scoring_is_not_scored() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    killed(&store, file(0..200, "Clerk"), scored(false)).await;
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(number(&store, OPEN).await, 0);
    assert_eq!(number(&store, "SELECT count(*) FROM jobs").await, 0);
}

#[tokio::test]
async fn a_killed_import_without_changes_is_not_scored() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let first = imported(&store, file(0..200, "Clerk"), scored(false)).await;
    first.unwrap();
    killed(&store, file(0..200, "Clerk"), scored(true)).await;
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    let imports = "SELECT count(*) FROM import_jobs";
    assert_eq!(number(&store, imports).await, 1);
    assert_eq!(number(&store, "SELECT count(*) FROM jobs").await, 0);
}

#[tokio::test]
async fn leads_imported_before_the_disk_was_full_are_scored() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let room = |more: i64| {
        move |db: Db<'_>| {
            let pages: i64 = db
                .sqlite()
                .query_row("PRAGMA page_count", [], |row| row.get(0))?;
            let sql = format!("PRAGMA max_page_count = {}", pages + more);
            Ok(db
                .sqlite()
                .query_row(&sql, [], |row| row.get::<_, i64>(0))?)
        }
    };
    store.write(room(200)).await.unwrap();
    let ended = imported(&store, file(0..20_000, "Clerk"), scored(true)).await;
    let error = ended.unwrap_err();
    assert!(
        matches!(error, ImportError::Store(StoreError::Full)),
        "{error}"
    );
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    let leads = number(&store, "SELECT count(*) FROM leads").await;
    assert!(leads > 0, "nothing was imported");
    assert_eq!(number(&store, LEADS_QUEUED).await, leads);
    assert_eq!(number(&store, OPEN).await, 0);
}

/// Another process believes that the one that imports has died.
#[tokio::test]
async fn an_import_that_another_process_has_ended_writes_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let tenant = tenant(&store).await;
    let (more, wait) = mpsc::channel();
    let source = Cursor::new(file(0..200, "Clerk")).chain(Endless {
        text: Cursor::new(Vec::new()),
        wait,
    });
    let rest = file(200..400, "Clerk");
    let rest = rest
        .iter()
        .position(|byte| *byte == b'\n')
        .map(|end| rest[end + 1..].to_vec());
    let source = source.chain(Cursor::new(rest.unwrap()));
    let (written, mut is_written) = tokio::sync::mpsc::unbounded_channel();
    let notify = move |event: ImportEvent| {
        if matches!(event, ImportEvent::Progress { .. }) {
            let _ = written.send(());
        }
    };
    let end = async {
        is_written.recv().await.unwrap();
        let end = "UPDATE import_jobs SET finished_at = '2026' WHERE finished_at IS NULL";
        let ended = store.write(move |db| Ok(db.sqlite().execute(end, [])?));
        assert_eq!(ended.await.unwrap(), 1);
        drop(more);
    };
    let (imported, ()) = tokio::join!(
        import::run(&store, tenant, source, scored(true), notify),
        end
    );
    let error = imported.unwrap_err().to_string();
    assert!(
        error.contains("another process has ended") && error.contains("import the file again"),
        "{error}"
    );
    let leads = number(&store, "SELECT count(*) FROM leads").await;
    assert!((1..=200).contains(&leads), "{leads}");
}
