//! Stores which facets are expanded.

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
