//! Ids in order, without the sorts of the standard library: each kind of list would bring one of its own, 20 kB of code
//! on the first page before compression.

use std::collections::BinaryHeap;
use std::sync::Arc;

/// Ids that are looked up, but not changed.
pub struct Ids(Vec<(Arc<str>, usize)>);

impl Ids {
    /// Some ids.
    pub fn of(ids: impl IntoIterator<Item = Arc<str>>) -> Self {
        Self(sorted(&mut ids.into_iter()))
    }

    /// Whether an id is among them.
    pub fn has(&self, id: &str) -> bool {
        let found = self.0.binary_search_by(|(known, _)| (**known).cmp(id));
        found.is_ok()
    }
}

/// Brings items into the order of their ids.
pub fn in_order<T: Clone>(items: &[T], id: impl Fn(&T) -> &Arc<str>) -> Vec<T> {
    let places = sorted(&mut items.iter().map(|item| Arc::clone(id(item))));
    let found = places.into_iter().filter_map(|(_, at)| items.get(at));
    found.cloned().collect()
}

/// Each id with its place in the list that it comes from.
fn sorted(ids: &mut dyn Iterator<Item = Arc<str>>) -> Vec<(Arc<str>, usize)> {
    let mut heap = BinaryHeap::new();
    for (at, id) in ids.enumerate() {
        heap.push((id, at));
    }
    heap.into_sorted_vec()
}
