//! `lead-workspace workspaces`: lists, creates, renames and deletes workspaces.

use clap::{Args, Subcommand};

use super::keys::in_transaction;
use super::{DataArgs, message};
use crate::store::{self, workspaces};

#[derive(Subcommand)]
pub(super) enum WorkspacesCommand {
    /// List all workspaces with their numbers of leads, accounts and keys.
    List(DataArgs),
    /// Create an empty workspace.
    Create(CreateArgs),
    /// Change the id of a workspace. Its keys keep their access; clients must send the new id in
    /// x-tenant-id.
    Rename(RenameArgs),
    /// Delete a workspace with all its data, including its part of the audit log. Its keys lose their
    /// access to it; other workspaces are not changed. Backups still have the data.
    Delete(DeleteArgs),
}

#[derive(Args)]
pub(super) struct CreateArgs {
    /// Id of the new workspace: 1 to 200 ASCII letters, digits or symbols.
    id: String,
    #[command(flatten)]
    data: DataArgs,
}

#[derive(Args)]
pub(super) struct RenameArgs {
    /// Id of the workspace.
    id: String,
    /// The new id.
    new_id: String,
    #[command(flatten)]
    data: DataArgs,
}

#[derive(Args)]
pub(super) struct DeleteArgs {
    /// Id of the workspace.
    id: String,
    /// The id again. What is deleted cannot be brought back, except from a backup.
    #[arg(long, value_name = "ID")]
    confirm: Option<String>,
    #[command(flatten)]
    data: DataArgs,
}

impl WorkspacesCommand {
    pub(super) fn run(self) -> Result<(), String> {
        match self {
            Self::List(data) => list(&data),
            Self::Create(create) => {
                let mut connection = store::open_shared(&create.data.data).map_err(message)?;
                let created =
                    in_transaction(&mut connection, |db| workspaces::create(db, &create.id));
                created.map_err(message)?;
                eprintln!("The workspace {:?} is created.", create.id);
                Ok(())
            }
            Self::Rename(rename) => {
                let mut connection = store::open_shared(&rename.data.data).map_err(message)?;
                let renamed = in_transaction(&mut connection, |db| {
                    workspaces::rename(db, &rename.id, &rename.new_id)
                });
                renamed.map_err(message)?;
                let (id, new_id) = (&rename.id, &rename.new_id);
                eprintln!("The workspace {id:?} is now {new_id:?}.");
                Ok(())
            }
            Self::Delete(delete) => delete.run(),
        }
    }
}

impl DeleteArgs {
    fn run(self) -> Result<(), String> {
        let mut connection = store::open_shared(&self.data.data).map_err(message)?;
        let tenant = workspaces::find((&connection).into(), &self.id).map_err(message)?;
        if self.confirm.as_deref() != Some(&self.id) {
            return Err(format!(
                "this deletes all data of the workspace {:?}. Nothing was changed; to delete it, add \
                 --confirm with the same id",
                self.id
            ));
        }
        let rest = workspaces::begin_deletion(&mut connection, tenant).map_err(message)?;
        workspaces::finish_deletion(&mut connection, &self.data.data, tenant).map_err(|error| {
            format!(
                "the workspace is deleted in part: {error}. Its keys have no access any more. To delete \
                 the rest, delete the workspace {rest:?}"
            )
        })?;
        eprintln!("The workspace {:?} is deleted.", self.id);
        Ok(())
    }
}

fn list(data: &DataArgs) -> Result<(), String> {
    let connection = store::open_shared(&data.data).map_err(message)?;
    println!("     leads   accounts  keys  created                   id");
    for workspace in workspaces::list((&connection).into()).map_err(message)? {
        println!(
            "{:>10}  {:>9}  {:>4}  {:<24}  {}",
            workspace.leads,
            workspace.accounts,
            workspace.keys,
            workspace.created_at,
            workspace.tenant_id
        );
    }
    Ok(())
}
