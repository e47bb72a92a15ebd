//! Which pages are offered.

use lead_workspace::components::pager::offered;
use proptest::prelude::*;

#[test]
fn gaps_are_marked_and_small_gaps_are_filled() {
    assert_eq!(offered(1, 1), [1]);
    assert_eq!(offered(1, 3), [1, 2, 3]);
    assert_eq!(offered(1, 58), [1, 2, 0, 58]);
    assert_eq!(offered(4, 58), [1, 2, 3, 4, 5, 0, 58]);
    assert_eq!(offered(30, 58), [1, 0, 29, 30, 31, 0, 58]);
    assert_eq!(offered(999, 58), [1, 0, 58]);
}

proptest! {
    #[test]
    fn first_last_and_current_are_always_there(page in 1u32.., pages in 1u32..) {
        let offered = offered(page, pages);
        prop_assert!(offered.len() <= 9);
        prop_assert_eq!(offered[0], 1);
        prop_assert_eq!(offered.last(), Some(&pages));
        prop_assert_eq!(offered.contains(&page), page <= pages);
    }
}
