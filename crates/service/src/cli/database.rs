//! Options for where the leads are.

use std::path::PathBuf;

use clap::Args;

use super::output::tell_line;
use super::{DataArgs, message};
use crate::store::{SharedDatabase, Store, StoreError, Target, Tenant, has_database};

#[derive(Args)]
pub(super) struct DatabaseArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Use a PostgreSQL database instead of the data folder, e.g.
    /// postgres://user@host/leads?sslmode=verify-full. Other users of this machine can read the options of a
    /// process: with a password, use --database-file or the environment variable.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// A file with the URL for --database.
    #[arg(long, value_name = "FILE", conflicts_with = "database")]
    database_file: Option<PathBuf>,
}

impl DatabaseArgs {
    /// Returns the PostgreSQL database, if there is one.
    pub(super) fn target(&self) -> Result<Option<Target>, StoreError> {
        match (&self.database, &self.database_file) {
            (Some(url), _) => Target::of_url(url).map(Some),
            (None, Some(file)) => Target::of_file(file).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Opens the database for a command that writes much.
    pub(super) async fn open(&self) -> Result<Store, StoreError> {
        self.open_with(None).await
    }

    /// Opens the database for a service. Its index on a shared database is saved in `index_dir`.
    pub(super) async fn open_with(&self, index_dir: Option<PathBuf>) -> Result<Store, StoreError> {
        let (target, dir) = (self.target()?, self.data.data.clone());
        let opened = tokio::task::spawn_blocking(move || match target {
            Some(target) => Store::open_database(target, index_dir.as_deref()),
            None => Store::open(&dir),
        });
        opened.await.unwrap_or(Err(StoreError::Panicked))
    }

    /// Returns a name for messages.
    pub(super) fn name(&self) -> String {
        match (&self.database, &self.database_file) {
            (None, None) => self.data.data.display().to_string(),
            _ => "the database".into(),
        }
    }

    /// Opens the database for a short change or read.
    pub(super) fn open_shared(&self) -> Result<SharedDatabase, String> {
        let opened = self.target().and_then(|target| match target {
            Some(target) => SharedDatabase::of_server(target),
            None => SharedDatabase::of_folder(&self.data.data),
        });
        opened.map_err(message)
    }

    /// Like [`open_shared`](Self::open_shared), and creates a data folder if it is new.
    pub(super) fn open_shared_or_new(&self) -> Result<SharedDatabase, String> {
        match self.target().map_err(message)? {
            Some(_) => self.open_shared(),
            None => {
                let dir = &self.data.data;
                let is_new = !has_database(dir).map_err(message)?;
                let database = SharedDatabase::of_folder_or_new(dir).map_err(message)?;
                // The folder of the service may be another one.
                if is_new {
                    let dir = dir.display();
                    tell_line!("There was no workspace in {dir}; a new one was made.");
                }
                Ok(database)
            }
        }
    }
}

/// Returns the workspace that the option `--tenant` names. `done` is what the command would have done, e.g. "exported".
pub(super) fn find_workspace(
    database: &SharedDatabase,
    id: &str,
    done: &str,
) -> Result<Tenant, String> {
    let found = database.read(|db| Tenant::find(db, id)).map_err(message)?;
    found.ok_or_else(|| no_workspace(id, done))
}

pub(super) fn no_workspace(id: &str, done: &str) -> String {
    format!("there is no workspace {id:?}. Nothing was {done}; check --tenant")
}
