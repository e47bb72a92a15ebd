//! Sorted ids without the sorts of the standard library. Each list type would add its own instance,
//! 20 kB of code on the first page before compression.

use std::collections::BinaryHeap;
use std::sync::Arc;

/// SortedIds for lookups; they do not change.
#[derive(Default)]
pub struct SortedIds(Vec<(Arc<str>, usize)>);

impl SortedIds {
    pub fn new(ids: impl IntoIterator<Item = Arc<str>>) -> Self {
        Self(sorted(&mut ids.into_iter()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, id: &str) -> bool {
        let found = self.0.binary_search_by(|(known, _)| (**known).cmp(id));
        found.is_ok()
    }
}

/// Returns the items sorted by id.
pub fn in_order<T: Clone>(items: &[T], id: impl Fn(&T) -> &Arc<str>) -> Vec<T> {
    let places = sorted(&mut items.iter().map(|item| Arc::clone(id(item))));
    let found = places.into_iter().filter_map(|(_, at)| items.get(at));
    found.cloned().collect()
}

/// Returns the sorted ids, each with its original index.
fn sorted(ids: &mut dyn Iterator<Item = Arc<str>>) -> Vec<(Arc<str>, usize)> {
    let mut heap = BinaryHeap::new();
    for (at, id) in ids.enumerate() {
        heap.push((id, at));
    }
    heap.into_sorted_vec()
}
