//! Filling a data folder before it is served.

use std::fs;

use super::progress::Progress;
use crate::demo;
use crate::store::{Store, StoreError, Tenant};

/// Marker file that exists while demo leads are being made. With it an interrupted fill is resumed;
/// without it a folder that already has leads gets no demo leads.
const UNFINISHED: &str = "demo-unfinished";

/// Fills an empty folder with demo leads, or resumes an interrupted fill.
pub(super) async fn demo(store: &Store, leads: u64) -> Result<(), StoreError> {
    let (tenant, known) = store
        .read(|connection| {
            let tenant = Tenant::default_of(connection)?;
            let known: bool =
                connection
                    .query_row("SELECT EXISTS (SELECT 1 FROM leads)", [], |row| row.get(0))?;
            Ok((tenant, known))
        })
        .await?;
    let mark = store.dir().join(UNFINISHED);
    if known && !mark.exists() {
        return Ok(());
    }
    let failed = |source| StoreError::io(format!("writing {}", mark.display()), source);
    fs::write(&mark, "").map_err(failed)?;
    let mut progress = Progress::new("demo leads", leads);
    demo::fill(
        store,
        tenant,
        leads,
        demo::DEFAULT_SEED,
        |step, done, total| {
            progress.step(step, done, total);
        },
    )
    .await?;
    fs::remove_file(&mark).map_err(failed)
}
