//! Rows that were decided since their list was read.

use lead_workspace::app::model::decided_rows::{DecidedRows, Presence, put_back};

fn rows(rows: &[(u64, &str)]) -> DecidedRows {
    let mut decided = DecidedRows::default();
    decided.add(rows.iter().map(|(index, lead)| (*index, (*lead).into())));
    decided
}

#[test]
fn rows_that_have_left_are_counted_once() {
    let mut decided = rows(&[(3, "c"), (1, "a")]);
    decided.add([(1, "a".into()), (7, "g".into())].into_iter());
    let all = |_: &str| true;
    assert_eq!(decided.count_departed(2, all), 1);
    assert_eq!(decided.count_departed(8, all), 3);
    assert_eq!(decided.count_departed(8, |lead| lead == "c"), 1);
}

#[test]
fn rows_move_and_are_forgotten() {
    let mut decided = rows(&[(1, "a"), (3, "c")]);
    decided.shift(2, -1);
    assert_eq!(decided.count_departed(3, |_| true), 2);
    decided.retain_listed(2..9, &[(4, "d".into())]);
    assert_eq!(decided.count_departed(9, |_| true), 1);
    decided.clear();
    assert!(decided.is_empty());
}

#[test]
fn rows_of_a_new_list_have_their_new_places() {
    let mut decided = rows(&[(1, "a"), (3, "c"), (5, "e")]);
    let read = [(0, "b"), (1, "c"), (2, "f")].map(|(index, lead)| (index, lead.into()));
    decided.list_read(read.into(), |lead| match lead {
        "f" => Presence::MayLeave,
        _ => Presence::Stays,
    });
    assert_eq!(decided.count_departed(9, |_| true), 2);
    assert_eq!(decided.count_departed(2, |lead| lead == "c"), 1);
}

#[test]
fn rows_that_have_left_are_put_back_where_they_were() {
    let mut rows = vec!["c", "d", "f"];
    put_back(
        &mut rows,
        vec![(8, "a"), (9, "d"), (10, "e"), (20, "z")],
        8,
        |one, other| one == other,
    );
    assert_eq!(rows, ["a", "c", "e", "d", "f", "z"]);
}
