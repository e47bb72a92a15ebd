//! Which facets are unfolded, kept for the next visit.

use leptos::prelude::*;
use web_sys::Storage;

use crate::model::filters::Facet;

/// Where it is kept.
const SLOT: &str = "lead-workspace.facets";

/// The facets that were unfolded at the last visit, else those that are to begin with.
pub fn open() -> Vec<Facet> {
    let all = || Facet::ALL.iter().copied();
    match storage().and_then(|storage| storage.get_item(SLOT).ok().flatten()) {
        Some(kept) => kept.split(' ').filter_map(Facet::of).collect(),
        None => all().filter(|facet| facet.begins_open()).collect(),
    }
}

/// Keeps which facets are unfolded.
pub fn keep(open: &[Facet]) {
    let keys: Vec<&str> = open.iter().map(|facet| facet.key()).collect();
    if let Some(storage) = storage() {
        // Without room in it, the next visit begins as the first one.
        let _ = storage.set_item(SLOT, &keys.join(" "));
    }
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}
