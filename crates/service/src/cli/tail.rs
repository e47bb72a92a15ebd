//! `lead-workspace tail`: prints the changes of a workspace as they happen.

use std::io::{self, ErrorKind, Write};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::database::{DatabaseArgs, find_workspace};
use crate::store::changes::{self, StepEvent};
use crate::store::{DEFAULT_TENANT_ID, SharedDatabase, StoreError, Tenant};

/// How often it looks for changes.
const INTERVAL: Duration = Duration::from_millis(250);

/// Print the changes of a workspace as they happen, a JSON object per line: the events of the stream
/// /api/leads/changes, each with its name as "event". Works while the service is running.
#[derive(Args)]
pub(super) struct TailArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The id of the workspace.
    #[arg(long = "tenant", visible_alias = "workspace", value_name = "ID")]
    #[arg(default_value = DEFAULT_TENANT_ID)]
    tenant: String,
    /// Begin after this version, such as that of the last line of an earlier run [default: the
    /// present one].
    #[arg(long, value_name = "VERSION", value_parser = clap::value_parser!(i64).range(0..))]
    since: Option<i64>,
    /// End when all changes up to now are printed.
    #[arg(long)]
    once: bool,
}

/// A line of the output.
#[derive(Serialize)]
struct Line<D> {
    event: &'static str,
    #[serde(flatten)]
    data: D,
}

#[derive(Serialize)]
struct At {
    version: i64,
}

/// Why it ends.
enum Ended {
    Failed(String),
    /// The reader of the output has gone.
    Unread,
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Failed(format!("the changes could not be written: {error}")),
        }
    }
}

impl TailArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let database = self.database.open_shared()?;
        let tenant = find_workspace(&database, &self.tenant, "printed")?;
        match self.follow(&database, tenant, io::stdout().lock()) {
            Ok(()) | Err(Ended::Unread) => Ok(()),
            Err(Ended::Failed(error)) => Err(error),
        }
    }

    fn follow(
        &self,
        database: &SharedDatabase,
        tenant: Tenant,
        mut out: impl Write,
    ) -> Result<(), Ended> {
        let mut present = database.read(|db| changes::present(db, tenant))?;
        let mut version = self.since.unwrap_or(present);
        print(&mut out, "open", At { version })?;
        loop {
            while version != present {
                let step = database.read(|db| changes::step(db, tenant, version, present))?;
                version = step.version;
                match step.event {
                    StepEvent::None => {}
                    StepEvent::Change(changes) => print(&mut out, "change", changes)?,
                    StepEvent::Reset => print(&mut out, "reset", At { version })?,
                }
            }
            if self.once {
                return Ok(());
            }
            thread::sleep(INTERVAL);
            present = database.read(|db| changes::present(db, tenant))?;
        }
    }
}

/// Prints a line, so that its reader gets it at once.
fn print(out: &mut impl Write, event: &'static str, data: impl Serialize) -> Result<(), Ended> {
    let line = serde_json::to_string(&Line { event, data }).map_err(io::Error::from)?;
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
