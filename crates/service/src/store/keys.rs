//! API keys: `lwk_<id>_<secret>`. The key is shown once; only the SHA-256 of the secret is stored.

mod last_use;

use std::collections::HashSet;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::scope::Scope;
use crate::store::db::{Db, List, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use crate::time::now;

pub(super) use last_use::KeyUses;

const PREFIX: &str = "lwk";
const ID_BYTES: usize = 6;
const SECRET_BYTES: usize = 24;

pub struct NewKey {
    /// Identifies the key, e.g. to revoke it.
    pub key_id: String,
    /// The full key. It cannot be shown again.
    pub text: String,
}

/// What a new key is for.
#[derive(Clone, Copy, Debug)]
pub struct KeyOptions<'a> {
    pub name: &'a str,
    /// Existing workspaces. Requests without `x-tenant-id` use the first.
    pub tenant_ids: &'a [&'a str],
    pub scope: Scope,
    /// When the key ends, in the form of [`iso`](crate::time::iso); `None` means never.
    pub expires_at: Option<&'a str>,
}

pub struct KeyInfo {
    pub key_id: String,
    pub name: String,
    /// The workspaces of the key; the first is used for requests without `x-tenant-id`.
    pub tenant_ids: Vec<String>,
    pub created_at: String,
    pub revoked_at: Option<String>,
    pub scope: String,
    pub expires_at: Option<String>,
    pub last_used_at: Option<String>,
}

impl KeyInfo {
    /// Returns `valid`, `revoked` or `expired`.
    pub fn state(&self, now: &str) -> &'static str {
        match &self.expires_at {
            _ if self.revoked_at.is_some() => "revoked",
            Some(expires_at) if expires_at.as_str() <= now => "expired",
            _ => "valid",
        }
    }
}

/// A key without a secret. Requests cannot use it; it names the author of entries in the audit log.
pub(crate) struct KnownKey<'a> {
    pub key_id: &'a str,
    pub name: &'a str,
    pub scope: Scope,
    pub created_at: &'a str,
    pub last_used_at: Option<&'a str>,
}

/// What a valid key gives access to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub tenant: Tenant,
    /// The id of the workspace.
    pub tenant_id: String,
    /// The name of the workspace that people see, if it has one.
    pub name: Option<String>,
    pub scope: Scope,
}

/// The result of checking the key and the workspace of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// The key has access to this workspace.
    Granted(Grant),
    /// The key does not exist or was revoked.
    NoKey,
    /// The key was valid until this time.
    Expired(String),
    /// The key is valid, but has no access to the workspace.
    NoTenant,
}

/// Creates a key with all rights and without an expiry; see [`create_with`].
pub fn create(db: Db<'_>, name: &str, tenant_ids: &[&str]) -> Result<NewKey, StoreError> {
    create_with(
        db,
        &KeyOptions {
            name,
            tenant_ids,
            scope: Scope::Admin,
            expires_at: None,
        },
    )
}

/// Creates a key for existing workspaces.
///
/// # Errors
/// When a workspace does not exist.
pub fn create_with(db: Db<'_>, options: &KeyOptions<'_>) -> Result<NewKey, StoreError> {
    let key_id = hex(&random::<ID_BYTES>()?);
    let secret = hex(&random::<SECRET_BYTES>()?);
    db.execute(
        "INSERT INTO api_keys (key_id, secret_hash, name, created_at, scope, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            key_id,
            hash(&secret),
            options.name,
            now(),
            options.scope.as_str(),
            options.expires_at
        ],
    )?;
    for (position, tenant_id) in options.tenant_ids.iter().enumerate() {
        let Tenant(tenant) = Tenant::find(db, tenant_id)?.ok_or_else(|| {
            StoreError::Refused(format!(
                "there is no workspace {tenant_id:?}. No key was created. \
                 Use an existing workspace, or add --make-tenant"
            ))
        })?;
        db.execute(
            "INSERT INTO key_tenants (key_id, tenant, position) VALUES (?1, ?2, ?3)
             ON CONFLICT DO NOTHING",
            params![key_id, tenant, i64::try_from(position).unwrap_or(i64::MAX)],
        )?;
    }
    let text = format!("{PREFIX}_{key_id}_{secret}");
    Ok(NewKey { key_id, text })
}

/// Creates a key that no request can use, with access to a workspace. An existing key with this id is kept.
pub(crate) fn create_without_secret(
    db: Db<'_>,
    tenant: Tenant,
    key: &KnownKey<'_>,
) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO api_keys (key_id, secret_hash, name, created_at, scope, last_used_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        params![
            key.key_id,
            // No secret is known to have this hash.
            random::<32>()?.to_vec(),
            key.name,
            key.created_at,
            key.scope.as_str(),
            key.last_used_at
        ],
    )?;
    db.execute(
        "INSERT INTO key_tenants (key_id, tenant, position) VALUES (?1, ?2, 0)
         ON CONFLICT DO NOTHING",
        params![key.key_id, tenant.0],
    )?;
    Ok(())
}

/// Returns every key, oldest first.
pub fn list(db: Db<'_>) -> Result<Vec<KeyInfo>, StoreError> {
    let tenants = "SELECT t.tenant_id FROM key_tenants k JOIN tenants t USING (tenant)
                   WHERE k.key_id = ?1 ORDER BY k.position";
    let keys =
        "SELECT key_id, name, created_at, revoked_at, scope, expires_at, last_used_at FROM api_keys
         ORDER BY created_at, key_id";
    db.rows(keys, &[], |row| {
        let key_id: String = row.get(0)?;
        Ok(KeyInfo {
            tenant_ids: db.rows(tenants, params![key_id], |row| row.get(0))?,
            key_id,
            name: row.get(1)?,
            created_at: row.get(2)?,
            revoked_at: row.get(3)?,
            scope: row.get(4)?,
            expires_at: row.get(5)?,
            last_used_at: row.get(6)?,
        })
    })
}

/// Revokes a key and returns whether it was active. Requests after this commit are rejected.
pub fn revoke(db: Db<'_>, key_id: &str) -> Result<bool, StoreError> {
    let changed = db.execute(
        "UPDATE api_keys SET revoked_at = ?2 WHERE key_id = ?1 AND revoked_at IS NULL",
        params![key_id, now()],
    )?;
    Ok(changed > 0)
}

/// Revokes every key with this name except `keep`, e.g. those of earlier starts.
pub fn revoke_named(db: Db<'_>, name: &str, keep: Option<&str>) -> Result<(), StoreError> {
    db.execute(
        "UPDATE api_keys SET revoked_at = ?3
         WHERE name = ?1 AND key_id IS DISTINCT FROM ?2 AND revoked_at IS NULL",
        params![name, keep, now()],
    )?;
    Ok(())
}

/// Checks a key and its access to the requested workspace, by default the key's first.
pub fn check(db: Db<'_>, key: &str, tenant_id: Option<&str>) -> Result<Access, StoreError> {
    let Some((key_id, secret)) = parts(key) else {
        return Ok(Access::NoKey);
    };
    let stored: Option<(Vec<u8>, String, Option<String>)> = db.row(
        "SELECT secret_hash, scope, expires_at FROM api_keys
         WHERE key_id = ?1 AND revoked_at IS NULL",
        params![key_id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let hashed = hash(secret);
    let stored = stored.filter(|(stored, ..)| bool::from(stored.ct_eq(&hashed)));
    let Some((_, scope, expires_at)) = stored else {
        return Ok(Access::NoKey);
    };
    if let Some(expired) = expires_at.filter(|expires_at| *expires_at <= now()) {
        return Ok(Access::Expired(expired));
    }
    let scope = scope.parse().map_err(StoreError::Unexpected)?;
    let grant = db.row(
        "SELECT k.tenant, t.tenant_id, t.name FROM key_tenants k JOIN tenants t USING (tenant)
         WHERE k.key_id = ?1 AND (?2 IS NULL OR t.tenant_id = ?2)
         ORDER BY k.position LIMIT 1",
        params![key_id, tenant_id],
        |row| {
            let (tenant_id, name): (String, String) = (row.get(1)?, row.get(2)?);
            Ok(Grant {
                tenant: Tenant(row.get(0)?),
                name: Some(name).filter(|name| !name.is_empty() && *name != tenant_id),
                tenant_id,
                scope,
            })
        },
    )?;
    Ok(grant.map_or(Access::NoTenant, Access::Granted))
}

/// Returns those of these keys, by their ids, that are still valid, with each workspace that they open.
pub(in crate::store) fn valid(
    db: Db<'_>,
    key_ids: &List,
) -> Result<HashSet<(String, Tenant)>, StoreError> {
    let sql = "SELECT k.key_id, w.tenant
               FROM json_each(?1) page CROSS JOIN api_keys k CROSS JOIN key_tenants t CROSS JOIN tenants w
               WHERE k.key_id = page.value AND k.revoked_at IS NULL
                 AND (k.expires_at IS NULL OR k.expires_at > ?2)
                 AND t.key_id = k.key_id AND w.tenant = t.tenant AND w.deleted_at IS NULL";
    db.rows(sql, params![key_ids, now()], |row| {
        Ok((row.get(0)?, Tenant(row.get(1)?)))
    })
}

/// Returns the id in a key, if the text has the form of a key.
pub fn key_id(key: &str) -> Option<&str> {
    parts(key).map(|(key_id, _)| key_id)
}

fn parts(key: &str) -> Option<(&str, &str)> {
    let (key_id, secret) = key
        .strip_prefix(PREFIX)?
        .strip_prefix('_')?
        .split_once('_')?;
    let well_formed = key_id.len() == 2 * ID_BYTES && secret.len() == 2 * SECRET_BYTES;
    well_formed.then_some((key_id, secret))
}

fn hash(secret: &str) -> Vec<u8> {
    // The secret has 192 random bits, so one round is enough: it cannot be guessed.
    Sha256::digest(secret.as_bytes()).to_vec()
}

fn random<const N: usize>() -> Result<[u8; N], StoreError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| StoreError::Unexpected(format!("no random numbers: {error}")))?;
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
