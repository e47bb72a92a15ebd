//! `lead-workspace keys`: creates, lists and revokes API keys.

use std::io::{self, Write};

use clap::{Args, Subcommand};
use jiff::Timestamp;

use super::database::DatabaseArgs;
use super::output::{print_line, tell_line};
use super::service_files::START_KEY_NAME;
use super::{message, times};
use crate::scope::Scope;
use crate::store::db::Db;
use crate::store::keys::{self, KeyOptions};
use crate::store::{DEFAULT_TENANT_ID, Tenant};
use crate::time::{iso, now};

#[derive(Subcommand)]
pub(super) enum KeysCommand {
    /// Create a key and print it. It is shown only once.
    Create(CreateArgs),
    /// List all keys, without their secrets.
    List(DatabaseArgs),
    /// Revoke a key. Requests with it are rejected from then on.
    Revoke(RevokeArgs),
}

#[derive(Args)]
pub(super) struct CreateArgs {
    #[command(flatten)]
    database: DatabaseArgs,
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
    /// What the key may do: "read" reads, "decide" also sets the approval status of leads, "admin"
    /// also deletes leads, imports, and starts scoring.
    #[arg(long, value_name = "SCOPE", default_value_t = Scope::Admin)]
    scope: Scope,
    /// When the key ends: after a time such as 12h or 90d, at the beginning of a day in UTC such as
    /// 2027-01-31, or at a time such as 2027-01-31T18:00:00Z [default: never].
    #[arg(long, value_name = "WHEN")]
    expires: Option<String>,
}

#[derive(Args)]
pub(super) struct RevokeArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The key's id, as shown by `keys list`, or the whole key.
    key_id: String,
}

impl KeysCommand {
    pub(super) fn run(self) -> Result<(), String> {
        match self {
            Self::Create(create) => create.run(),
            Self::List(database) => list(&database),
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
        let expires_at = self.expires.as_deref().map(expiry).transpose()?;
        let mut database = self.database.open_shared_or_new()?;
        let create = |db: Db<'_>| {
            if self.make_tenant {
                for tenant_id in &self.tenants {
                    Tenant::ensure(db, tenant_id)?;
                }
            }
            let tenants: Vec<&str> = self.tenants.iter().map(String::as_str).collect();
            keys::create_with(
                db,
                &KeyOptions {
                    name: &self.name,
                    tenant_ids: &tenants,
                    scope: self.scope,
                    expires_at: expires_at.as_deref(),
                },
            )
        };
        let created = database.change(create).map_err(message)?;
        let id = &created.key_id;
        writeln!(io::stdout(), "{}", created.text).map_err(|error| {
            format!(
                "the key was created, but cannot be shown ({error}). Revoke it: keys revoke {id}"
            )
        })?;
        tell_line!("Keep this key; it cannot be shown again. To revoke it: keys revoke {id}");
        Ok(())
    }
}

impl RevokeArgs {
    fn run(self) -> Result<(), String> {
        let key_id = match self.key_id.split('_').collect::<Vec<_>>()[..] {
            ["lwk", key_id, _] => key_id,
            _ => self.key_id.as_str(),
        };
        let mut database = self.database.open_shared()?;
        let revoked = database.change(|db| keys::revoke(db, key_id));
        if revoked.map_err(message)? {
            tell_line!("The key {key_id} is revoked.");
            Ok(())
        } else {
            Err(format!(
                "there is no key {key_id} to revoke. Nothing was changed; `keys list` shows all keys"
            ))
        }
    }
}

fn list(database: &DatabaseArgs) -> Result<(), String> {
    let keys = database.open_shared()?.read(keys::list).map_err(message)?;
    let now = now();
    print_line!(
        "id            state    scope   created                   expires                   \
         last used                 workspaces  name"
    );
    for key in keys {
        print_line!(
            "{:<12}  {:<7}  {:<6}  {:<24}  {:<24}  {:<24}  {}  {}",
            key.key_id,
            key.state(&now),
            key.scope,
            key.created_at,
            key.expires_at.as_deref().unwrap_or("never"),
            key.last_used_at.as_deref().unwrap_or("never"),
            key.tenant_ids.join(","),
            key.name,
        );
    }
    Ok(())
}

/// Reads `--expires`: a time in the future.
fn expiry(text: &str) -> Result<String, String> {
    let refused = |problem: &str| format!("--expires {text}: {problem}. No key was created");
    let now = Timestamp::now();
    let at = times::after(text, now).map_err(|problem| refused(&problem))?;
    if at <= now {
        return Err(refused("this time has passed"));
    }
    Ok(iso(at))
}
