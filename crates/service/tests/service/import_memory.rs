//! Memory use of an import.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lead_workspace_api::import::ImportEvent;
use lead_workspace_service::import;

use super::common::Service;
use super::import::{counts, options};

const LINES: u64 = 100_000;
const PEOPLE: u64 = 20_000;

/// A file of any length, generated while it is read.
struct Endless {
    line: u64,
    lines: u64,
    buffer: Vec<u8>,
    read: Arc<AtomicU64>,
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        while self.buffer.len() < out.len() && self.line <= self.lines {
            let n = self.line;
            let line = match n {
                0 => "Name,Profile URL,Title,Company,Notes\n".to_owned(),
                // Every person five times: known leads occur in the same file, as in a second
                // import.
                n => {
                    let n = n % PEOPLE;
                    format!(
                        "Lead {n},https://p.example/in/{n},Title {},Company {},\"a note, and {n}\"\n",
                        n % 50,
                        n % 900
                    )
                }
            };
            self.buffer.extend_from_slice(line.as_bytes());
            self.line += 1;
        }
        let length = self.buffer.len().min(out.len());
        out[..length].copy_from_slice(&self.buffer[..length]);
        self.buffer.drain(..length);
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_import_uses_bounded_memory() {
    let service = Service::empty().await;
    let read = Arc::new(AtomicU64::new(0));
    let source = Endless {
        line: 0,
        lines: LINES,
        buffer: Vec::new(),
        read: Arc::clone(&read),
    };
    let mut most_held = 0;
    let report = import::run(
        &service.store,
        service.tenant,
        source,
        options("big.csv"),
        |event| {
            if let ImportEvent::Progress { bytes, .. } = event {
                // The bytes read from the file, minus those already written.
                most_held = most_held.max(read.load(Ordering::Relaxed) - bytes);
            }
        },
    );
    let report = report.await.unwrap();
    assert_eq!(counts(&report), [PEOPLE, 0, LINES - PEOPLE, 0]);
    assert!(read.load(Ordering::Relaxed) > 6_000_000);
    assert!(most_held < 500_000, "{most_held} bytes were in use at once");
    assert_eq!(
        service.value::<i64>("SELECT count(*) FROM leads").await,
        20_000
    );
}
