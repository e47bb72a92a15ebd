//! List elements of leads as JSON: a lead that a page shows again is neither read nor encoded again.
//!
//! An element is used only for a state of the database with the same lead. Decisions say which leads they
//! change. Any other change of a workspace may change all of its leads, also by a list, a campaign or an
//! account, and begins a new epoch: elements of an older one are never used.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::Tenant;

/// Memory for all elements, in bytes. The least recently used ones are dropped.
const BUDGET: usize = 32 << 20;

/// Memory for an element besides its text, approximately.
const OVERHEAD: usize = 160;

/// Decided leads that are remembered per workspace. After more, a new epoch begins.
const REMEMBERED: usize = 50_000;

/// The JSON of a lead as a list element. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct EncodedLead(Arc<RawValue>);

impl From<Box<RawValue>> for EncodedLead {
    fn from(text: Box<RawValue>) -> Self {
        Self(text.into())
    }
}

impl Serialize for EncodedLead {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The elements of all workspaces. Clones share them.
#[derive(Clone)]
pub(super) struct LeadCache(Arc<Mutex<State>>);

struct State {
    /// By the row number of the lead.
    elements: LruCache<i64, Element>,
    bytes: usize,
    workspaces: HashMap<Tenant, Workspace>,
    epochs: u64,
}

struct Element {
    lead: EncodedLead,
    epoch: u64,
    /// The version of the workspace at which the lead was read.
    version: i64,
}

/// What is known about the versions of a workspace.
struct Workspace {
    /// Of no other workspace and no other time, also if a deleted workspace's number is used again.
    epoch: u64,
    /// From the first to the latest version of the epoch, all changes were decisions.
    first: i64,
    latest: i64,
    /// The version of the last decision on a lead.
    decided: HashMap<i64, i64>,
}

impl Workspace {
    /// Returns the epoch of a read, if the version that it sees is in it.
    fn epoch_of(&self, version: i64) -> Option<u64> {
        (self.first..=self.latest)
            .contains(&version)
            .then_some(self.epoch)
    }
}

impl LeadCache {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            elements: LruCache::unbounded(),
            bytes: 0,
            workspaces: HashMap::new(),
            epochs: 0,
        })))
    }

    /// Notes that a change leads to a version, with the row numbers of the leads if it is a decision. Must be
    /// called before that version can be read.
    pub(super) fn record(&self, tenant: Tenant, version: i64, decided: Option<&[i64]>) {
        let mut state = self.lock();
        if let (Some(leads), Some(workspace)) = (decided, state.workspaces.get_mut(&tenant))
            // A version comes twice if the first change was rolled back.
            && workspace.latest + 1 == version
            && workspace.decided.len() + leads.len() <= REMEMBERED
        {
            workspace.latest = version;
            let leads = leads.iter().map(|lead| (*lead, version));
            workspace.decided.extend(leads);
        } else {
            state.begin_epoch(tenant, version);
        }
    }

    /// Returns the elements of leads in the state of the database that a read sees.
    pub(super) fn get(
        &self,
        tenant: Tenant,
        version: i64,
        leads: &[i64],
    ) -> Vec<Option<EncodedLead>> {
        let mut state = self.lock();
        let State {
            elements,
            workspaces,
            ..
        } = &mut *state;
        let workspace = workspaces.get(&tenant);
        let Some((workspace, epoch)) =
            workspace.and_then(|workspace| Some((workspace, workspace.epoch_of(version)?)))
        else {
            return vec![None; leads.len()];
        };
        let found = leads.iter().map(|row| {
            let element = elements.get(row)?;
            let decided = workspace.decided.get(row).copied();
            let is_same = element.epoch == epoch
                && decided.is_none_or(|decided| decided <= version.min(element.version));
            is_same.then(|| element.lead.clone())
        });
        found.collect()
    }

    /// Keeps elements that a read has found.
    pub(super) fn put(
        &self,
        tenant: Tenant,
        version: i64,
        leads: impl Iterator<Item = (i64, EncodedLead)>,
    ) {
        let mut state = self.lock();
        if !state.workspaces.contains_key(&tenant) {
            // Nothing was changed since the start.
            state.begin_epoch(tenant, version);
        }
        let workspace = state.workspaces.get(&tenant);
        let Some(epoch) = workspace.and_then(|workspace| workspace.epoch_of(version)) else {
            return;
        };
        for (row, lead) in leads {
            let newer = |old: &Element| old.epoch == epoch && old.version > version;
            if state.elements.peek(&row).is_some_and(newer) {
                continue;
            }
            state.bytes += size(&lead);
            let element = Element {
                lead,
                epoch,
                version,
            };
            if let Some(old) = state.elements.put(row, element) {
                state.bytes -= size(&old.lead);
            }
        }
        while state.bytes > BUDGET
            && let Some((_, dropped)) = state.elements.pop_lru()
        {
            state.bytes -= size(&dropped.lead);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn begin_epoch(&mut self, tenant: Tenant, version: i64) {
        self.epochs += 1;
        let workspace = Workspace {
            epoch: self.epochs,
            first: version,
            latest: version,
            decided: HashMap::new(),
        };
        self.workspaces.insert(tenant, workspace);
    }
}

fn size(lead: &EncodedLead) -> usize {
    lead.0.get().len() + OVERHEAD
}

#[cfg(test)]
mod tests;
