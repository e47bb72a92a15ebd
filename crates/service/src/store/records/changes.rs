//! The changes of a workspace as its stream reports them: entries of the feed, with the ids of their rows and the present
//! status of leads.

use std::collections::{HashMap, HashSet};

use lead_workspace_api::Changes;
use lead_workspace_index::{ChangeKind, ChangedRows};

use crate::store::db::{Db, List, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::{feed, versions};
use crate::store::keys;
use crate::store::tenant::Tenant;

/// Entries that are read at once.
const ENTRIES: i64 = 500;

/// Rows after which the next entries are another step.
const ROWS: usize = 10_000;

/// Steps that one read of [`Store::changes_after`] takes at most.
const STEPS: usize = 16;

/// What a stream reports of the way to a version.
#[derive(Debug, PartialEq)]
pub enum StepEvent {
    /// Nothing that concerns leads or accounts, such as the start of a job.
    None,
    Change(Changes),
    /// It is not known what changed.
    Reset,
}

/// A step of a stream, to a version.
#[derive(Debug, PartialEq)]
pub struct Step {
    pub version: i64,
    pub event: StepEvent,
}

/// Steps of a stream, and whether they lead to the present version.
pub(crate) struct Steps {
    pub steps: Vec<Step>,
    pub is_all: bool,
}

/// The state of what streams depend on.
pub(crate) struct Watched {
    /// The versions of the workspaces.
    pub versions: Vec<(Tenant, i64)>,
    /// The keys that are valid, with each workspace that they open.
    pub keys: HashSet<(String, Tenant)>,
}

/// Returns the present version of a workspace.
///
/// # Errors
/// When the workspace is deleted, or being deleted.
pub fn present(db: Db<'_>, tenant: Tenant) -> Result<i64, StoreError> {
    tenant.refuse_deleted(db)?;
    versions::version(db, tenant)
}

/// Returns the first step from a version to a later one.
///
/// # Errors
/// Those of the database.
pub fn step(db: Db<'_>, tenant: Tenant, from: i64, to: i64) -> Result<Step, StoreError> {
    let (mut changed, mut rows) = (ChangedRows::default(), 0);
    let (mut version, mut at) = (from, String::new());
    for entry in feed::between(db, tenant, (from, to), ENTRIES)? {
        let is_next = entry.version == version + 1 && !entry.at.is_empty();
        if !is_next || rows >= ROWS || !add(&mut changed, &entry) {
            break;
        }
        rows += entry.rows.iter().count();
        (version, at) = (entry.version, entry.at);
    }
    if version == from {
        let event = StepEvent::Reset;
        return Ok(Step { version: to, event });
    }
    let leads = known_leads(db, tenant, changed.leads())?;
    let lead = |row| {
        let (lead_id, status): &(String, String) = leads.get(&row)?;
        Some((&**lead_id, &**status))
    };
    let changes = changed.by_kind(lead, account_ids(db, tenant, changed.accounts())?);
    let event = match changes.is_empty() {
        true => StepEvent::None,
        false => StepEvent::Change(Changes {
            version: Some(version),
            changed_at: Some(at),
            changes: Some(changes),
        }),
    };
    Ok(Step { version, event })
}

/// Adds an entry. Returns false if a row of it has no number in the feed.
fn add(changed: &mut ChangedRows<u32>, entry: &feed::FullEntry) -> bool {
    if entry.rows.iter().any(|(_, row)| row == u32::MAX) {
        return false;
    }
    let deleted: HashSet<u32> = entry.deleted.iter().map(|(row, _)| *row).collect();
    for (row, lead_id) in &entry.deleted {
        changed.delete_lead(*row, lead_id.clone());
    }
    for (kind, row) in entry.rows.iter() {
        if kind.meets(ChangeKind::ACCOUNT_ROW) {
            changed.change_account(row);
        } else if deleted.contains(&row) {
            // Of the deleted lead.
        } else if kind == ChangeKind::LEAD_ROW {
            changed.add_lead(row);
        } else {
            changed.change_lead(row, kind);
        }
    }
    true
}

impl Store {
    /// Returns the present version of a workspace.
    pub(crate) async fn present_version(&self, tenant: Tenant) -> Result<i64, StoreError> {
        self.read_in(tenant, move |db| present(db, tenant)).await
    }

    /// Returns the versions of workspaces, and which of these keys are valid.
    pub(crate) async fn watch(
        &self,
        tenants: Vec<Tenant>,
        key_ids: HashSet<String>,
    ) -> Result<Watched, StoreError> {
        let keys = self.read(move |db| keys::valid(db, &List::texts(key_ids)));
        let keys = keys.await?;
        let versions = self.read_each(move |db, only| {
            let asked = |tenant: &Tenant| only.is_none_or(|only| only == *tenant);
            let asked: Vec<_> = tenants.iter().copied().filter(asked).collect();
            versions::versions(db, &asked)
        });
        let versions = versions.await?;
        Ok(Watched { versions, keys })
    }

    /// Returns the first step from a version to a later one.
    pub(crate) async fn change_step(
        &self,
        tenant: Tenant,
        from: i64,
        to: i64,
    ) -> Result<Step, StoreError> {
        self.read_in(tenant, move |db| step(db, tenant, from, to))
            .await
    }

    /// Returns the steps from a version to the present one, or the first of them.
    pub(crate) async fn changes_after(
        &self,
        tenant: Tenant,
        from: i64,
    ) -> Result<Steps, StoreError> {
        self.read_in(tenant, move |db| {
            let present = present(db, tenant)?;
            let (mut steps, mut from) = (Vec::new(), from);
            while from != present && steps.len() < STEPS {
                let next = step(db, tenant, from, present)?;
                from = next.version;
                steps.push(next);
            }
            let is_all = from == present;
            Ok(Steps { steps, is_all })
        })
        .await
    }
}

/// Returns the ids and statuses of leads, by row number.
fn known_leads(
    db: Db<'_>,
    tenant: Tenant,
    rows: impl Iterator<Item = u32>,
) -> Result<HashMap<u32, (String, String)>, StoreError> {
    let rows: Vec<i64> = rows.map(i64::from).collect();
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "SELECT l.id, l.lead_id, l.approval_status FROM json_each(?1) page CROSS JOIN leads l
               WHERE l.id = page.value AND l.tenant = ?2";
    db.rows(sql, params![List::integers(rows), tenant.0], |row| {
        let number: i64 = row.get(0)?;
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Ok((number, (row.get(1)?, row.get(2)?)))
    })
}

fn account_ids(
    db: Db<'_>,
    tenant: Tenant,
    rows: impl Iterator<Item = u32>,
) -> Result<Vec<String>, StoreError> {
    let rows: Vec<i64> = rows.map(i64::from).collect();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT a.account_id FROM json_each(?1) page CROSS JOIN accounts a
               WHERE a.id = page.value AND a.tenant = ?2";
    db.rows(sql, params![List::integers(rows), tenant.0], |row| {
        row.get(0)
    })
}

#[cfg(test)]
mod tests;
