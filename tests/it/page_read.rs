//! A page is read from the pages of the server.

use lead_workspace::app::model::page_read::{PageOffset, PageRead};

const SIZE: u32 = 3;

fn offset(made: u64, departed: u64) -> PageOffset {
    PageOffset {
        made,
        departed,
        deleted: 0,
        deletions: 0,
    }
}

/// Reads a page of a list on the server. Returns its rows and the requested pages.
fn read(page: u64, departed: u64, list: &[u64], dropped: &[u64]) -> (Vec<u64>, Vec<u32>) {
    let mut read = PageRead::new(page, SIZE, offset(0, departed), false, true);
    let mut requested = Vec::new();
    while let Some(from) = read.next() {
        requested.push(from);
        let rows = list.chunks(SIZE as usize).nth(from as usize - 1);
        let total = Some(list.len() as u64);
        let rows = rows.unwrap_or_default().to_vec();
        read.take(rows, total, None, |row, _| dropped.contains(row));
    }
    (read.take_rows(), requested)
}

#[test]
fn rows_come_from_two_pages_of_the_server_if_rows_before_them_have_left() {
    let list = [2, 3, 4, 5, 6, 7, 8];
    assert_eq!(read(1, 0, &list, &[]), (vec![5, 6, 7], vec![2]));
    assert_eq!(read(1, 2, &list, &[]), (vec![3, 4, 5], vec![1, 2]));
    assert_eq!(read(1, 2, &list, &[4]), (vec![3, 5, 6], vec![1, 2]));
    // Those that it replaces do not move it.
    let fresh: PageRead<u64> = PageRead::new(1, SIZE, offset(0, 2), true, true);
    assert_eq!(fresh.next(), Some(2));
}

#[test]
fn pages_are_requested_until_none_is_missing_or_the_list_ends() {
    let list = [0, 1, 2, 3, 4, 5, 6];
    assert_eq!(read(0, 0, &list, &[0, 1, 2]), (vec![3, 4, 5], vec![1, 2]));
    assert_eq!(
        read(0, 0, &list, &[1, 3, 4, 5]),
        (vec![0, 2, 6], vec![1, 2, 3])
    );
    assert_eq!(read(1, 0, &list, &[5, 6]), (vec![3, 4], vec![2, 3]));
    // Without a total, an empty page ends it.
    let mut read = PageRead::new(0, SIZE, offset(0, 0), false, true);
    read.take(vec![0, 1, 2], None, Some(true), |row, index| {
        assert_eq!(*row, index);
        *row == 2
    });
    assert_eq!(read.next(), Some(2));
    read.take(vec![], None, Some(false), |_: &u64, _| false);
    assert_eq!(read.next(), None);
    assert_eq!(read.total(2, 0, 0), 2);
}

#[test]
fn a_page_is_read_again_if_a_decision_or_a_deletion_may_have_moved_it() {
    let second: PageRead<u64> = PageRead::new(1, SIZE, offset(4, 1), false, true);
    assert!(second.is_current(offset(4, 1)));
    let in_flight: PageRead<u64> = PageRead::new(1, SIZE, offset(4, 1), false, false);
    assert!(!in_flight.is_current(offset(4, 1)), "one was in flight");
    assert!(!second.is_current(offset(5, 1)), "one was made");
    assert!(!second.is_current(offset(4, 2)), "one was saved");
    let found = PageOffset {
        deleted: 1,
        ..offset(4, 1)
    };
    assert!(
        !second.is_current(found),
        "a deleted row was found before it"
    );
    let sent = PageOffset {
        deletions: 1,
        ..offset(4, 1)
    };
    assert!(!second.is_current(sent), "a lead was deleted");
    let first: PageRead<u64> = PageRead::new(0, SIZE, offset(4, 0), false, false);
    assert!(first.is_current(offset(5, 0)), "no row is before it");
    assert!(!first.is_current(sent), "a lead was deleted");
}

#[test]
fn decided_rows_count_and_deleted_ones_do_not() {
    let mut read = PageRead::new(1, SIZE, offset(0, 0), false, true);
    read.take(vec![3, 4, 5], Some(20), Some(true), |_, _| false);
    assert_eq!(read.total(3, 2, 1), 21);
    let mut unknown = PageRead::new(1, SIZE, offset(0, 0), false, true);
    unknown.take(vec![3, 4, 5], None, Some(true), |_, _| false);
    assert_eq!(unknown.total(3, 2, 1), 7, "at least one more");
}
