//! What others changed in a list since it was read.

use lead_workspace::app::model::decided_rows::{DecidedRows, Presence};
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
        |lead| match left.contains(&lead) {
            true => Presence::HasLeft,
            false => Presence::Stays,
        },
    );
    (rows, placed)
}

/// A list is read while a decision on one of its rows is in flight, which then leaves it.
#[test]
fn rows_with_unsaved_decisions_count_once_they_have_left() {
    for is_fresh in [true, false] {
        let (mut drift, mut decided) = (ListDrift::default(), DecidedRows::default());
        let place = PlaceOfPage {
            first_row: 0,
            size: SIZE,
            is_fresh,
        };
        let mut rows = owned(&["a", "b", "c"]);
        let loaded = pages(&[]);
        let placed = drift.place(
            &loaded,
            &mut decided,
            &place,
            &mut rows,
            |row| row,
            |lead| match lead {
                "b" => Presence::MayLeave,
                _ => Presence::Stays,
            },
        );
        assert_eq!(placed, Placed::default());
        assert_eq!(decided.count_departed(3, |lead| lead == "b"), 1);
    }
}

#[test]
fn rows_that_have_left_stay_only_where_others_change_the_list() {
    let loaded: &[&[&str]] = &[&["a", "b", "c"]];
    let (rows, placed) = place(&mut ListDrift::default(), loaded, &["a", "c", "d"], &["b"]);
    assert_eq!((rows, placed), (owned(&["a", "c", "d"]), Placed::default()));

    let mut drift = ListDrift::default();
    add(&mut drift, false);
    let (rows, placed) = place(&mut drift, loaded, &["a", "c", "d"], &["b"]);
    assert_eq!(rows, ["a", "b", "c"]);
    assert!(!placed.has_moved);
}

#[test]
fn a_page_with_rows_of_another_makes_positions_unknown() {
    let mut drift = ListDrift::default();
    add(&mut drift, false);
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
    add(&mut drift, true);
    let loaded = pages(&[&["a", "b", "c"], &["d", "e", "f"]]);
    assert!(!drift.loses(2, &loaded));
    assert!(drift.loses(0, &loaded), "a later page is loaded");
    assert!(drift.loses(3, &loaded), "a page before it is not loaded");
}

/// Others changed a list without loaded rows.
fn add(drift: &mut ListDrift, has_grown: bool) {
    assert!(!drift.add(has_grown, false, &mut pages(&[]), |row| row));
}

const THREE_PAGES: &[&[&str]] = &[&["a", "b", "c"], &["d", "e", "f"], &["g", "h", "i"]];

/// Returns the pages that are requested when all rows are in view.
fn missing(pages: &PageCache<String>) -> Vec<u64> {
    pages.missing(&(0..9))
}

#[test]
fn pages_that_were_read_a_moment_before_an_event_may_be_misplaced() {
    let (mut drift, mut loaded) = (ListDrift::default(), pages(THREE_PAGES));
    drift.page_read(1, 1_000);
    drift.page_read(2, 4_000);
    drift.page_read(0, 8_000);
    // What is in view is read again after a while.
    assert!(drift.rows_decided(0, 8_500, &mut loaded, |page| page == 2));
    assert!(missing(&loaded).is_empty());
    assert!(drift.expire_misplaced(&mut loaded));
    assert_eq!(missing(&loaded), [2]);
    assert!(!drift.expire_misplaced(&mut loaded));
    // The pages before a row stay where they are.
    let mut loaded = pages(THREE_PAGES);
    assert!(!drift.rows_decided(6, 8_500, &mut loaded, |_| true));
    // What is out of view is outdated.
    assert!(!drift.rows_decided(3, 8_500, &mut loaded, |_| false));
    assert_eq!(missing(&loaded), [2]);
    assert!(loaded.holds(6), "its rows are shown until then");
}

#[test]
fn while_positions_are_unknown_misplaced_pages_are_dropped_unless_they_are_in_view() {
    let (mut drift, mut loaded) = (ListDrift::default(), pages(THREE_PAGES));
    add(&mut drift, true);
    drift.page_read(1, 1_000);
    drift.page_read(2, 1_000);
    assert!(drift.rows_decided(0, 1_500, &mut loaded, |page| page == 1));
    assert!(!drift.expire_misplaced(&mut loaded));
    assert!(loaded.holds(3) && !loaded.holds(6));
    assert_eq!(missing(&loaded), [2]);
}

#[test]
fn pages_that_repeat_rows_of_a_grown_list_are_outdated() {
    let (mut drift, mut loaded) = (
        ListDrift::default(),
        pages(&[&["a", "b", "c"], &["c", "d", "e"]]),
    );
    assert!(!drift.add(false, false, &mut loaded, |row| row));
    assert!(drift.add(true, false, &mut loaded, |row| row));
    assert_eq!(loaded.missing(&(0..6)), [1]);
    let before = |is_fresh| drift.rows_before(3, is_fresh, &loaded, |row| row);
    assert!(before(false).has("c") && !before(false).has("d"));
    assert!(!before(true).has("c"), "all rows are read anew");
}

#[test]
fn a_page_that_has_moved_outdates_the_later_ones() {
    let place = PlaceOfPage {
        first_row: 3,
        size: SIZE,
        is_fresh: false,
    };
    let expired = |placed: Placed| {
        let mut loaded = pages(THREE_PAGES);
        placed.expire(&place, &mut loaded);
        missing(&loaded)
    };
    let placed = |has_moved, repeated: &[u64]| Placed {
        has_moved,
        repeated: repeated.to_vec(),
    };
    assert!(expired(placed(false, &[])).is_empty());
    assert_eq!(expired(placed(true, &[])), [2]);
    assert_eq!(expired(placed(false, &[0])), [0]);
}
