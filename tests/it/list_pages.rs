//! The pages of a long list that are at hand.

use lead_workspace::model::pages::{Pages, SIZE, Slice};
use proptest::prelude::*;

fn page(number: u64, total: u64) -> Vec<u64> {
    (number * SIZE..((number + 1) * SIZE).min(total)).collect()
}

fn filled(numbers: &[u64], total: u64) -> Pages<u64> {
    let mut pages = Pages::default();
    for number in numbers {
        pages.put(*number, page(*number, total), total);
    }
    pages
}

#[test]
fn what_is_seen_is_wanted_first_then_its_neighbours() {
    let pages = filled(&[2], 1000);
    assert_eq!(pages.wanted(&(120..140)), [3, 1]);
    assert_eq!(pages.wanted(&(140..160)), [3, 4, 1]);
    assert_eq!(pages.wanted(&(0..30)), [0, 1]);
    assert_eq!(pages.wanted(&(980..1000)), [19, 18]);
    assert!(Pages::<u64>::default().wanted(&(0..0)).is_empty());
}

#[test]
fn a_list_that_became_shorter_loses_its_end() {
    let mut pages = filled(&[0, 1, 2, 3], 200);
    pages.put(0, page(0, 60), 60);
    assert_eq!(pages.total(), 60);
    assert!(pages.has(1) && !pages.has(2) && !pages.has(3));
}

#[test]
fn the_cache_is_bounded_and_keeps_what_is_near() {
    let mut pages = Pages::default();
    for number in 0..500 {
        pages.put(number, page(number, 100_000), 100_000);
    }
    let kept = pages.rows().count() as u64;
    assert!(kept <= 60 * SIZE, "{kept}");
    assert!(pages.has(499) && !pages.has(0));
}

#[test]
fn a_page_whose_rows_left_is_asked_for_where_it_is_now() {
    assert_eq!(Slice::of(0, 0), Slice { page: 1, skip: 0 });
    assert_eq!(Slice::of(1, 0), Slice { page: 2, skip: 0 });
    assert_eq!(Slice::of(1, 10), Slice { page: 1, skip: 40 });
    assert_eq!(Slice::of(2, 50), Slice { page: 2, skip: 0 });
    assert_eq!(Slice::of(0, 10), Slice { page: 1, skip: 0 });
}

proptest! {
    /// A server's list from which some rows left: the rows of a page here are those that follow the
    /// rows before it, none twice and none left out.
    #[test]
    fn no_row_is_left_out_or_comes_twice(total in 1u64..600, gone in prop::collection::btree_set(0u64..200, 0..80), number in 0u64..6) {
        let before = number * SIZE;
        let gone: Vec<u64> = gone.into_iter().filter(|row| *row < before.min(total)).collect();
        let there: Vec<u64> = (0..total).filter(|row| !gone.contains(row)).collect();
        let slice = Slice::of(number, gone.len() as u64);
        let mut rows: Vec<u64> = there.iter().copied().skip((slice.page as usize - 1) * SIZE as usize).take(SIZE as usize).collect();
        rows.drain(..slice.skip.min(rows.len()));
        if slice.skip > 0 {
            rows.extend(there.iter().skip(slice.page as usize * SIZE as usize).take(slice.skip));
        }
        if before < total {
            prop_assert_eq!(rows, page(number, total));
        }
    }

    #[test]
    fn a_row_taken_out_moves_the_others_up(total in 1u64..400, at in 0u64..400) {
        let numbers: Vec<u64> = (0..total.div_ceil(SIZE)).collect();
        let mut pages = filled(&numbers, total);
        let taken = pages.remove(at);
        prop_assert_eq!(taken, (at < total).then_some(at));
        let rows: Vec<(u64, u64)> = pages.rows().map(|(index, row)| (index, *row)).collect();
        let expected: Vec<(u64, u64)> = (0..total).filter(|row| *row != at).enumerate().map(|(index, row)| (index as u64, row)).collect();
        prop_assert_eq!(rows, expected);
    }

    #[test]
    fn a_row_put_back_stands_where_it_stood(total in 1u64..400, at in 0u64..400) {
        let at = at.min(total - 1);
        let numbers: Vec<u64> = (0..total.div_ceil(SIZE)).collect();
        let mut pages = filled(&numbers, total);
        let row = pages.remove(at).unwrap();
        pages.insert(at, row);
        prop_assert_eq!(pages.total(), total);
        let rows: Vec<(u64, u64)> = pages.rows().map(|(index, row)| (index, *row)).collect();
        let expected: Vec<(u64, u64)> = (0..total).map(|row| (row, row)).collect();
        prop_assert_eq!(rows, expected);
    }
}
