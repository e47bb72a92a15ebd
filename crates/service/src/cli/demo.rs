//! `lead-workspace demo`: fills a data folder, or a file, with demo leads.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use tokio::runtime::Runtime;

use super::database::DatabaseArgs;
use super::message;
use super::output::print_line;
use super::progress::Progress;
use crate::demo;
use crate::import::Format;
use crate::store::db::AcrossWorkspaces;
use crate::store::{Store, StoreError, Tenant};
use crate::time;

/// Fill a data folder with demo leads.
///
/// The same seed produces the same leads on every machine, with times up to now. The workspace is named, unless it has a
/// name, and the audit log says who decided on the leads. An interrupted run resumes where it
/// stopped. Running it again with a higher number of leads adds the missing ones.
#[derive(Args)]
pub(super) struct DemoArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Total number of leads for this seed, at most 1,000,000.
    #[arg(long, default_value_t = 2000, value_parser = number_of_leads())]
    leads: u64,
    /// Seed of the random data.
    #[arg(long, default_value_t = demo::DEFAULT_SEED)]
    seed: u64,
    /// Write the leads to a CSV or JSONL file instead, as a sales tool would export them.
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

/// How many demo leads there can be.
pub(super) fn number_of_leads() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=1_000_000)
}

impl DemoArgs {
    pub(super) fn run(self) -> Result<(), String> {
        if let Some(path) = &self.to {
            return self.export(path);
        }
        let runtime = Runtime::new();
        runtime.map_err(message)?.block_on(self.fill())
    }

    fn export(&self, path: &Path) -> Result<(), String> {
        let failed = |error: &dyn Display| format!("{} cannot be written: {error}", path.display());
        let file = match File::create_new(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_file() => {
                return Err(format!(
                    "{} exists, and is unchanged. Choose another name, or delete it first",
                    path.display()
                ));
            }
            // A device, such as /dev/stdout.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => File::create(path),
            file => file,
        };
        let file = BufWriter::new(file.map_err(|error| failed(&error))?);
        let written = match Format::of_file(&path.to_string_lossy()) {
            Some(Format::Jsonl) => {
                demo::write_jsonl(self.leads, self.seed, file).map_err(|error| failed(&error))
            }
            _ => demo::write_csv(self.leads, self.seed, file).map_err(|error| failed(&error)),
        };
        if let Err(error) = written {
            // A part of a file would stand in the way of the next attempt.
            if path.is_file() {
                let _ = fs::remove_file(path);
            }
            return Err(error);
        }
        print_line!("{} demo leads are in {}.", self.leads, path.display());
        Ok(())
    }

    async fn fill(self) -> Result<(), String> {
        let store = self.database.open().await.map_err(message)?;
        let tenant = store.read(Tenant::default_of).await.map_err(message)?;
        let filled = fill(&store, tenant, self.leads, self.seed, true);
        filled.await.map_err(message)?;
        print_line!("{} demo leads are in {}.", self.leads, self.database.name());
        Ok(())
    }
}

/// Fills a workspace with demo leads, names it, and records who decided on the leads if `audit`.
async fn fill(
    store: &Store,
    tenant: Tenant,
    leads: u64,
    seed: u64,
    audit: bool,
) -> Result<(), StoreError> {
    let now = time::current();
    let mut progress = Progress::new("demo leads", leads);
    let filled = demo::fill(store, tenant, leads, seed, now, |step, done, total| {
        progress.step(step, done, total);
    });
    filled.await?;
    demo::add_name(store, tenant).await?;
    match audit {
        true => demo::add_decisions(store, tenant, seed, now).await,
        false => Ok(()),
    }
}

/// Marker file that exists while demo leads are being made. With it an interrupted fill is resumed;
/// without it a folder that already has leads gets no demo leads. On PostgreSQL, the command `demo` resumes.
const UNFINISHED: &str = "demo-unfinished";

/// Fills an empty folder or database with demo leads, or resumes an interrupted fill. Decisions are recorded if `audit`.
pub(super) async fn fill_empty(store: &Store, leads: u64, audit: bool) -> Result<(), StoreError> {
    let (tenant, known) = store
        .read(|db| {
            let tenant = Tenant::default_of(db)?;
            let sql = "SELECT 1 FROM leads LIMIT 1";
            Ok((tenant, db.exists(AcrossWorkspaces(sql), &[])?))
        })
        .await?;
    let mark = store.dir().map(|dir| dir.join(UNFINISHED));
    if known && !mark.as_ref().is_some_and(|mark| mark.exists()) {
        return Ok(());
    }
    let failed = |mark: &Path| {
        let action = format!("writing {}", mark.display());
        |source| StoreError::io(action, source)
    };
    if let Some(mark) = &mark {
        fs::write(mark, "").map_err(failed(mark))?;
    }
    fill(store, tenant, leads, demo::DEFAULT_SEED, audit).await?;
    mark.map_or(Ok(()), |mark| fs::remove_file(&mark).map_err(failed(&mark)))
}
