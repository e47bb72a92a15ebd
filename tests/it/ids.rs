//! Sorted sets of ids.

use std::sync::Arc;

use lead_workspace::model::ids::{Ids, in_order};

#[test]
fn those_that_are_in_it_are_found_and_no_others() {
    let ids = Ids::of(["c", "a", "b", "a"].map(Arc::from));
    assert!(["a", "b", "c"].iter().all(|id| ids.has(id)));
    assert!(["", "ab", "d"].iter().all(|id| !ids.has(id)));
    assert!(!Ids::of([]).has(""));
}

#[test]
fn items_stand_in_the_order_of_their_ids_and_the_same_id_in_that_of_the_list() {
    let items = [("c", 1), ("a", 2), ("b", 3), ("a", 4)].map(|(id, of)| (Arc::<str>::from(id), of));
    let order: Vec<u32> = in_order(&items, |(id, _)| id)
        .into_iter()
        .map(|(_, of)| of)
        .collect();
    assert_eq!(order, [2, 4, 3, 1]);
}
