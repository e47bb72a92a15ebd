//! The columns of a grid in a room that is too narrow for all.

use lead_workspace::app::model::columns::{ACCOUNT_COLUMN_SET, Columns, LEAD_COLUMN_SET};

use super::columns::{ids, leads};

#[test]
fn columns_become_narrower_before_any_is_hidden() {
    let all = leads("");
    let fits = |room, beside| all.clone().fitting(room, "icp_score", beside);
    assert_eq!(fits(1_200, false), all);
    let narrow = fits(1_199, false);
    assert_eq!(ids(&narrow), ids(&all));
    assert!(narrow.is_compact() && !all.is_compact());
    assert_eq!(
        narrow.tracks().1,
        32 + 18 + 52 + 158 + 196 + 130 + 140 + 168 + 6 * 12
    );
    assert_eq!(ids(&fits(966, false)), ids(&all), "all columns at 1024 px");
    // Beside the details at 1440 px, which show the signal and have the buttons.
    let beside = fits(780, true);
    assert_eq!(
        ids(&beside),
        ["fit", "name", "title", "company", "approval_status"]
    );
    assert!(beside.tracks().0.ends_with(" 96px"), "no buttons");
    assert!(beside.tracks().1 <= 780);
}

#[test]
fn no_column_appears_while_the_edge_of_another_is_dragged() {
    let fitted = Columns::initial(LEAD_COLUMN_SET).fitting(300, "icp_score", true);
    let dragged = fitted.dragged("name", 240);
    assert_eq!(ids(&dragged), ids(&fitted));
    assert!(ids(&dragged.sized("name", Some(240))).len() > ids(&fitted).len());
}

#[test]
fn only_columns_without_user_settings_are_changed_to_fit() {
    let all = leads("");
    let few = all.clone().fitting(700, "icp_score", false);
    assert_eq!(ids(&few), ["fit", "name", "title", "approval_status"]);
    assert!(few.tracks().1 <= 700);
    assert_eq!(few.slots().len(), 5, "the checkbox and the columns");
    assert_eq!(
        ids(&all.fitting(10, "icp_score", false)),
        ids(&few),
        "the others are required"
    );

    let arranged = leads("name.-title");
    assert_eq!(arranged.clone().fitting(100, "name", false), arranged);
    // The user did not hide these columns: they return with the next change and are never stored as hidden.
    let changed = few.sized("name", Some(200));
    assert_eq!(ids(&changed).len(), 6);
    assert!(!changed.is_compact());
    assert!(!changed.to_text().contains("-company"));
}

#[test]
fn the_sorted_column_stays() {
    let narrow = leads("").fitting(565, "company", true);
    assert_eq!(ids(&narrow), ["fit", "name", "company", "approval_status"]);
    let accounts = Columns::initial(ACCOUNT_COLUMN_SET).fitting(10, "location", true);
    assert!(ids(&accounts).contains(&"location"), "{accounts:?}");
    assert!(!ids(&accounts).contains(&"industry"), "{accounts:?}");
}

#[test]
fn name_title_score_and_status_stay_beside_the_details() {
    // The room at 1024 px.
    let tight = leads("").fitting(565, "icp_score", true);
    assert_eq!(ids(&tight), ["fit", "name", "title", "approval_status"]);
    assert!(tight.tracks().1 <= 565, "{:?}", tight.tracks());
    let arranged = leads("title.name").fitting(400, "icp_score", true);
    assert_eq!(ids(&arranged).len(), 6, "all columns");
}
