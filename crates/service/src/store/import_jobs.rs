//! Imports as stored in the database.
//!
//! An import with scoring has no `finished_at` until it ends, and the leads it has written are the
//! targets of a scoring job that is not started before that. Both are stored in the same change as
//! the leads. So if the import is interrupted, the next opening of the folder ends it and starts
//! the scoring.

use rusqlite::Connection;

use super::db::{AcrossWorkspaces, Db, Row, params};
use super::job_queue::{add_import_targets, enqueue_import_scoring};
use super::{StoreError, Tenant};
use crate::failpoint::Failpoint;
use crate::time::now;

/// An import, stored with each of its batches.
pub(crate) struct StoredImport<'a> {
    pub tenant: Tenant,
    pub import_job_id: &'a str,
    pub file_name: &'a str,
    pub at: &'a str,
    pub score: bool,
}

/// The outcome of a batch.
pub(crate) struct BatchOutcome<'a> {
    /// Numbers of lines that created a lead, changed one, changed nothing, or were unusable.
    pub counts: [u64; 4],
    /// New or changed leads, by row number.
    pub leads: &'a [i64],
}

impl StoredImport<'_> {
    /// Adds a batch to the counts of the import, and its leads to the targets of the scoring.
    pub(crate) fn add_batch(&self, db: Db<'_>, batch: &BatchOutcome<'_>) -> Result<(), StoreError> {
        let [inserted, updated, unchanged, failed] = batch
            .counts
            .map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        // Without scoring nothing is left to do at the end, so every batch may be the last.
        let finished_at = (!self.score).then(now);
        db.execute(
            "INSERT INTO import_jobs AS i (tenant, import_job_id, file_name, created_at, inserted,
               updated, unchanged, failed, finished_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (tenant, import_job_id) DO UPDATE
             SET inserted = i.inserted + excluded.inserted, updated = i.updated + excluded.updated,
               unchanged = i.unchanged + excluded.unchanged, failed = i.failed + excluded.failed,
               finished_at = excluded.finished_at",
            params![
                self.tenant.0,
                self.import_job_id,
                self.file_name,
                self.at,
                inserted,
                updated,
                unchanged,
                failed,
                finished_at
            ],
        )?;
        if self.score && !batch.leads.is_empty() {
            add_import_targets(db, self.tenant, self.import_job_id, batch.leads)?;
        }
        Ok(())
    }
}

/// Ends an import and starts its scoring; deletes an import that changed nothing.
pub(crate) fn end_import(
    db: Db<'_>,
    tenant: Tenant,
    import_job_id: &str,
) -> Result<(), StoreError> {
    let of_import = params![tenant.0, import_job_id];
    let row: Option<(bool, bool)> = db.row(
        "SELECT inserted + updated > 0, finished_at IS NOT NULL FROM import_jobs
         WHERE tenant = ?1 AND import_job_id = ?2",
        of_import,
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((changed, finished)) = row else {
        return Ok(());
    };
    if !changed {
        let sql = "DELETE FROM import_jobs WHERE tenant = ?1 AND import_job_id = ?2";
        db.execute(sql, of_import)?;
        return Ok(());
    }
    let sql = "UPDATE import_jobs SET finished_at = ?3 WHERE tenant = ?1 AND import_job_id = ?2";
    db.execute(sql, params![tenant.0, import_job_id, now()])?;
    Failpoint::ImportEnd.reach();
    if !finished {
        enqueue_import_scoring(db, tenant, import_job_id)?;
    }
    Ok(())
}

/// Ends the imports of processes that no longer run.
///
/// Call it once after opening the folder: the folder lock guarantees that no other process writes
/// them.
pub(super) fn end_interrupted(db: &mut Connection) -> Result<(), StoreError> {
    let change = db.transaction()?;
    let db = Db::from(&*change);
    let open = "SELECT tenant, import_job_id FROM import_jobs
         WHERE finished_at IS NULL AND (inserted + updated > 0 OR NOT EXISTS
           (SELECT 1 FROM leads l WHERE l.tenant = import_jobs.tenant
            AND l.import_job_id = import_jobs.import_job_id))";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let open: Vec<(i64, String)> = db.rows(AcrossWorkspaces(open), &[], read)?;
    for (tenant, import_job_id) in open {
        tracing::info!(import_job_id, "finishing an interrupted import");
        end_import(db, Tenant(tenant), &import_job_id)?;
    }
    Ok(change.commit()?)
}
