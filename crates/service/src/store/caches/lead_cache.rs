//! List elements of leads as JSON: a lead that a page shows again is neither read nor encoded again.
//!
//! An element is used only for a state of the database with the same lead. Decisions and imports say which
//! leads they change. Any other change of a workspace may change all of its leads, also by a list, a campaign
//! or an account.

use std::sync::{Arc, Mutex};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::sized_cache::SizedCache;
use crate::lock::lock;
use crate::store::index_host::Changes;
use crate::store::tenant::Tenant;

/// Memory for all elements, in bytes.
const BUDGET: usize = 32 << 20;

/// Memory for an element besides its text, approximately.
const OVERHEAD: usize = 160;

/// The JSON of a lead as a list element. Clones share it.
#[derive(Clone, Debug)]
pub(in crate::store) struct EncodedLead(Arc<RawValue>);

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
pub(in crate::store) struct LeadCache {
    changes: Changes,
    elements: Arc<Mutex<Elements>>,
}

/// By the row number of the lead, as far as it fits.
type Elements = SizedCache<(Tenant, u32), Element>;

struct Element {
    lead: EncodedLead,
    /// A version of the workspace at which this is the lead.
    version: i64,
}

impl LeadCache {
    pub(in crate::store) fn new(changes: Changes) -> Self {
        Self {
            changes,
            elements: Arc::new(Mutex::new(SizedCache::of(BUDGET))),
        }
    }

    /// Returns the elements of leads in the state of the database that a read sees.
    pub(in crate::store) fn get(
        &self,
        tenant: Tenant,
        version: i64,
        leads: &[i64],
    ) -> Vec<Option<EncodedLead>> {
        let mut found = vec![None; leads.len()];
        let mut elements = lock(&self.elements);
        let (mut places, mut read) = (Vec::new(), Vec::new());
        for (place, row) in leads.iter().enumerate() {
            if let Ok(row) = u32::try_from(*row)
                && let Some(element) = elements.get(&(tenant, row))
            {
                places.push(place);
                read.push((row, element.version));
            }
        }
        let same = self.changes.same_leads(tenant, version, &read);
        for ((place, (row, _)), same) in places.into_iter().zip(read).zip(same) {
            if let Some(element) = elements.get(&(tenant, row)).filter(|_| same) {
                // So that the next read has fewer changes to look at.
                element.version = element.version.max(version);
                found[place] = Some(element.lead.clone());
            }
        }
        found
    }

    /// Keeps elements that a read has found.
    pub(in crate::store) fn put(
        &self,
        tenant: Tenant,
        version: i64,
        leads: impl Iterator<Item = (i64, EncodedLead)>,
    ) {
        let mut elements = lock(&self.elements);
        for (row, lead) in leads {
            let Ok(row) = u32::try_from(row) else {
                continue;
            };
            let key = (tenant, row);
            let is_newer = |old: &Element| old.version > version;
            if !elements.peek(&key).is_some_and(is_newer) {
                let bytes = lead.0.get().len() + OVERHEAD;
                elements.put(key, Element { lead, version }, bytes);
            }
        }
    }

    /// Forgets workspaces.
    pub(in crate::store) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        lock(&self.elements).retain(|(tenant, _)| is_kept(*tenant));
    }
}

#[cfg(test)]
mod tests;
