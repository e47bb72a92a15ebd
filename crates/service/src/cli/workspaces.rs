//! `lead-workspace workspaces`: lists, creates, names, renames and deletes workspaces.

use clap::{Args, Subcommand};

use super::database::DatabaseArgs;
use super::message;
use super::output::{print_line, tell_line};
use crate::store::workspaces;

#[derive(Subcommand)]
pub(super) enum WorkspacesCommand {
    /// List all workspaces with their numbers of leads, accounts and keys.
    List(DatabaseArgs),
    /// Create an empty workspace.
    Create(CreateArgs),
    /// Set the name that people see on the screen. Its id stays.
    Name(NameArgs),
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
    /// The name that people see, such as "Northwind outbound".
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct NameArgs {
    /// Id of the workspace; `default` is the first one.
    id: String,
    /// The name, such as "Northwind outbound", at most 80 characters. "" removes it: then people see the address or the id.
    name: String,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct RenameArgs {
    /// Id of the workspace.
    id: String,
    /// The new id.
    new_id: String,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct DeleteArgs {
    /// Id of the workspace.
    id: String,
    /// The id again. What is deleted cannot be brought back, except from a backup.
    #[arg(long, value_name = "ID")]
    confirm: Option<String>,
    #[command(flatten)]
    database: DatabaseArgs,
}

impl WorkspacesCommand {
    pub(super) fn run(self) -> Result<(), String> {
        match self {
            Self::List(database) => list(&database),
            Self::Create(create) => {
                let mut database = create.database.open_shared()?;
                let created = database.change(|db| {
                    workspaces::create(db, &create.id)?;
                    let name = create.name.as_deref();
                    name.map_or(Ok(()), |name| workspaces::set_name(db, &create.id, name))
                });
                created.map_err(message)?;
                tell_line!("The workspace {:?} is created.", create.id);
                Ok(())
            }
            Self::Name(name) => {
                let mut database = name.database.open_shared()?;
                let named = database.change(|db| workspaces::set_name(db, &name.id, &name.name));
                named.map_err(message)?;
                match name.name.trim() {
                    "" => tell_line!("The workspace {:?} has no name now.", name.id),
                    shown => tell_line!("The workspace {:?} is named {shown:?}.", name.id),
                }
                Ok(())
            }
            Self::Rename(rename) => {
                let mut database = rename.database.open_shared()?;
                let renamed =
                    database.change(|db| workspaces::rename(db, &rename.id, &rename.new_id));
                renamed.map_err(message)?;
                let (id, new_id) = (&rename.id, &rename.new_id);
                tell_line!("The workspace {id:?} is now {new_id:?}.");
                Ok(())
            }
            Self::Delete(delete) => delete.run(),
        }
    }
}

impl DeleteArgs {
    fn run(self) -> Result<(), String> {
        let mut database = self.database.open_shared()?;
        let tenant = database.read(|db| workspaces::find(db, &self.id));
        let tenant = tenant.map_err(message)?;
        if self.confirm.as_deref() != Some(&self.id) {
            return Err(format!(
                "this deletes all data of the workspace {:?}. Nothing was changed; to delete it, add \
                 --confirm with the same id",
                self.id
            ));
        }
        let rest = workspaces::begin_deletion(&mut database, tenant).map_err(message)?;
        workspaces::finish_deletion(&mut database, tenant).map_err(|error| {
            format!(
                "the workspace is deleted in part: {error}. Its keys have no access any more. To delete \
                 the rest, delete the workspace {rest:?}"
            )
        })?;
        tell_line!("The workspace {:?} is deleted.", self.id);
        Ok(())
    }
}

fn list(database: &DatabaseArgs) -> Result<(), String> {
    let database = database.open_shared()?;
    print_line!("     leads   accounts  keys  created                   id (name)");
    for workspace in database.read(workspaces::list).map_err(message)? {
        let name = match &*workspace.name {
            "" => String::new(),
            name => format!(" ({name})"),
        };
        print_line!(
            "{:>10}  {:>9}  {:>4}  {:<24}  {}{name}",
            workspace.leads,
            workspace.accounts,
            workspace.keys,
            workspace.created_at,
            workspace.tenant_id
        );
    }
    Ok(())
}
