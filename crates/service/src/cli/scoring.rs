//! `lead-workspace scoring`: shows and sets the scoring rules of a workspace.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::database::{DatabaseArgs, find_workspace};
use super::message;
use super::output::{print_line, tell_line};
use crate::scoring::{Rules, read_rules, write_rules};
use crate::store::{DEFAULT_TENANT_ID, SharedDatabase, Tenant};

/// Show and set the scoring rules.
#[derive(Subcommand)]
pub(super) enum ScoringCommand {
    /// Print the workspace's rules, or the defaults, as JSON.
    Show(WorkspaceArgs),
    /// Set the rules from a JSON file. Missing values use the defaults. Takes effect with the next
    /// scoring.
    Set(SetArgs),
    /// Restore the default rules.
    Reset(WorkspaceArgs),
}

#[derive(Args)]
pub(super) struct WorkspaceArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Id of the workspace.
    #[arg(long, value_name = "ID", default_value = DEFAULT_TENANT_ID)]
    tenant: String,
}

#[derive(Args)]
pub(super) struct SetArgs {
    /// The file with the rules.
    file: PathBuf,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

impl ScoringCommand {
    pub(super) fn run(self) -> Result<(), String> {
        match self {
            Self::Show(workspace) => {
                let (database, tenant) = workspace.open()?;
                let rules = database
                    .read(|db| read_rules(db, tenant))
                    .map_err(message)?;
                let rules = rules.map_err(|problems| {
                    format!("the workspace's rules are not valid:\n{problems}\nCorrect them with `scoring set FILE`")
                })?;
                print_line!("{}", serde_json::to_string_pretty(&rules).map_err(message)?);
                Ok(())
            }
            Self::Set(set) => {
                let path = set.file.display();
                let text = std::fs::read_to_string(&set.file).map_err(|error| {
                    format!("{path} cannot be read: {error}. The rules were not changed")
                })?;
                let rules = Rules::from_json(&text).map_err(|problems| {
                    format!("the rules in {path} are not valid; nothing was changed:\n{problems}")
                })?;
                let (mut database, tenant) = set.workspace.open()?;
                let set = database.change(|db| write_rules(db, tenant, Some(&rules)));
                set.map_err(message)?;
                tell_line!("The rules are set; the next scoring uses them.");
                Ok(())
            }
            Self::Reset(workspace) => {
                let (mut database, tenant) = workspace.open()?;
                let reset = database.change(|db| write_rules(db, tenant, None));
                reset.map_err(message)?;
                tell_line!("The default rules are restored; the next scoring uses them.");
                Ok(())
            }
        }
    }
}

impl WorkspaceArgs {
    fn open(&self) -> Result<(SharedDatabase, Tenant), String> {
        let database = self.database.open_shared()?;
        let tenant = find_workspace(&database, &self.tenant, "changed")?;
        Ok((database, tenant))
    }
}
