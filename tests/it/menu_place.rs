//! Where a menu opens.

use lead_workspace::app::model::menu_place::menu_place;

#[test]
fn a_menu_opens_at_the_pointer_and_stays_in_view() {
    assert_eq!(menu_place(100.0, 200.0, 800.0), 100.0);
    assert_eq!(menu_place(700.0, 200.0, 800.0), 592.0);
    assert_eq!(menu_place(0.0, 200.0, 800.0), 8.0);
    // A menu that is larger than the view begins at its edge.
    assert_eq!(menu_place(100.0, 900.0, 800.0), 8.0);
}
