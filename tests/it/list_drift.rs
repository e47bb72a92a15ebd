//! What others changed in a list since it was read.

use lead_workspace::app::model::decided_rows::DecidedRows;
use lead_workspace::app::model::list_drift::{ListDrift, PlaceOfPage, Placed};
use lead_workspace::app::model::page_cache::PageCache;

const SIZE: u32 = 3;

fn pages(pages: &[&[&str]]) -> PageCache<String> {
    let mut cache = PageCache::new(SIZE);
    for (page, rows) in pages.iter().enumerate() {
        cache.put(page as u64, owned(rows), 99);
    }
    cache
}

fn owned(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| (*row).to_owned()).collect()
}

/// Places the rows of the first page.
fn place(
    drift: &mut ListDrift,
    loaded: &[&[&str]],
    rows: &[&str],
    left: &[&str],
) -> (Vec<String>, Placed) {
    let place = PlaceOfPage {
        first_row: 0,
        size: SIZE,
        is_fresh: false,
    };
    let mut rows = owned(rows);
    let placed = drift.place(
        &pages(loaded),
        &mut DecidedRows::default(),
        &place,
        &mut rows,
        |row| row,
        |lead| left.contains(&lead),
    );
    (rows, placed)
}

#[test]
fn rows_that_have_left_stay_only_where_others_change_the_list() {
    let loaded: &[&[&str]] = &[&["a", "b", "c"]];
    let (rows, placed) = place(&mut ListDrift::default(), loaded, &["a", "c", "d"], &["b"]);
    assert_eq!((rows, placed), (owned(&["a", "c", "d"]), Placed::default()));

    let mut drift = ListDrift::default();
    drift.add(false, false);
    let (rows, placed) = place(&mut drift, loaded, &["a", "c", "d"], &["b"]);
    assert_eq!(rows, ["a", "b", "c"]);
    assert!(!placed.has_moved);
}

#[test]
fn a_page_with_rows_of_another_makes_positions_unknown() {
    let mut drift = ListDrift::default();
    drift.add(false, false);
    let loaded: &[&[&str]] = &[&["a", "b", "c"], &["d", "e", "f"]];
    assert!(!drift.loses(2, &pages(loaded)));
    let (_, placed) = place(&mut drift, loaded, &["b", "c", "d"], &[]);
    let expected = Placed {
        has_moved: true,
        repeated: vec![1],
    };
    assert_eq!(placed, expected);
    assert!(drift.loses(2, &pages(loaded)));
}

#[test]
fn a_grown_list_can_only_be_continued() {
    let mut drift = ListDrift::default();
    drift.add(true, false);
    let loaded = pages(&[&["a", "b", "c"], &["d", "e", "f"]]);
    assert!(!drift.loses(2, &loaded));
    assert!(drift.loses(0, &loaded), "a later page is loaded");
    assert!(drift.loses(3, &loaded), "a page before it is not loaded");
}

#[test]
fn pages_that_were_read_a_moment_before_an_event_may_be_misplaced() {
    let mut drift = ListDrift::default();
    drift.page_read(1, 1_000);
    drift.page_read(2, 4_000);
    drift.page_read(0, 8_000);
    drift.row_decided(0, 8_500);
    assert_eq!(drift.take_misplaced(|page| page != 2), (vec![], true));
    assert_eq!(drift.take_misplaced(|_| true), (vec![2], true));
    drift.row_decided(2, 8_500);
    let (misplaced, _) = drift.take_misplaced(|_| true);
    assert!(
        misplaced.is_empty(),
        "the pages before it stay where they are"
    );
    // While positions are unknown, they cannot be read alone.
    drift.add(true, false);
    drift.row_decided(1, 8_500);
    assert_eq!(drift.take_misplaced(|_| true), (vec![2], false));
}
