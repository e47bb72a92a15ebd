//! `lead-workspace import`: imports leads from a file.

mod output;
mod running_service;

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;
use tokio::runtime::Runtime;

use self::output::ImportOutput;
use super::database::{DatabaseArgs, no_workspace};
use super::message;
use super::output::{print_line, tell_line};
use crate::import::{self, Format, ImportOptions, Override};
use crate::store::audit::Actor;
use crate::store::{DEFAULT_TENANT_ID, Store, StoreError, Tenant};

/// Import leads from a CSV, JSON, JSONL or Excel (.xlsx) file.
///
/// A file can be imported repeatedly: new leads are added and changed ones are updated. Decisions
/// already made on leads are never changed; a status in the file applies to pending leads. Works while the service is running on the folder.
#[derive(Args)]
pub(super) struct ImportArgs {
    /// The file to import.
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Add every lead to this list. The list is created if it does not exist.
    #[arg(long, value_name = "NAME")]
    list: Option<String>,
    /// Map a column to a field, e.g. --map "Who=name". "custom" keeps the column as custom data,
    /// "custom_data.NAME" keeps it under another name, "skip" ignores it. An invalid field name lists the valid ones. Can be repeated.
    #[arg(long = "map", value_name = "HEADER=FIELD")]
    maps: Vec<Override>,
    /// Sheet of a workbook [default: the first one with a header].
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// Id of the workspace.
    #[arg(long, value_name = "ID", default_value = DEFAULT_TENANT_ID)]
    tenant: String,
    /// Show the column mapping and the first leads without importing anything.
    #[arg(long)]
    dry_run: bool,
    /// File for the list of rejected lines [default: FILE.errors.csv, if there are more than ten].
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Do not queue the leads for scoring.
    #[arg(long)]
    no_score: bool,
}

impl ImportArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let file = open(&self.file)?;
        let options = ImportOptions {
            list: self.list.clone(),
            overrides: self.maps.clone(),
            sheet: self.sheet.clone(),
            score: !self.no_score,
            actor: Some(Actor::command()),
            ..options(&self.file)
        };
        options.check().map_err(|(_, error)| message(error))?;
        if self.dry_run {
            let preview = import::preview(file, &options).map_err(message)?;
            output::preview(&preview)?;
            return Ok(());
        }
        if let Some(errors) = &self.errors {
            output::check_errors_file(errors, &self.file)?;
        }
        let runtime = Runtime::new();
        runtime
            .map_err(message)?
            .block_on(self.import(file, options))
    }

    async fn import(self, file: File, options: ImportOptions) -> Result<(), String> {
        let mut output = ImportOutput::new(&self.file, self.errors.clone());
        let mut waits_for_service = false;
        let report = match self.database.open().await {
            Ok(store) => {
                waits_for_service = !self.no_score;
                let tenant = tenant(&store, self.tenant.clone()).await?;
                let report =
                    import::run(&store, tenant, file, options, |event| output.event(&event));
                report.await.map_err(message)
            }
            Err(StoreError::Locked { dir, pid }) => {
                let service = running_service::RunningService::of(&dir, pid)?;
                service
                    .import(file, &options, &self.tenant, |event| output.event(event))
                    .await
            }
            Err(error) => Err(message(error)),
        };
        let changed = report
            .as_ref()
            .is_ok_and(|report| report.import_job_id.is_some());
        print_line!("{}", output.end(report)?);
        if changed && waits_for_service {
            print_line!("The leads will be scored once the service is running.");
        }
        Ok(())
    }
}

/// Imports a file into an open store, for `serve --import`.
pub(super) async fn into_store(
    store: &Store,
    path: &Path,
    actor: Option<Actor>,
) -> Result<(), String> {
    let file = open(path)?;
    let tenant = tenant(store, DEFAULT_TENANT_ID.into()).await?;
    let mut output = ImportOutput::new(path, None);
    let options = ImportOptions {
        score: true,
        actor,
        ..options(path)
    };
    let report = import::run(store, tenant, file, options, |event| output.event(&event)).await;
    // stdout is reserved for the line with the address of the service.
    tell_line!("{}", output.end(report.map_err(message))?);
    Ok(())
}

fn options(path: &Path) -> ImportOptions {
    let file_name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let file_name = file_name.unwrap_or_default();
    ImportOptions {
        format: Format::of_file(&file_name),
        file_name,
        ..ImportOptions::default()
    }
}

/// Opens a file to import.
///
/// # Errors
/// If it cannot be read.
pub(super) fn open(path: &Path) -> Result<File, String> {
    let refused = |problem: String| {
        format!(
            "{} cannot be read: {problem}. Nothing was imported; check the path",
            path.display()
        )
    };
    let file = File::open(path).map_err(|error| refused(error.to_string()))?;
    match file.metadata() {
        Ok(data) if data.is_dir() => Err(refused("it is a folder".into())),
        _ => Ok(file),
    }
}

async fn tenant(store: &Store, tenant_id: String) -> Result<Tenant, String> {
    let requested = tenant_id.clone();
    let found = store.read(move |db| Tenant::find(db, &requested)).await;
    found
        .map_err(message)?
        .ok_or_else(|| no_workspace(&tenant_id, "imported"))
}
