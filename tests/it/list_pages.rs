//! The loaded pages of a long list.

use lead_workspace::app::model::page_cache::{
    DEFAULT_SIZE, PageCache, RowRange, SIZES, size_of, total,
};
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn without_a_total_the_rows_so_far_are_a_lower_bound() {
    assert_eq!(total(Some(70), 50, Some(true)), 70);
    assert_eq!(
        total(None, 50, Some(true)),
        51,
        "so that the next page is requested"
    );
    assert_eq!(total(None, 50, Some(false)), 50);
}

fn page(number: u64, size: u32, total: u64) -> Vec<u64> {
    let size = u64::from(size);
    (number * size..((number + 1) * size).min(total)).collect()
}

fn filled(numbers: impl IntoIterator<Item = u64>, size: u32, total: u64) -> PageCache<u64> {
    let mut pages = PageCache::new(size);
    for number in numbers {
        pages.put(number, page(number, size, total), total);
    }
    pages
}

fn whole(size: u32, total: u64) -> PageCache<u64> {
    filled(0..total.div_ceil(u64::from(size)), size, total)
}

#[test]
fn the_page_size_is_configurable() {
    assert_eq!(
        (size_of("25"), size_of("50"), size_of("100")),
        (25, 50, 100)
    );
    for odd in ["", "0", "10", "-25", "1000", "a"] {
        assert_eq!(size_of(odd), DEFAULT_SIZE, "{odd}");
    }
    assert_eq!(PageCache::<u64>::default().size(), DEFAULT_SIZE);
    let pages = filled([2], 25, 1000);
    assert_eq!((pages.page(74), pages.size()), (2, 25));
    assert!(pages.holds(50) && pages.holds(74) && !pages.holds(75));
    assert_eq!(pages.row(60), Some(&60));
    let requested = |pages: &PageCache<u64>, rows| (pages.missing(&rows), pages.neighbors(&rows));
    assert_eq!(requested(&pages, 60..110), (vec![3, 4], vec![5, 1]));
    assert_eq!(
        requested(&filled([0], 100, 1000), 60..110),
        (vec![1], vec![2])
    );
}

#[test]
fn visible_pages_load_before_their_neighbors() {
    let pages = filled([2], DEFAULT_SIZE, 1000);
    for (rows, missing, neighbors) in [
        (120..140, vec![], vec![3, 1]),
        (140..160, vec![3], vec![4, 1]),
        (0..30, vec![0], vec![1]),
        (980..1000, vec![19], vec![18]),
        (0..0, vec![], vec![]),
    ] {
        assert_eq!(pages.missing(&rows), missing, "{rows:?}");
        assert_eq!(pages.neighbors(&rows), neighbors, "{rows:?}");
    }
    assert!(PageCache::<u64>::default().missing(&(0..0)).is_empty());
}

#[test]
fn a_shorter_list_loses_its_end() {
    let mut pages = filled(0..4, DEFAULT_SIZE, 200);
    pages.put(0, page(0, DEFAULT_SIZE, 60), 60);
    assert_eq!(pages.total(), 60);
    assert!(pages.holds(50) && !pages.holds(100) && !pages.holds(150));
}

#[test]
fn the_cache_is_bounded_and_keeps_nearby_pages() {
    for size in SIZES {
        let pages = filled(0..500, size, 100_000);
        let kept = pages.rows().count();
        assert!((2_900..=3_000).contains(&kept), "{kept}");
        assert!(pages.holds(500 * u64::from(size) - 1) && !pages.holds(0));
    }
}

#[test]
fn a_page_range_accounts_for_removed_rows() {
    assert_eq!(RowRange::new(0, 50, 0, 0), RowRange { page: 1, skip: 0 });
    assert_eq!(RowRange::new(1, 50, 0, 0), RowRange { page: 2, skip: 0 });
    assert_eq!(RowRange::new(1, 50, 10, 0), RowRange { page: 1, skip: 40 });
    assert_eq!(RowRange::new(2, 50, 50, 0), RowRange { page: 2, skip: 0 });
    assert_eq!(RowRange::new(0, 50, 10, 0), RowRange { page: 1, skip: 0 });
    assert_eq!(RowRange::new(2, 25, 10, 0), RowRange { page: 2, skip: 15 });
}

proptest! {
    /// For a server list that lost some rows: a page holds exactly the rows that follow the previous page's, with no
    /// duplicates and no gaps.
    #[test]
    fn no_row_is_missing_or_repeated(size in select(&SIZES[..]), total in 1u64..600, gone in prop::collection::btree_set(0u64..200, 0..80), number in 0u64..6) {
        let before = number * u64::from(size);
        let gone: Vec<u64> = gone.into_iter().filter(|row| *row < before.min(total)).collect();
        let there: Vec<u64> = (0..total).filter(|row| !gone.contains(row)).collect();
        let range = RowRange::new(number, size, gone.len() as u64, 0);
        let (rows_of, first) = (size as usize, (range.page - 1) * size);
        let mut rows: Vec<u64> = there.iter().copied().skip(first as usize).take(rows_of).collect();
        rows.drain(..range.skip.min(rows.len()));
        if range.skip > 0 {
            rows.extend(there.iter().skip(range.page as usize * rows_of).take(range.skip));
        }
        if before < total {
            prop_assert_eq!(rows, page(number, size, total));
        }
    }

    #[test]
    fn removing_a_row_moves_the_others_up(size in select(&SIZES[..]), total in 1u64..400, at in 0u64..400) {
        let mut pages = whole(size, total);
        let taken = pages.remove(at);
        prop_assert_eq!(taken, (at < total).then_some(at));
        let rows: Vec<(u64, u64)> = pages.rows().map(|(index, row)| (index, *row)).collect();
        let expected: Vec<(u64, u64)> = (0..total).filter(|row| *row != at).enumerate().map(|(index, row)| (index as u64, row)).collect();
        prop_assert_eq!(rows, expected);
    }

    #[test]
    fn a_restored_row_returns_to_its_position(size in select(&SIZES[..]), total in 1u64..400, at in 0u64..400) {
        let at = at.min(total - 1);
        let mut pages = whole(size, total);
        let row = pages.remove(at).unwrap();
        pages.insert(at, row);
        prop_assert_eq!(pages.total(), total);
        let rows: Vec<(u64, u64)> = pages.rows().map(|(index, row)| (index, *row)).collect();
        let expected: Vec<(u64, u64)> = (0..total).map(|row| (row, row)).collect();
        prop_assert_eq!(rows, expected);
    }
}

#[test]
fn expired_pages_are_shown_and_read_again() {
    let mut pages = filled(0..4, 25, 1000);
    pages.expire(|page| page == 1);
    pages.expire(|page| page == 3);
    assert_eq!(pages.missing(&(0..100)), [1, 3]);
    assert_eq!(pages.row(30), Some(&30));
    pages.put(1, page(1, 25, 1000), 1000);
    assert_eq!(pages.missing(&(0..100)), [3]);
}

#[test]
fn a_grown_list_is_appended_only_at_the_end_of_what_is_loaded() {
    let pages = filled(0..3, 25, 1000);
    assert!(pages.is_loaded_from_top());
    let can = |pages: &PageCache<u64>| (0..5).filter(|page| pages.can_append(*page)).collect();
    let appended: Vec<u64> = can(&pages);
    assert_eq!(appended, [2, 3], "the last page again, or the next one");
    let pages = filled([0, 2], 25, 1000);
    assert!(!pages.is_loaded_from_top());
    let appended: Vec<u64> = can(&pages);
    assert!(appended.is_empty());
}

#[test]
fn repeated_rows_are_found() {
    let mut pages: PageCache<String> = PageCache::new(2);
    let row = |id: &str| id.to_owned();
    pages.put(0, vec![row("a"), row("b")], 6);
    pages.put(2, vec![row("b"), row("c")], 6);
    assert_eq!(pages.repeated(|id| id), [2]);
}
