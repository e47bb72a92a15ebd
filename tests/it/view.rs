//! The view is the address: there and back again.

use lead_workspace::api::{AccountSort, LeadSort, Request, SortDir};
use lead_workspace::model::tab::Tab;
use lead_workspace::model::view::{AccountsView, LeadsView, SIZES, SortColumn, Table};
use proptest::prelude::*;
use proptest::sample::select;

fn table<S: SortColumn + std::fmt::Debug>(sorts: &'static [S]) -> impl Strategy<Value = Table<S>> {
    let dirs = select(SortDir::ALL);
    (
        any::<String>(),
        select(sorts),
        dirs,
        1..=u32::MAX,
        select(&SIZES[..]),
    )
        .prop_map(|(search, sort, dir, page, size)| Table {
            search,
            sort,
            dir,
            page,
            size,
        })
}

proptest! {
    #[test]
    fn leads_there_and_back(tab in select(&Tab::ALL[..]), table in table(LeadSort::ALL)) {
        let view = LeadsView { tab, table, ..LeadsView::default() };
        prop_assert_eq!(LeadsView::from_query(&view.to_query()), view);
    }

    #[test]
    fn accounts_there_and_back(view in table(AccountSort::ALL)) {
        prop_assert_eq!(AccountsView::from_query(&view.to_query()), view);
    }

    #[test]
    fn any_address_is_a_view_that_can_be_asked_for(query in ".{0,80}") {
        let view = LeadsView::from_query(&query);
        prop_assert!(view.query().check().is_ok());
        prop_assert_eq!(LeadsView::from_query(&view.to_query()), view);
    }

    #[test]
    fn another_page_size_keeps_the_first_row(page in 1u32..10_000, from in select(&SIZES[..]), to in select(&SIZES[..])) {
        let table = Table::<LeadSort> { page, size: from, ..Table::default() };
        let first = u64::from(page - 1) * u64::from(from);
        let other = table.in_pages_of(to);
        let start = u64::from(other.page - 1) * u64::from(to);
        prop_assert!(start <= first && first < start + u64::from(to));
    }
}

#[test]
fn the_usual_view_has_a_bare_address() {
    assert_eq!(LeadsView::default().to_query(), "");
    assert_eq!(LeadsView::default().tab, Tab::Pending);
    let view = LeadsView::from_query("tab=all&q=caf%C3%A9+x&sort=name&dir=desc&page=2&size=100");
    assert_eq!(view.table.search, "café x");
    assert_eq!(
        view.to_query(),
        "tab=all&q=caf%C3%A9+x&sort=name&dir=desc&page=2&size=100"
    );
}

#[test]
fn what_makes_no_sense_is_passed_over() {
    let view = LeadsView::from_query("tab=x&sort=x&dir=x&page=-1&size=7&%ff&&=&page=0");
    assert_eq!(view, LeadsView::default());
}

#[test]
fn a_header_sorts_and_then_turns_round() {
    let table = Table::<LeadSort>::default().at_page(4);
    let by_name = table.sorted(LeadSort::Name);
    assert_eq!((by_name.dir, by_name.page), (SortDir::Asc, 1));
    assert_eq!(by_name.sorted(LeadSort::Name).dir, SortDir::Desc);
    let by_date = by_name.sorted(LeadSort::CreatedAt);
    assert_eq!(by_date.dir, SortDir::Desc, "the newest first");
}

#[test]
fn a_blank_search_is_not_sent() {
    let view = LeadsView::from_query("q=++");
    assert_eq!(view.query().search, None);
    assert_eq!(
        LeadsView::from_query("q=+ada+").query().search,
        Some("ada".into())
    );
}
