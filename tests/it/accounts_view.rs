//! The accounts view: its URL, its query, and which filters can be dropped.

use lead_workspace::api::{AccountField, AccountQuery, AccountSort, Operator, Request};
use lead_workspace::app::model::filters::CustomFilter;
use lead_workspace::app::model::relaxations::account_relaxations;
use lead_workspace::app::model::view::{AccountsView, ActiveFilter};

const WHOLE: &str = "q=north&sort=name&list_id=l1&include_unpromoted=true\
                     &where=lead_count+gte+3&where=is_promoted+eq+false&account=a1";

fn wire(view: &AccountsView) -> serde_json::Value {
    serde_json::to_value(view.query(2, 25)).expect("a query")
}

#[test]
fn the_address_round_trips_to_the_query() {
    let view = AccountsView::from_query(WHOLE);
    assert_eq!(view.to_query(), WHOLE.replace(' ', ""));
    assert_eq!(view.open.as_deref(), Some("a1"));
    let query = wire(&view);
    assert_eq!(query["search"], "north");
    assert_eq!(query["list_id"], "l1");
    assert_eq!(query["include_unpromoted"], true);
    assert_eq!(query["sort_by"], "name");
    assert_eq!(
        (&query["page"], &query["page_size"]),
        (&2.into(), &25.into())
    );
    let filters = &query["filters"];
    assert_eq!(filters[0]["field"], "lead_count");
    assert_eq!(filters[0]["value"], 3);
    assert_eq!(filters[1]["value"], false);
    assert!(view.query(1, 50).check().is_ok());
}

#[test]
fn the_default_view_has_an_empty_query_and_promoted_accounts() {
    let view = AccountsView::from_query("tab=all&where=nonsense&list_id=&include_unpromoted=1");
    assert_eq!(view, AccountsView::default());
    assert_eq!(view.to_query(), "");
    assert_eq!(wire(&view)["include_unpromoted"], false);
}

#[test]
fn the_best_scores_come_first_unless_the_address_has_another_order() {
    let order = |query: &str| {
        let view = AccountsView::from_query(query);
        let query = wire(&view);
        let text = |name: &str| query[name].as_str().map(str::to_owned).unwrap_or_default();
        (text("sort_by"), text("sort_dir"), view.to_query())
    };
    let is = |by: &str, dir: &str, query: &str| (by.to_owned(), dir.to_owned(), query.to_owned());
    // Sent although it is not the default of the API.
    assert_eq!(order(""), is("icp_score", "desc", ""));
    assert_eq!(order("sort=icp_score"), is("icp_score", "desc", ""));
    assert_eq!(order("dir=asc"), is("icp_score", "asc", "dir=asc"));
    assert_eq!(
        order("sort=created_at"),
        is("created_at", "desc", "sort=created_at")
    );
    assert_eq!(AccountQuery::default().sort_by, AccountSort::CreatedAt);
}

#[test]
fn selected_values_are_one_filter() {
    let whole = AccountsView::from_query("where=lead_count+gte+3");
    let tier = AccountField::IcpTier;
    assert!(whole.values(tier).is_empty());
    let two = whole.with_values(tier, ["A", "B"]);
    assert_eq!(two.values(tier), ["A", "B"]);
    assert_eq!(two.filters.len(), 2);
    assert_eq!(wire(&two)["filters"][1]["operator"], "in");
    assert_eq!(AccountsView::from_query(&two.to_query()), two);
    assert_eq!(two.with_values(tier, []), whole);
    assert_eq!(whole.with_values(tier, []), whole);

    // A filter that was added by hand is the same selection, and keeps its position.
    let by_hand = AccountsView::from_query("where=icp_tier+eq+A&where=lead_count+gte+3");
    assert_eq!(by_hand.values(tier), ["A"]);
    let changed = by_hand.with_values(tier, ["A", "C"]);
    assert_eq!(changed.filters[0].values(), ["A", "C"]);
    assert_eq!(changed.filters.len(), 2);
    let other = AccountsView::from_query("where=icp_tier+not_in+A");
    assert!(other.values(tier).is_empty());
    assert_eq!(other.with_values(tier, ["B"]).filters.len(), 2);
}

#[test]
fn a_view_is_counted_with_the_values_of_each_facet_apart() {
    let view = AccountsView::from_query(
        "q=north&list_id=l1&include_unpromoted=true&where=icp_tier+in+A%0AB&where=lead_count+gte+3\
         &where=icp_tier+contains+c",
    );
    let query = view.facet_query();
    assert!(query.check().is_ok());
    assert_eq!(
        serde_json::to_value(query).expect("a query"),
        serde_json::json!({
            "filters": [
                {"field": "lead_count", "operator": "gte", "value": 3},
                {"field": "icp_tier", "operator": "contains", "value": "c"},
            ],
            "search": "north",
            "list_id": "l1",
            "include_unpromoted": true,
            "facets": [
                {"field": "icp_tier", "selected": ["A", "B"]},
                {"field": "staff_count_range", "selected": []},
            ],
        })
    );
}

#[test]
fn an_open_account_does_not_change_the_list() {
    let view = AccountsView::from_query(WHOLE);
    let other = AccountsView::from_query(&WHOLE.replace("a1", "a2"));
    assert_ne!(view, other);
    assert_eq!(view.list_only(), other.list_only());
}

#[test]
fn relaxations_remove_each_condition_latest_first() {
    let mut view = AccountsView::from_query(WHOLE);
    let given_up = |view: &AccountsView| -> Vec<ActiveFilter> {
        account_relaxations(view)
            .into_iter()
            .map(|relaxation| relaxation.condition)
            .collect()
    };
    let (first, second) = (ActiveFilter::Filter(0), ActiveFilter::Filter(1));
    assert_eq!(
        given_up(&view),
        [second, first, ActiveFilter::List, ActiveFilter::Search]
    );
    view.unpromoted = false;
    assert_eq!(given_up(&view).last(), Some(&ActiveFilter::Promoted));
    for relaxation in account_relaxations(&view) {
        assert_ne!(
            relaxation.view, view,
            "{:?} changes the view",
            relaxation.condition
        );
        assert_eq!(relaxation.view.open, view.open);
    }
    assert!(view.without(ActiveFilter::Promoted).unpromoted);
    assert_eq!(view.without(ActiveFilter::Filter(7)), view);
}

#[test]
fn active_filters_are_counted_and_can_be_cleared() {
    let view = AccountsView::from_query(WHOLE);
    assert_eq!(view.count(), 3, "two filters and one list");
    let bare = view.bare();
    assert_eq!(
        bare.to_query(),
        "sort=name&include_unpromoted=true&account=a1"
    );
    assert_eq!(view.with_list("").list, None);
}

#[test]
fn a_changed_filter_keeps_its_position() {
    let view = AccountsView::from_query(WHOLE);
    let new = CustomFilter::new(AccountField::IcpTier, Operator::In, ["A", "B"]).expect("a filter");
    let changed = view.and(Some(0), new.clone());
    assert_eq!(changed.filters.len(), 2);
    assert_eq!(changed.filters[0], new);
    assert_eq!(view.and(None, new).filters.len(), 3);
    assert_eq!(changed.filters[0].rest(), "is one of A, B");
    assert_eq!(changed.filters[1].rest(), "is no");
}

#[test]
fn values_are_validated_by_field() {
    let checked = |field, value| {
        CustomFilter::new(field, Operator::Eq, [value])
            .expect("a filter")
            .check()
    };
    assert!(checked(AccountField::LeadCount, "3").is_ok());
    let message = checked(AccountField::LeadCount, "many").expect_err("not a number");
    assert!(message.contains("not a number"), "{message}");
    assert!(checked(AccountField::Name, "many").is_ok());
}
