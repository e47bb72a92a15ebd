//! `lead-workspace scoring`: shows and sets the scoring rules of a workspace.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use rusqlite::Connection;

use super::{Data, told};
use crate::scoring::{Rules, read_rules, write_rules};
use crate::store::{self, DEFAULT_TENANT_ID, Tenant};

/// Show and set the scoring rules.
#[derive(Subcommand)]
pub(super) enum Scoring {
    /// Print the workspace's rules, or the defaults, as JSON.
    Show(Workspace),
    /// Set the rules from a JSON file. Missing values use the defaults. Takes effect with the next
    /// scoring.
    Set(Set),
    /// Restore the default rules.
    Reset(Workspace),
}

#[derive(Args)]
pub(super) struct Workspace {
    #[command(flatten)]
    data: Data,
    /// Id of the workspace.
    #[arg(long, value_name = "ID", default_value = DEFAULT_TENANT_ID)]
    tenant: String,
}

#[derive(Args)]
pub(super) struct Set {
    /// The file with the rules.
    file: PathBuf,
    #[command(flatten)]
    workspace: Workspace,
}

impl Scoring {
    pub(super) fn run(self) -> Result<(), String> {
        match self {
            Self::Show(workspace) => {
                let (connection, tenant) = workspace.open()?;
                let rules = read_rules(&connection, tenant).map_err(told)?;
                let rules = rules.map_err(|problems| {
                    format!("the workspace's rules are not valid:\n{problems}\nCorrect them with `scoring set FILE`")
                })?;
                println!("{}", serde_json::to_string_pretty(&rules).map_err(told)?);
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
                let (connection, tenant) = set.workspace.open()?;
                write_rules(&connection, tenant, Some(&rules)).map_err(told)?;
                eprintln!("The rules are set; the next scoring uses them.");
                Ok(())
            }
            Self::Reset(workspace) => {
                let (connection, tenant) = workspace.open()?;
                write_rules(&connection, tenant, None).map_err(told)?;
                eprintln!("The default rules are restored; the next scoring uses them.");
                Ok(())
            }
        }
    }
}

impl Workspace {
    fn open(&self) -> Result<(Connection, Tenant), String> {
        let connection = store::open_shared(&self.data.data).map_err(told)?;
        let tenant = Tenant::find(&connection, &self.tenant).map_err(told)?;
        let tenant = tenant.ok_or_else(|| {
            format!(
                "there is no workspace {:?}. Nothing was changed; check --tenant",
                self.tenant
            )
        })?;
        Ok((connection, tenant))
    }
}
