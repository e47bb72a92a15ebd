//! The changes of a workspace as its stream tells them: entries of the feed, with the ids of their rows and the present
//! status of leads.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lead_workspace_api::{Change, Changes, MAX_CHANGED_IDS};
use lead_workspace_index::ChangeKind;

use crate::store::db::{Db, List, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::{feed, versions};
use crate::store::keys;
use crate::store::tenant::Tenant;

/// Entries that are read at once.
const ENTRIES: i64 = 500;

/// Rows after which the next entries are told later.
const ROWS: usize = 10_000;

/// Steps that one read of [`Store::changes_after`] tells at most.
const STEPS: usize = 16;

/// Kinds of leads, as the stream names them. That of a decision has the status, too.
const LEAD_KINDS: [(ChangeKind, &str); 5] = [
    (ChangeKind::SCORE, "score"),
    (ChangeKind::LEAD, "fields"),
    (ChangeKind::LIST, "lists"),
    (ChangeKind::CAMPAIGN, "campaigns"),
    (ChangeKind::INTENT, "signals"),
];

/// What a stream tells of the way to a version.
#[derive(Debug, PartialEq)]
pub enum Told {
    /// Nothing that concerns leads or accounts, such as the start of a job.
    Nothing,
    Changes(Changes),
    /// It is not known what changed.
    Unknown,
}

/// A step of a stream, to a version.
#[derive(Debug, PartialEq)]
pub struct Step {
    pub version: i64,
    pub told: Told,
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
    let mut noted = Noted::default();
    let (mut version, mut at) = (from, String::new());
    for entry in feed::between(db, tenant, (from, to), ENTRIES)? {
        let is_next = entry.version == version + 1 && !entry.at.is_empty();
        if !is_next || noted.rows >= ROWS || !noted.add(&entry) {
            break;
        }
        (version, at) = (entry.version, entry.at);
    }
    if version == from {
        let told = Told::Unknown;
        return Ok(Step { version: to, told });
    }
    let changes = noted.changes(db, tenant)?;
    let told = match changes.is_empty() {
        true => Told::Nothing,
        false => Told::Changes(Changes {
            version: Some(version),
            changed_at: Some(at),
            changes: Some(changes),
        }),
    };
    Ok(Step { version, told })
}

impl Store {
    /// Returns the present version of a workspace.
    pub(crate) async fn present_version(&self, tenant: Tenant) -> Result<i64, StoreError> {
        self.read_in(tenant, move |db| present(db, tenant)).await
    }

    /// Returns the versions of workspaces, and which of these keys are valid: all in one read.
    pub(crate) async fn watch(
        &self,
        tenants: Vec<Tenant>,
        key_ids: HashSet<String>,
    ) -> Result<Watched, StoreError> {
        self.read(move |db| {
            Ok(Watched {
                versions: versions::versions(db, &tenants)?,
                keys: keys::valid(db, &List::texts(key_ids))?,
            })
        })
        .await
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

/// What several entries have noted.
#[derive(Default)]
struct Noted {
    rows: usize,
    /// What of each lead has changed.
    leads: BTreeMap<u32, ChangeKind>,
    added: BTreeSet<u32>,
    /// The ids of deleted leads.
    deleted: Vec<String>,
    accounts: BTreeSet<u32>,
}

impl Noted {
    /// Adds an entry. Returns false if a row of it has no number in the feed.
    fn add(&mut self, entry: &feed::FullEntry) -> bool {
        if entry.rows.iter().any(|(_, row)| row == u32::MAX) {
            return false;
        }
        let deleted: HashSet<u32> = entry.deleted.iter().map(|(row, _)| *row).collect();
        for (kind, row) in entry.rows.iter() {
            self.rows += 1;
            if kind.meets(ChangeKind::ACCOUNT_ROW) {
                self.accounts.insert(row);
            } else if deleted.contains(&row) {
                // A later lead may have this number again.
                self.leads.remove(&row);
                self.added.remove(&row);
            } else if kind == ChangeKind::LEAD_ROW {
                self.added.insert(row);
            } else {
                let known = self.leads.entry(row).or_insert(kind);
                *known = known.or(kind);
            }
        }
        let ids = entry.deleted.iter().map(|(_, lead_id)| lead_id.clone());
        self.deleted.extend(ids);
        true
    }

    /// Returns the changes by kind. Leads that do not exist any more are told by a later entry.
    fn changes(mut self, db: Db<'_>, tenant: Tenant) -> Result<Vec<Change>, StoreError> {
        self.leads.retain(|row, _| !self.added.contains(row));
        let known = known_leads(db, tenant, self.leads.keys().chain(&self.added))?;
        let mut changes = Vec::new();
        let id_of = |row: &u32| known.get(row).map(|(lead_id, _)| lead_id.clone());
        let added = self.added.iter().filter_map(id_of).collect();
        add(&mut changes, "added", added);
        add(&mut changes, "deleted", self.deleted);
        let mut by_status: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (row, kind) in &self.leads {
            if let Some((lead_id, status)) = known.get(row)
                && kind.meets(ChangeKind::STATUS)
            {
                by_status.entry(status).or_default().push(lead_id.clone());
            }
        }
        for (status, ids) in by_status {
            changes.push(Change {
                approval_status: Some(status.into()),
                ..change("status", ids)
            });
        }
        for (kind, name) in LEAD_KINDS {
            let rows = self.leads.iter().filter(|(_, of)| of.meets(kind));
            let ids = rows.filter_map(|(row, _)| id_of(row)).collect();
            add(&mut changes, name, ids);
        }
        add(
            &mut changes,
            "accounts",
            account_ids(db, tenant, &self.accounts)?,
        );
        Ok(changes)
    }
}

fn add(changes: &mut Vec<Change>, kind: &str, ids: Vec<String>) {
    if !ids.is_empty() {
        changes.push(change(kind, ids));
    }
}

fn change(kind: &str, ids: Vec<String>) -> Change {
    Change {
        kind: Some(kind.into()),
        approval_status: None,
        count: Some(ids.len() as u64),
        ids: Some(ids).filter(|ids| ids.len() <= MAX_CHANGED_IDS),
    }
}

/// Returns the ids and statuses of leads, by row number.
fn known_leads<'a>(
    db: Db<'_>,
    tenant: Tenant,
    rows: impl Iterator<Item = &'a u32>,
) -> Result<HashMap<u32, (String, String)>, StoreError> {
    let rows: Vec<i64> = rows.map(|row| i64::from(*row)).collect();
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
    rows: &BTreeSet<u32>,
) -> Result<Vec<String>, StoreError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let rows = List::integers(rows.iter().map(|row| i64::from(*row)));
    let sql = "SELECT a.account_id FROM json_each(?1) page CROSS JOIN accounts a
               WHERE a.id = page.value AND a.tenant = ?2";
    db.rows(sql, params![rows, tenant.0], |row| row.get(0))
}

#[cfg(test)]
mod tests;
