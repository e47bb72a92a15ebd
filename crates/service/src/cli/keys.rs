//! `lead-workspace keys`: creates, lists and revokes API keys.

use clap::{Args, Subcommand};

use super::service_files::START_KEY_NAME;
use super::{DataArgs, message};
use crate::store::{self, DEFAULT_TENANT_ID, StoreError, Tenant, keys};

#[derive(Subcommand)]
pub(super) enum KeysCommand {
    /// Create a key and print it. It is shown only once.
    Create(CreateArgs),
    /// List all keys, without their secrets.
    List(DataArgs),
    /// Revoke a key. Requests with it are rejected from then on.
    Revoke(RevokeArgs),
}

#[derive(Args)]
pub(super) struct CreateArgs {
    #[command(flatten)]
    data: DataArgs,
    /// What the key is for.
    #[arg(long, default_value = "")]
    name: String,
    /// Id of a workspace that the key can access. Can be repeated; requests without x-tenant-id
    /// use the first.
    #[arg(long = "tenant", value_name = "ID", default_value = DEFAULT_TENANT_ID)]
    tenants: Vec<String>,
    /// Create workspaces that do not exist yet.
    #[arg(long)]
    make_tenant: bool,
}

#[derive(Args)]
pub(super) struct RevokeArgs {
    #[command(flatten)]
    data: DataArgs,
    /// The key's id, as shown by `keys list`, or the whole key.
    key_id: String,
}

impl KeysCommand {
    pub(super) fn run(self) -> Result<(), String> {
        match self {
            Self::Create(create) => create.run(),
            Self::List(data) => list(&data),
            Self::Revoke(revoke) => revoke.run(),
        }
    }
}

impl CreateArgs {
    fn run(self) -> Result<(), String> {
        if self.name == START_KEY_NAME {
            return Err(format!(
                "the name {START_KEY_NAME:?} is reserved for the keys that `serve` creates and revokes. \
                 No key was created; choose another --name"
            ));
        }
        let mut connection = store::open_shared_or_new(&self.data.data).map_err(message)?;
        let created = in_transaction(&mut connection, |connection| {
            if self.make_tenant {
                for tenant_id in &self.tenants {
                    Tenant::ensure(connection, tenant_id)?;
                }
            }
            let tenants: Vec<&str> = self.tenants.iter().map(String::as_str).collect();
            keys::create(connection, &self.name, &tenants)
        })
        .map_err(message)?;
        eprintln!(
            "Keep this key; it cannot be shown again. To revoke it: keys revoke {}",
            created.key_id
        );
        println!("{}", created.text);
        Ok(())
    }
}

impl RevokeArgs {
    fn run(self) -> Result<(), String> {
        let key_id = match self.key_id.split('_').collect::<Vec<_>>()[..] {
            ["lwk", key_id, _] => key_id,
            _ => self.key_id.as_str(),
        };
        let mut connection = store::open_shared(&self.data.data).map_err(message)?;
        let revoked = in_transaction(&mut connection, |connection| {
            keys::revoke(connection, key_id)
        });
        if revoked.map_err(message)? {
            eprintln!("The key {key_id} is revoked.");
            Ok(())
        } else {
            Err(format!(
                "there is no key {key_id} to revoke. Nothing was changed; `keys list` shows all keys"
            ))
        }
    }
}

fn list(data: &DataArgs) -> Result<(), String> {
    let connection = store::open_shared(&data.data).map_err(message)?;
    let keys = keys::list(&connection).map_err(message)?;
    println!("id            state    created                   workspaces  name");
    for key in keys {
        println!(
            "{:<12}  {:<7}  {:<24}  {}  {}",
            key.key_id,
            if key.revoked_at.is_some() {
                "revoked"
            } else {
                "valid"
            },
            key.created_at,
            key.tenant_ids.join(","),
            key.name,
        );
    }
    Ok(())
}

/// Runs a change in an immediate transaction, because a service may be using the same folder.
pub(super) fn in_transaction<T>(
    connection: &mut rusqlite::Connection,
    change: impl FnOnce(&rusqlite::Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let result = change(&transaction)?;
    transaction.commit()?;
    Ok(result)
}
