//! Imports as stored in the database.
//!
//! An import with scoring has no `finished_at` until it ends, and the leads it has written are the
//! targets of a scoring job that is not started before that. Both are stored in the same change as
//! the leads. So if the import is interrupted, it can be ended later, which starts the scoring: by the
//! next opening of the folder, or, in a database of several processes, by any of them when its lease has
//! run out.

use rusqlite::Connection;

use super::job_queue::{add_import_targets, enqueue_import_scoring};
use super::lease::LeaseClock;
use crate::failpoint::Failpoint;
use crate::store::db::{AcrossWorkspaces, Db, Row, params};
use crate::store::error::StoreError;
use crate::store::handle::{AnyLead, Store};
use crate::store::tenant::Tenant;
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
    pub is_first: bool,
    /// Numbers of lines that created a lead, changed one, changed nothing, or were unusable.
    pub counts: [u64; 4],
    /// New or changed leads, by row number.
    pub leads: &'a [i64],
}

impl StoredImport<'_> {
    /// Adds a batch to the counts of the import, and its leads to the targets of the scoring.
    ///
    /// # Errors
    /// [`StoreError::ImportEnded`] when another process has ended the import.
    pub(crate) fn add_batch(&self, db: Db<'_>, batch: &BatchOutcome<'_>) -> Result<(), StoreError> {
        let [inserted, updated, unchanged, failed] = batch
            .counts
            .map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        if batch.is_first {
            db.execute(
                "INSERT INTO import_jobs (tenant, import_job_id, file_name, created_at)
                 VALUES (?1, ?2, ?3, ?4)",
                params![self.tenant.0, self.import_job_id, self.file_name, self.at],
            )?;
        }
        // Without scoring nothing is left to do at the end, so every batch may be the last.
        let finished_at = (!self.score).then(now);
        let lease_until = match self.score {
            true => Some(LeaseClock::read(db)?.end),
            false => None,
        };
        let found = db.execute(
            "UPDATE import_jobs
             SET inserted = inserted + ?3, updated = updated + ?4, unchanged = unchanged + ?5,
               failed = failed + ?6, finished_at = ?7, lease_until = ?8
             WHERE tenant = ?1 AND import_job_id = ?2 AND (finished_at IS NULL OR ?9 = 0)",
            params![
                self.tenant.0,
                self.import_job_id,
                inserted,
                updated,
                unchanged,
                failed,
                finished_at,
                lease_until,
                self.score
            ],
        )?;
        if found == 0 {
            return Err(StoreError::ImportEnded);
        }
        if self.score && !batch.leads.is_empty() {
            add_import_targets(db, self.tenant, self.import_job_id, batch.leads)?;
        }
        Ok(())
    }
}

/// Ends an import and starts its scoring; deletes an import that changed nothing. Does nothing to an import that has
/// ended.
pub(crate) fn end_import(
    db: Db<'_>,
    tenant: Tenant,
    import_job_id: &str,
) -> Result<(), StoreError> {
    tenant.lock(db)?;
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

impl Store {
    /// Renews the lease of an import that waits for its file.
    pub(crate) async fn renew_import(
        &self,
        tenant: Tenant,
        import_job_id: String,
    ) -> Result<(), StoreError> {
        self.maintain(move |db| renew(db, tenant, &import_job_id))
            .await
    }

    /// Ends the imports whose lease has run out.
    pub(crate) async fn end_expired_imports(&self) -> Result<(), StoreError> {
        for (tenant, import_job_id) in self.read_each(expired).await? {
            let end = move |db: Db<'_>| {
                end_expired(db, tenant, &import_job_id)?;
                Ok(((), AnyLead(false)))
            };
            match self.write_leads(tenant, end).await {
                Ok(()) | Err(StoreError::WorkspaceDeleted | StoreError::NodeLost { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

pub(in crate::store) fn renew(
    db: Db<'_>,
    tenant: Tenant,
    import_job_id: &str,
) -> Result<(), StoreError> {
    let sql = "UPDATE import_jobs SET lease_until = ?3
               WHERE tenant = ?1 AND import_job_id = ?2 AND finished_at IS NULL";
    let until = LeaseClock::read(db)?.end;
    db.execute(sql, params![tenant.0, import_job_id, until])
        .map(drop)
}

/// Returns the imports whose lease has run out, of one workspace or of all.
pub(in crate::store) fn expired(
    db: Db<'_>,
    only: Option<Tenant>,
) -> Result<Vec<(Tenant, String)>, StoreError> {
    let sql = "SELECT tenant, import_job_id FROM import_jobs
               WHERE finished_at IS NULL AND lease_until < ?1 AND (?2 IS NULL OR tenant = ?2)";
    let now = LeaseClock::read(db)?.now;
    let only = only.map(|tenant| tenant.0);
    db.rows(AcrossWorkspaces(sql), params![now, only], |row| {
        Ok((Tenant(row.get(0)?), row.get(1)?))
    })
}

/// Ends an import, unless another process has ended it, or its own has renewed the lease.
pub(in crate::store) fn end_expired(
    db: Db<'_>,
    tenant: Tenant,
    import_job_id: &str,
) -> Result<(), StoreError> {
    tenant.lock(db)?;
    let sql = "SELECT 1 FROM import_jobs WHERE tenant = ?1 AND import_job_id = ?2
                 AND finished_at IS NULL AND lease_until < ?3";
    let now = LeaseClock::read(db)?.now;
    if db.exists(sql, params![tenant.0, import_job_id, now])? {
        tracing::info!(import_job_id, "finishing an interrupted import");
        end_import(db, tenant, import_job_id)?;
    }
    Ok(())
}

/// Ends the imports of processes that no longer run, for a data folder.
///
/// Call it once after opening the folder: the folder lock guarantees that no other process writes
/// them.
pub(in crate::store) fn end_interrupted(db: &mut Connection) -> Result<(), StoreError> {
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
