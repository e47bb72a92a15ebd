//! Lists that are shown again from what was read before.

use lead_workspace::app::model::page_cache::PageCache;
use lead_workspace::app::model::recent_lists::RecentLists;

/// A list of the numbers from 0, with some of its pages loaded.
fn list(loaded: impl IntoIterator<Item = u64>, total: u64) -> PageCache<u64> {
    let mut pages = PageCache::new(50);
    for page in loaded {
        let rows = (page * 50..(page * 50 + 50).min(total)).collect();
        pages.put(page, rows, total);
    }
    pages
}

fn rows(pages: &PageCache<u64>) -> Vec<u64> {
    pages.rows().map(|(_, row)| *row).collect()
}

fn none_gone(_: &u64) -> bool {
    false
}

#[test]
fn the_first_rows_are_shown_again_and_read_again() {
    let mut recent = RecentLists::default();
    recent.put("name".into(), &list([0, 1, 2, 3, 4, 9], 1000));
    assert!(recent.take("score", 50, none_gone).is_none());
    let mut pages = recent.take("name", 50, none_gone).unwrap();
    assert_eq!(pages.total(), 1000);
    assert_eq!(
        pages.rows().map(|(index, _)| index).max(),
        Some(199),
        "not more than 200 rows"
    );
    assert_eq!(pages.row(120), Some(&120));
    assert!(recent.take("name", 50, none_gone).is_none(), "taken");

    // All are read again, those in view first.
    let requested = |pages: &PageCache<u64>| (pages.missing(&(0..20)), pages.neighbors(&(0..20)));
    assert_eq!(requested(&pages), (vec![0], vec![1]));
    pages.put(0, (1000..1050).collect(), 999);
    assert_eq!((pages.row(20), pages.row(70)), (Some(&1020), Some(&70)));
    assert_eq!(pages.total(), 999);
    assert_eq!(requested(&pages), (vec![], vec![1]));
    pages.put(1, (1050..1100).collect(), 999);
    assert_eq!(requested(&pages), (vec![], vec![]));
}

#[test]
fn rows_that_left_the_list_are_not_shown_again() {
    let mut recent = RecentLists::default();
    recent.put("name".into(), &list([0, 1, 2], 1000));
    let gone = |row: &u64| [3, 60].contains(row);
    let pages = recent.take("name", 50, gone).unwrap();
    assert_eq!(pages.total(), 998);
    assert_eq!(
        [0, 3, 49, 58, 59].map(|index| pages.row(index).copied()),
        [0, 4, 50, 59, 61].map(Some)
    );
    assert_eq!(rows(&pages).len(), 100, "the last page lacks two rows");

    // Of a single page, no row may be missing.
    recent.put("name".into(), &list([0], 1000));
    assert!(recent.take("name", 50, gone).is_none());
    recent.put("name".into(), &list([0], 8));
    let pages = recent.take("name", 50, gone).unwrap();
    assert_eq!(rows(&pages), [0, 1, 2, 4, 5, 6, 7]);
}

#[test]
fn lists_without_their_first_page_or_in_another_size_are_not_shown() {
    let mut recent = RecentLists::default();
    recent.put("far".into(), &list([7, 8], 1000));
    assert!(recent.take("far", 50, none_gone).is_none());
    recent.put("name".into(), &list([0, 1], 1000));
    assert!(recent.take("name", 100, none_gone).is_none());
    // Only rows without a gap before them.
    recent.put("name".into(), &list([0, 2], 1000));
    assert_eq!(
        rows(&recent.take("name", 50, none_gone).unwrap()),
        (0..50).collect::<Vec<_>>()
    );
    // An empty list is one.
    recent.put("none".into(), &list([0], 0));
    assert_eq!(recent.take("none", 50, none_gone).unwrap().total(), 0);
}

#[test]
fn the_oldest_list_is_dropped_first() {
    let mut recent = RecentLists::default();
    for name in 0..8 {
        recent.put(name.to_string(), &list([0], 50));
    }
    recent.put("0".into(), &list([0], 7));
    recent.put("8".into(), &list([0], 50));
    assert!(recent.take("1", 50, none_gone).is_none());
    assert_eq!(recent.take("0", 50, none_gone).unwrap().total(), 7);
    for name in 2..9 {
        let list = recent.take(&name.to_string(), 50, none_gone);
        assert!(list.is_some(), "{name}");
    }
}

#[test]
fn lists_can_be_dropped_by_their_query() {
    let mut recent = RecentLists::default();
    for query in ["pending?", "pending?sort=name", "all?"] {
        recent.put(query.into(), &list([0], 50));
    }
    recent.keep(|query| query.starts_with("pending"));
    assert!(recent.take("all?", 50, none_gone).is_none());
    assert!(recent.take("pending?sort=name", 50, none_gone).is_some());
    recent.keep(|_| false);
    assert!(recent.take("pending?", 50, none_gone).is_none());
}

#[test]
fn a_row_that_did_not_change_stays_the_same_value() {
    use std::sync::Arc;
    let mut pages = PageCache::new(25);
    let read = |texts: [&str; 3]| texts.map(Arc::<str>::from).to_vec();
    let first = read(["a", "b", "c"]);
    pages.put(0, first.clone(), 3);
    pages.put(0, read(["a", "B", "c"]), 3);
    let is_same = |at: u64| Arc::ptr_eq(pages.row(at).unwrap(), &first[at as usize]);
    assert_eq!([0, 1, 2].map(is_same), [true, false, true]);
    assert_eq!(&**pages.row(1).unwrap(), "B");
}
