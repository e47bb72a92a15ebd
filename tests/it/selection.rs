//! The cursor and the selection.

use std::sync::Arc;

use lead_workspace::review::selection::{Cursor, Move, SelectedValue, Selection};

fn at(index: u64) -> Cursor {
    Cursor {
        id: Some("a".into()),
        index,
        cell: 1,
        head: false,
    }
}

#[test]
fn the_cursor_stays_within_the_list() {
    assert_eq!(at(0).moved(Move::Rows(1), 3, 4).index, 1);
    assert_eq!(at(2).moved(Move::Rows(1), 3, 4).index, 2);
    assert_eq!(at(1).moved(Move::Rows(50), 3, 4).index, 2);
    assert_eq!(at(1).moved(Move::Last, 3, 4).index, 2);
    assert_eq!(at(9).moved(Move::First, 3, 4).index, 0);
    assert_eq!(
        at(9).moved(Move::Rows(1), 3, 4).index,
        2,
        "the list is shorter"
    );
}

#[test]
fn another_row_selects_another_lead() {
    assert_eq!(at(0).moved(Move::Rows(1), 3, 4).id, None);
    assert_eq!(at(0).moved(Move::Cells(1), 3, 4).id, Some("a".into()));
    assert_eq!(
        at(2).moved(Move::Rows(1), 3, 4).id,
        Some("a".into()),
        "it did not move"
    );
}

#[test]
fn the_cell_cursor_stops_at_both_ends() {
    assert_eq!(at(0).moved(Move::Cells(-3), 3, 4).cell, 0);
    assert_eq!(at(0).moved(Move::Cells(9), 3, 4).cell, 3);
    assert_eq!(at(0).moved(Move::RowStart, 3, 4).cell, 0);
    assert_eq!(at(0).moved(Move::RowEnd, 3, 4).cell, 3);
}

#[test]
fn the_header_is_above_the_first_row() {
    let head = at(0).moved(Move::Rows(-1), 3, 4);
    assert!(head.head);
    assert!(head.moved(Move::Rows(-1), 3, 4).head);
    assert!(head.moved(Move::Cells(1), 3, 4).head);
    let back = head.moved(Move::Rows(1), 3, 4);
    assert_eq!((back.head, back.index), (false, 0));
    assert!(!at(1).moved(Move::Rows(-1), 3, 4).head);
}

#[test]
fn selection_is_by_id() {
    let status = |status: &str| SelectedValue::Status(status.into());
    let mut ticks = Selection::default();
    ticks.toggle(&"a".into(), status("approved"));
    ticks.add([
        ("b".into(), status("rejected")),
        ("a".into(), status("approved")),
    ]);
    assert_eq!(ticks.len(), 2);
    assert_eq!(ticks.anchor(), Some(&"a".into()));
    ticks.toggle(&"a".into(), status("approved"));
    assert!(!ticks.has("a") && ticks.has("b"));
    ticks.clear();
    assert!(ticks.is_empty() && ticks.anchor().is_none());
}

#[test]
fn a_selected_row_keeps_its_data() {
    let mut ticks = Selection::default();
    ticks.add([("a".into(), SelectedValue::Points(None))]);
    ticks.update_value("a", SelectedValue::Points(Some(7.5)));
    ticks.update_value("b", SelectedValue::Points(Some(1.0)));
    let all: Vec<_> = ticks.ids().collect();
    assert_eq!(all, [(&"a".into(), &SelectedValue::Points(Some(7.5)))]);
}

#[test]
fn selected_rows_that_the_list_does_not_show_are_known() {
    let pending = SelectedValue::Status("pending_approval".into());
    let row = |id: &str| (Arc::from(id), pending.clone());
    let mut selection = Selection::default();
    let hidden = |selection: &Selection, loaded: &[&str], is_whole| {
        let hidden = selection.hidden(loaded.iter().copied(), is_whole);
        let ids: Vec<String> = hidden.ids.iter().map(ToString::to_string).collect();
        (ids.join(" "), hidden.view.map(|view| view.to_string()))
    };
    selection.set_view("all");
    selection.add([row("a"), row("b")]);
    // They may be on a page that is not loaded any more.
    assert_eq!(hidden(&selection, &["x"], false), (String::new(), None));
    // They left the list, for example because they were decided.
    assert_eq!(hidden(&selection, &["b"], true), ("a".into(), None));

    assert!(selection.set_view("industry=Retail"));
    assert!(!selection.set_view("industry=Retail"));
    selection.toggle(&"c".into(), pending.clone());
    let both = ("a b".into(), Some("all".into()));
    assert_eq!(hidden(&selection, &["c"], false), both);
    assert_eq!(hidden(&selection, &["c"], true), both);
    // A row that is in both views is shown.
    assert_eq!(hidden(&selection, &["a", "c"], false).0, "b");

    selection.set_view("all");
    let one = ("c".into(), Some("industry=Retail".into()));
    assert_eq!(hidden(&selection, &[], false), one);
    assert_eq!(selection.ids().count(), 3);
}

#[test]
fn a_range_grows_and_shrinks_from_its_anchor() {
    let row = |id: &str| (Arc::from(id), SelectedValue::Points(None));
    let selected = |selection: &Selection| -> String {
        let ids = selection.ids().map(|(id, _)| id.to_string());
        ids.collect::<Vec<_>>().join(" ")
    };
    let mut selection = Selection::default();
    selection.add([row("b"), row("z")]);
    selection.anchor_at(Some(&"a".into()));
    selection.select_range([row("a"), row("b"), row("c"), row("d")]);
    assert_eq!(selected(&selection), "a b c d z");
    selection.select_range([row("a")]);
    assert_eq!(selected(&selection), "a b z", "others stay as they were");

    // Another anchor keeps the range.
    selection.anchor_at(Some(&"x".into()));
    selection.select_range([row("x"), row("y")]);
    assert_eq!(selected(&selection), "a b x y z");
    selection.anchor_at(None);
    selection.select_range([row("c")]);
    assert_eq!(selected(&selection), "a b c x y z");
}
