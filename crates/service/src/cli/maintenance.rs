//! Background work of the service: backups by schedule, the times that keys were last used, deleted workspaces in
//! memory, the columns for the next start, and the end of old entries of the audit log and the feed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use jiff::SignedDuration;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::times;
use crate::store::backup::files;
use crate::store::lock::FolderLock;
use crate::store::{Store, StoreError};
use crate::time::{current, iso};

const SAVE_KEY_USES: Duration = Duration::from_secs(60);
const TIDY: Duration = Duration::from_secs(60);
const PRUNE_AUDIT_LOG: Duration = Duration::from_secs(60 * 60);

/// How long after a failed backup to try again, if not sooner due.
const RETRY_BACKUP: Duration = Duration::from_secs(15 * 60);

/// Shortest time between two backups.
const SHORTEST: Duration = Duration::from_secs(60);

#[derive(Args)]
pub(super) struct MaintenanceArgs {
    /// Folder for backups by schedule, which is created if it is missing [default: no backups].
    #[arg(long, value_name = "FOLDER")]
    backup_to: Option<PathBuf>,
    /// Time between two backups, e.g. 30m, 24h or 7d; at least 1m.
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = times::duration, requires = "backup_to")]
    backup_every: Duration,
    /// How many backups to keep in the folder. Older ones are deleted after each new backup.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..), requires = "backup_to")]
    backup_keep: u32,
    /// How many days to keep entries of the audit log; 0 records no new ones, and keeps those that
    /// are there.
    #[arg(long, value_name = "DAYS", default_value_t = 365, value_parser = clap::value_parser!(u32).range(..=36_500))]
    pub audit_days: u32,
}

impl MaintenanceArgs {
    /// Checks the options before anything is changed, and takes the lock of the folder for backups.
    pub(super) fn check(&self, is_shared: bool) -> Result<Option<FolderLock>, String> {
        let Some(folder) = &self.backup_to else {
            return Ok(None);
        };
        if is_shared {
            return Err(
                "--backup-to writes backups of data folders only. Nothing was changed. Back up the database with \
                 the means of its server, such as pg_dump, and start without --backup-to"
                    .into(),
            );
        }
        if self.backup_every < SHORTEST {
            return Err("--backup-every must be at least 1m. Nothing was changed".into());
        }
        let refused = |problem: String| {
            format!(
                "the folder {} cannot be used for backups: {problem}. Nothing was changed; check \
                 --backup-to",
                folder.display()
            )
        };
        std::fs::create_dir_all(folder)
            .and_then(|()| files::list(folder, current()))
            .map_err(|error| refused(error.to_string()))?;
        match files::lock(folder) {
            Ok(lock) => Ok(Some(lock)),
            Err(StoreError::Locked { pid, .. }) => {
                let process = pid.map(|pid| format!(" (process {pid})"));
                Err(refused(format!(
                    "another service{} writes its backups there, and each would delete those of the other",
                    process.unwrap_or_default()
                )))
            }
            // A folder that cannot be written now may be later; a failed backup is logged.
            Err(error) => {
                tracing::warn!("the folder of --backup-to cannot be locked: {error}");
                Ok(None)
            }
        }
    }

    /// Starts the work, until `stop` resolves. A backup that is being written then is given up.
    pub(super) fn spawn(
        &self,
        store: Store,
        backup_lock: Option<FolderLock>,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> JoinHandle<()> {
        let backups = self.backup_to.clone().map(|folder| BackupSchedule {
            folder,
            every: self.backup_every,
            keep: usize::try_from(self.backup_keep).unwrap_or(usize::MAX),
        });
        let audit_days = self.audit_days;
        tokio::spawn(async move {
            tokio::select! {
                () = stop => {}
                () = save_key_uses_forever(&store) => {}
                () = tidy_forever(&store) => {}
                () = prune_forever(&store, audit_days) => {}
                () = write_backups_forever(&store, backups) => {}
            }
            save_key_uses(&store).await;
            if store.is_shared() {
                // Those of a data folder are saved when nothing writes any more.
                save_columns(&store).await;
            }
            drop(backup_lock);
        })
    }
}

async fn save_key_uses_forever(store: &Store) {
    loop {
        sleep(SAVE_KEY_USES).await;
        save_key_uses(store).await;
    }
}

async fn save_key_uses(store: &Store) {
    if let Err(error) = store.save_key_uses().await {
        tracing::warn!(%error, "could not save when keys were last used");
    }
}

async fn tidy_forever(store: &Store) {
    loop {
        sleep(TIDY).await;
        if let Err(error) = store.forget_deleted().await {
            tracing::warn!(%error, "deleted workspaces are still in memory");
        }
        if let Err(error) = store.prune_changes().await {
            tracing::warn!(%error, "could not delete old entries of the feed of changes");
        }
        save_columns(store).await;
    }
}

async fn save_columns(store: &Store) {
    if let Err(error) = store.save_columns().await {
        tracing::warn!(%error, "could not save the columns for the next start");
    }
}

async fn prune_forever(store: &Store, audit_days: u32) {
    if audit_days == 0 {
        return std::future::pending().await;
    }
    loop {
        let days = SignedDuration::from_hours(24 * i64::from(audit_days));
        let before = current().saturating_sub(days);
        let pruned = match before {
            Ok(before) => store.prune_audit_log(iso(before)).await,
            Err(_) => Ok(0),
        };
        if let Err(error) = pruned {
            tracing::warn!(%error, "could not delete old entries of the audit log");
        }
        sleep(PRUNE_AUDIT_LOG).await;
    }
}

struct BackupSchedule {
    folder: PathBuf,
    every: Duration,
    keep: usize,
}

async fn write_backups_forever(store: &Store, schedule: Option<BackupSchedule>) {
    let Some(schedule) = schedule else {
        return std::future::pending().await;
    };
    loop {
        let now = current();
        let newest = files::list(&schedule.folder, now).unwrap_or_default();
        let newest = newest.last().and_then(|name| files::time(name));
        sleep(files::wait(newest, schedule.every, now)).await;
        if let Err(error) = schedule.write(store).await {
            let kept = files::list(&schedule.folder, current()).map_or(0, |names| names.len());
            let folder = schedule.folder.display();
            tracing::error!(
                "{error}. The {kept} backups in {folder} are kept, and the \
                 service goes on"
            );
            sleep(RETRY_BACKUP.min(schedule.every)).await;
        }
    }
}

impl BackupSchedule {
    async fn write(&self, store: &Store) -> Result<(), String> {
        let file = self.folder.join(files::name(current()));
        let bytes = store.backup(file.clone()).await;
        let bytes = bytes.map_err(|error| format!("the scheduled backup failed: {error}"))?;
        tracing::info!("wrote the backup {} ({bytes} bytes)", file.display());
        prune(&self.folder, self.keep)
    }
}

fn prune(folder: &Path, keep: usize) -> Result<(), String> {
    files::prune(folder, keep, current()).map_err(|error| {
        format!("a backup was written, but an old one could not be deleted: {error}")
    })
}
