//! Views and their URLs: round trips.

use lead_workspace::api::{AccountField, AccountSort, LeadSort, Operator, Request, SortDir};
use lead_workspace::app::model::filters::LeadSortColumn::{self, Custom, Lead};
use lead_workspace::app::model::filters::{CustomFilter, CustomName};
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::route::Route;
use lead_workspace::app::model::view::{AccountsView, LeadsView, SortColumn, Table, list_only};
use proptest::prelude::*;
use proptest::sample::select;

fn table<S: SortColumn + std::fmt::Debug>(
    sort: impl Strategy<Value = S>,
) -> impl Strategy<Value = Table<S>> {
    (any::<String>(), sort, select(SortDir::ALL)).prop_map(|(search, sort, dir)| Table {
        search,
        sort,
        dir,
        ..Table::default()
    })
}

fn lead_sort() -> impl Strategy<Value = LeadSortColumn> {
    let own = ".{1,12}".prop_map(|key: String| Custom(CustomName::of_key(&key).unwrap()));
    prop_oneof![select(LeadSort::ALL).prop_map(Lead), own]
}

proptest! {
    #[test]
    fn the_leads_view_round_trips(tab in select(&Tab::ALL[..]), table in table(lead_sort()), open in proptest::option::of(".{1,20}")) {
        let view = LeadsView { tab, table, open, ..LeadsView::default() };
        prop_assert_eq!(LeadsView::from_query(&view.to_query()), view);
    }

    #[test]
    fn the_accounts_view_round_trips(
        table in table(select(AccountSort::ALL)),
        list in proptest::option::of(".{1,20}"),
        open in proptest::option::of(".{1,20}"),
        unpromoted: bool,
        value in "[^\\n]{1,12}",
    ) {
        let filters = Vec::from_iter(CustomFilter::new(AccountField::Industry, Operator::Contains, [&*value]));
        let view = AccountsView { table, filters, list, unpromoted, open };
        prop_assert_eq!(AccountsView::from_query(&view.to_query()), view);
    }

    #[test]
    fn any_address_is_a_view_with_a_valid_query(query in ".{0,80}") {
        let view = LeadsView::from_query(&query);
        prop_assert!(view.query(1, 50).check().is_ok());
        prop_assert_eq!(LeadsView::from_query(&view.to_query()), view);
    }
}

#[test]
fn the_default_view_has_an_empty_query() {
    assert_eq!(LeadsView::default().to_query(), "");
    assert_eq!(LeadsView::default().tab, Tab::Pending);
    let view = LeadsView::from_query("tab=all&q=caf%C3%A9+x&sort=name&dir=desc");
    assert_eq!(view.table.search, "café x");
    assert_eq!(view.to_query(), "tab=all&q=caf%C3%A9+x&sort=name&dir=desc");
}

#[test]
fn invalid_parameters_are_ignored() {
    let view = LeadsView::from_query("tab=x&sort=x&dir=x&page=-1&%ff&&=&lead=");
    assert_eq!(view, LeadsView::default());
}

#[test]
fn a_header_sorts_and_then_reverses_the_order() {
    let by_name = Table::default().sorted(Lead(LeadSort::Name));
    assert_eq!(by_name.dir, SortDir::Asc);
    assert_eq!(by_name.sorted(Lead(LeadSort::Name)).dir, SortDir::Desc);
    let by_date = by_name.sorted(Lead(LeadSort::CreatedAt));
    assert_eq!(by_date.dir, SortDir::Desc, "newest first");
}

#[test]
fn a_query_uses_the_page_size() {
    let query = LeadsView::default().query(3, 25);
    assert_eq!((query.page, query.page_size), (3, 25));
}

#[test]
fn an_open_record_does_not_change_the_list() {
    let list = |path: &str, query: &str| {
        let (path, query) = (path.to_owned(), query.to_owned());
        list_only(&Route { path, query }).query
    };
    assert_eq!(
        list("/leads", "tab=all&density=compact&q=a&lead=l1"),
        "tab=all&q=a"
    );
    let accounts = "q=a&account=a1&cols=name&list_id=l1&base=x";
    assert_eq!(list("/accounts", accounts), "q=a&list_id=l1");
}

#[test]
fn a_blank_search_is_not_sent() {
    let view = LeadsView::from_query("q=++");
    assert_eq!(view.query(1, 50).search, None);
    assert_eq!(
        LeadsView::from_query("q=+ada+").query(1, 50).search,
        Some("ada".into())
    );
}
