//! Which facets are expanded, now and at the next visit.

use super::Facets;
use crate::app::model::filters::Facet;
use crate::platform::storage;

const SLOT: &str = "lead-workspace.facets";

/// Returns the facets that were expanded at the last visit, or else the default ones.
pub fn read() -> Vec<Facet> {
    let all = || Facet::ALL.iter().copied();
    match storage::local().and_then(|storage| storage.get_item(SLOT).ok().flatten()) {
        Some(stored) => stored.split(' ').filter_map(Facet::parse).collect(),
        None => all().filter(|facet| facet.begins_open()).collect(),
    }
}

/// Stores the expanded facets, but for those of custom fields, which are not those of the next workspace.
pub fn write(expanded: &[Facet]) {
    let known = expanded.iter().filter(|facet| Facet::ALL.contains(facet));
    let keys: Vec<&str> = known.map(|facet| facet.key()).collect();
    if let Some(storage) = storage::local() {
        // If the storage is full, the change is lost at the next visit.
        let _ = storage.set_item(SLOT, &keys.join(" "));
    }
}

impl Facets {
    /// Expands or collapses a facet.
    pub fn expand(self, facet: Facet, open: bool) {
        if self.expanded.with_untracked(|all| all.contains(&facet)) == open {
            return;
        }
        self.expanded.update(|all| {
            all.retain(|one| *one != facet);
            if open {
                all.push(facet);
            }
        });
        if !self.session.is_embedded() {
            write(&self.expanded.get_untracked());
        }
        let is_known = self
            .values(facet)
            .is_some_and(|found| found.error.is_none());
        if open && !is_known {
            self.request_values_first(facet);
        }
    }

    /// Collapses the facets of custom fields, so that they are not counted. Returns whether one was expanded.
    pub fn collapse_custom(self) -> bool {
        let collapse = |all: &mut Vec<Facet>| {
            let before = all.len();
            all.retain(|facet| !matches!(facet, Facet::Custom(_)));
            (all.len() < before, all.len() < before)
        };
        self.expanded.try_maybe_update(collapse) == Some(true)
    }
}
