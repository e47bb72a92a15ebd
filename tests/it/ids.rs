//! Sorted sets of ids.

use std::sync::Arc;

use lead_workspace::review::sorted_ids::{SortedIds, in_order};

#[test]
fn only_contained_ids_are_found() {
    let ids = SortedIds::new(["c", "a", "b", "a"].map(Arc::from));
    assert!(["a", "b", "c"].iter().all(|id| ids.has(id)));
    assert!(["", "ab", "d"].iter().all(|id| !ids.has(id)));
    assert!(!SortedIds::new([]).has(""));
}

#[test]
fn items_are_sorted_by_id_and_duplicates_keep_list_order() {
    let items = [("c", 1), ("a", 2), ("b", 3), ("a", 4)].map(|(id, of)| (Arc::<str>::from(id), of));
    let order: Vec<u32> = in_order(&items, |(id, _)| id)
        .into_iter()
        .map(|(_, of)| of)
        .collect();
    assert_eq!(order, [2, 4, 3, 1]);
}
