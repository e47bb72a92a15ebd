//! Pagination: every row once, drift is reported, and no endless loops.

use std::collections::HashSet;

use lead_workspace::client::paginate::{AcceptedPage, Drift, Paginator};
use lead_workspace_api::{LeadListItem, Page, Row};
use proptest::prelude::*;

fn page(ids: &[u32], total: u64, has_more: Option<bool>) -> Page<LeadListItem> {
    let row = |id: &u32| LeadListItem {
        lead_id: Some(id.to_string().into()),
        ..LeadListItem::default()
    };
    Page {
        data: ids.iter().map(row).collect(),
        total: Some(total),
        has_more,
        page_size: Some(2),
        ..Page::default()
    }
}

fn ids(step: &AcceptedPage<LeadListItem>) -> Vec<&str> {
    step.rows.iter().filter_map(Row::row_id).collect()
}

#[test]
fn pages_are_read_in_order_until_the_last() {
    let mut walk = Paginator::new(1, 2, None);
    assert_eq!(walk.next_page(), Some(1));
    assert_eq!(
        ids(&walk.accept(page(&[1, 2], 3, Some(true)), Row::row_id)),
        ["1", "2"]
    );
    assert_eq!(walk.next_page(), Some(2));
    let last = walk.accept(page(&[3], 3, Some(false)), Row::row_id);
    assert_eq!((ids(&last), last.drift.len()), (vec!["3"], 0));
    assert_eq!(walk.next_page(), None);
}

#[test]
fn without_has_more_a_short_page_is_the_last() {
    let mut walk = Paginator::new(1, 2, None);
    walk.accept(page(&[1, 2], 3, None), Row::row_id);
    assert_eq!(walk.next_page(), Some(2));
    walk.accept(page(&[3], 3, None), Row::row_id);
    assert_eq!(walk.next_page(), None);
}

#[test]
fn a_row_that_moved_to_the_next_page_is_returned_once() {
    let mut walk = Paginator::new(1, 2, None);
    walk.accept(page(&[1, 2], 4, Some(true)), Row::row_id);
    let step = walk.accept(page(&[2, 3], 5, Some(true)), Row::row_id);
    assert_eq!(ids(&step), ["3"]);
    assert_eq!(
        step.drift,
        [
            Drift::Total { before: 4, now: 5 },
            Drift::Repeated {
                ids: vec!["2".into()]
            }
        ]
    );
}

#[test]
fn pagination_ends_when_the_server_ignores_the_page() {
    let mut walk = Paginator::new(1, 2, None);
    walk.accept(page(&[1, 2], 9, Some(true)), Row::row_id);
    let step = walk.accept(page(&[1, 2], 9, Some(true)), Row::row_id);
    assert!(step.drift.contains(&Drift::Stuck { page: 2 }));
    assert_eq!(walk.next_page(), None);

    let mut walk = Paginator::new(1, 2, None);
    walk.accept(page(&[], 9, Some(true)), Row::row_id);
    assert_eq!(walk.next_page(), None);
}

#[test]
fn at_most_the_wanted_rows_are_returned() {
    let mut walk = Paginator::new(1, 2, Some(3));
    walk.accept(page(&[1, 2], 9, Some(true)), Row::row_id);
    assert_eq!(
        ids(&walk.accept(page(&[3, 4], 9, Some(true)), Row::row_id)),
        ["3"]
    );
    assert_eq!(walk.next_page(), None);
    assert_eq!(Paginator::new(1, 2, Some(0)).next_page(), None);
}

#[test]
fn pagination_skips_no_lead_when_leads_change() {
    for has_more in [true, false] {
        let mut pending: Vec<u32> = (0..50).collect();
        let (mut walk, mut accept_summary, mut ahead) =
            (Paginator::new(1, 2, None), Vec::new(), None);
        while let Some(number) = walk.next_page() {
            let read = |pending: &[u32], number: u32| {
                let start = (number as usize - 1) * 2;
                let rows: Vec<u32> = pending.iter().copied().skip(start).take(2).collect();
                let more = start + rows.len() < pending.len();
                page(&rows, pending.len() as u64, has_more.then_some(more))
            };
            let now = ahead.take().unwrap_or_else(|| read(&pending, number));
            let rows = walk.accept(now, Row::row_id).rows;
            // Prefetched before this page's rows are decided on.
            ahead = walk.next_page().map(|next| read(&pending, next));
            for row in rows {
                let id: u32 = row.row_id().unwrap().parse().unwrap();
                pending.retain(|other| *other != id);
                accept_summary.push(id);
            }
            assert!(accept_summary.len() <= 50);
        }
        assert_eq!((accept_summary.len(), pending.len()), (50, 0));
    }
}

proptest! {
    /// If the list grows and shrinks during pagination, no row occurs twice and the pagination ends.
    #[test]
    fn every_row_is_returned_at_most_once(
        rows in 0..40_u32,
        page_size in 1..7_u32,
        changes in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..12),
    ) {
        let mut list: Vec<u32> = (0..rows).collect();
        let (mut walk, mut given, mut fresh) = (Paginator::new(1, page_size, None), HashSet::new(), 1000);
        let mut changes = changes.into_iter();
        let mut pages = 0;
        let still = changes.len() == 0;
        while let Some(number) = walk.next_page() {
            pages += 1;
            prop_assert!(pages < 200);
            let start = ((number - 1) * page_size) as usize;
            let chunk: Vec<u32> = list.iter().copied().skip(start).take(page_size as usize).collect();
            let more = start + chunk.len() < list.len();
            let total = list.len() as u64;
            for row in walk.accept(page(&chunk, total, Some(more)), Row::row_id).rows {
                prop_assert!(given.insert(row.row_id().unwrap_or_default().to_owned()));
            }
            match changes.next() {
                Some((true, at)) => {
                    fresh += 1;
                    list.insert(at.index(list.len() + 1), fresh);
                }
                Some((false, at)) if !list.is_empty() => {
                    list.remove(at.index(list.len()));
                }
                _ => {}
            }
        }
        if still {
            prop_assert_eq!(given.len(), rows as usize);
        }
    }

    /// If the list keeps losing rows, pagination still ends soon and finds every row that stays.
    #[test]
    fn a_shrinking_list_is_read_completely(
        rows in 0..200_u32,
        page_size in 3..12_u32,
        chance in 0..=100_u32,
        schedule in prop::collection::vec((0..100_u32, any::<prop::sample::Index>()), 1..30),
    ) {
        let mut list: Vec<u32> = (0..rows).collect();
        let mut schedule = schedule.iter().cycle();
        let (mut walk, mut accept_summary) = (Paginator::new(1, page_size, None), Vec::new());
        let mut requests = 0;
        while let Some(number) = walk.next_page() {
            requests += 1;
            prop_assert!(requests <= 2 * rows.div_ceil(page_size) + 1, "too many requests");
            let step = walk.accept(read(&list, number, page_size), Row::row_id);
            prop_assert!(!step.drift.contains(&Drift::Incomplete));
            let repeated = |drift: &Drift| matches!(drift, Drift::Repeated { .. });
            prop_assert!(!step.drift.iter().any(repeated), "it reported rows that it read again itself");
            accept_summary.extend(step.rows.iter().filter_map(|row| row.row_id()?.parse::<u32>().ok()));
            if let Some((roll, at)) = schedule.next()
                && *roll < chance
                && !list.is_empty()
            {
                list.remove(at.index(list.len()));
            }
        }
        let once: HashSet<u32> = accept_summary.iter().copied().collect();
        prop_assert_eq!(once.len(), accept_summary.len(), "a row was returned twice");
        for stays in list {
            prop_assert!(once.contains(&stays), "{} was missed", stays);
        }
    }
}

/// Returns a page of the list in its current state.
fn read(list: &[u32], number: u32, page_size: u32) -> Page<LeadListItem> {
    let start = ((number - 1) * page_size) as usize;
    let rows: Vec<u32> = list
        .iter()
        .copied()
        .skip(start)
        .take(page_size as usize)
        .collect();
    let more = start + rows.len() < list.len();
    Page {
        page_size: Some(page_size),
        ..page(&rows, list.len() as u64, Some(more))
    }
}

#[test]
fn pagination_of_an_ever_changing_list_ends_with_an_error() {
    let mut list: Vec<u32> = (0..1000).collect();
    let (mut walk, mut requests, mut fresh) = (Paginator::new(1, 10, None), 0, 1000);
    let mut drifts = Vec::new();
    while let Some(number) = walk.next_page() {
        requests += 1;
        assert!(requests <= 330, "too many requests");
        drifts.extend(walk.accept(read(&list, number, 10), Row::row_id).drift);
        // Rows are removed at the front and appended at the end in turn.
        if requests % 2 == 0 {
            list.drain(..6);
        } else {
            list.extend(fresh..fresh + 6);
            fresh += 6;
        }
    }
    assert_eq!(drifts.last(), Some(&Drift::Incomplete));
}

#[test]
fn many_new_rows_on_top_do_not_end_pagination() {
    let mut walk = Paginator::new(1, 2, None);
    walk.accept(page(&[1, 2], 4, Some(true)), Row::row_id);
    walk.accept(page(&[1, 2], 6, Some(true)), Row::row_id);
    let rest = walk.accept(page(&[3, 4], 6, Some(false)), Row::row_id);
    assert_eq!(ids(&rest), ["3", "4"]);
}
