//! Saved views.

use lead_workspace::app::model::saved_views::{MAX_NAME, MAX_VIEWS, SaveViewError, SavedViews};
use proptest::prelude::*;

fn names(saved: &SavedViews) -> Vec<&str> {
    saved
        .views()
        .iter()
        .map(|view| view.name.as_str())
        .collect()
}

#[test]
fn a_view_is_saved_renamed_and_removed() {
    let mut saved = SavedViews::default();
    saved.save(" Best fit ", "sort=icp_score").unwrap();
    saved.save("Fresh", "sort=created_at").unwrap();
    assert_eq!(names(&saved), ["Best fit", "Fresh"]);
    saved.save("Best fit", "tab=all").unwrap();
    assert_eq!(
        saved.views()[0].query,
        "tab=all",
        "the same name with the new view"
    );
    assert_eq!(saved.rename("Fresh", "Best fit"), Err(SaveViewError::Taken));
    saved.rename("Fresh", "Newest").unwrap();
    saved.rename("Newest", "Newest").unwrap();
    saved.remove("Best fit");
    assert_eq!(names(&saved), ["Newest"]);
    assert_eq!(saved.save("  ", ""), Err(SaveViewError::Blank));
}

#[test]
fn at_most_one_view_is_the_default() {
    let mut saved = SavedViews::default();
    for name in ["a", "b"] {
        saved.save(name, name).unwrap();
        saved.open_with(Some(name));
    }
    assert_eq!(saved.first().unwrap().name, "b");
    saved.rename("b", "c").unwrap();
    assert_eq!(
        SavedViews::parse(&saved.to_text()).first().unwrap().name,
        "c"
    );
    saved.open_with(None);
    assert_eq!(saved.first(), None);
}

#[test]
fn the_number_of_saved_views_is_limited() {
    let mut saved = SavedViews::default();
    for number in 0..MAX_VIEWS {
        saved.save(&number.to_string(), "").unwrap();
    }
    assert_eq!(saved.save("one more", ""), Err(SaveViewError::Full));
    saved.save("0", "still").unwrap();
    let long = "ä".repeat(MAX_NAME + 5);
    saved.rename("1", &long).unwrap();
    assert_eq!(saved.views()[1].name.chars().count(), MAX_NAME);
}

proptest! {
    #[test]
    fn saved_views_round_trip(views in prop::collection::vec((".{1,70}", ".{0,20}"), 0..8), first in 0..8usize) {
        let mut saved = SavedViews::default();
        for (name, query) in &views {
            let _ = saved.save(name, query);
        }
        let name = saved.views().get(first).map(|view| view.name.clone());
        saved.open_with(name.as_deref());
        prop_assert_eq!(SavedViews::parse(&saved.to_text()), saved);
    }

    #[test]
    fn any_text_is_read_without_an_error(text in ".{0,60}") {
        let saved = SavedViews::parse(&text);
        prop_assert_eq!(SavedViews::parse(&saved.to_text()), saved);
    }
}
