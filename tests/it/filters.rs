//! Filters from the sidebar and from the editor: round trip through the URL, and their wire format.

use lead_workspace::api::{AccountField, FieldKind, LeadField, LeadSort, Operator, SortDir};
use lead_workspace::app::model::filters::LeadFilterField::{self, Lead};
use lead_workspace::app::model::filters::custom_filter::{Arity, arity};
use lead_workspace::app::model::filters::filter_field::{Field, matching_fields};
use lead_workspace::app::model::filters::{
    CustomFilter, CustomName, Facet, Filters, LeadSortColumn, filter_labels,
};
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::view::LeadsView;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

fn own(key: &str) -> LeadFilterField {
    LeadFilterField::Custom(CustomName::of_key(key).unwrap())
}

fn facet() -> impl Strategy<Value = Facet> {
    let own = ".{1,12}".prop_map(|key: String| Facet::Custom(CustomName::of_key(&key).unwrap()));
    prop_oneof![4 => select(Facet::ALL), 1 => own]
}

fn free() -> impl Strategy<Value = CustomFilter> {
    let own = ".{1,12}".prop_map(|key: String| own(&key));
    let field = prop_oneof![select(LeadField::ALL).prop_map(Lead), own];
    let fields = (field, select(Operator::ALL));
    (fields, vec("[^\n]{1,12}", 3)).prop_map(|((field, operator), values)| {
        let count = match arity(operator) {
            Arity::None => 0,
            Arity::One => 1,
            Arity::Two => 2,
            Arity::Many => 3,
        };
        let values = values[..count].iter().map(String::as_str);
        CustomFilter::new(field, operator, values).unwrap()
    })
}

fn filters() -> impl Strategy<Value = Filters> {
    let chosen = vec((facet(), any::<String>()), 0..6);
    (chosen, vec(free(), 0..4)).prop_map(|(chosen, free)| {
        let filters = chosen
            .iter()
            .fold(Filters::default(), |filters, (facet, value)| {
                filters.with(*facet, value, true)
            });
        free.into_iter()
            .fold(filters, |filters, free| filters.and(None, free))
    })
}

fn wire(filters: &Filters) -> Value {
    serde_json::to_value(filters.specs()).unwrap()
}

fn at(query: &str) -> Filters {
    Filters::from_query(query)
}

proptest! {
    #[test]
    fn filters_round_trip(filters in filters(), tab in select(&Tab::ALL[..])) {
        let view = LeadsView { tab, filters, ..LeadsView::default() };
        let back = LeadsView::from_query(&view.to_query());
        prop_assert_eq!(wire(&back.filters), wire(&view.filters));
        prop_assert_eq!(back, view);
    }

    #[test]
    fn each_part_is_one_filter_on_the_wire(filters in filters()) {
        let parts = filters.parts();
        prop_assert_eq!(parts.len(), filters.specs().len());
        prop_assert_eq!(parts.len(), filters.count());
        for (index, part) in parts.into_iter().enumerate() {
            let mut left = filters.specs();
            left.remove(index);
            prop_assert_eq!(filters.without(part).specs(), left);
        }
    }

    #[test]
    fn any_text_is_a_valid_filter_or_none(text in ".{0,40}") {
        let query = form_urlencoded(&["where", &text]);
        let view = LeadsView::from_query(&query);
        prop_assert!(lead_workspace::api::Request::check(&view.query(1, 50)).is_ok());
    }

    #[test]
    fn selecting_and_clearing_leaves_nothing(facet in facet(), value in ".{1,9}") {
        let chosen = Filters::default().with(facet, &value, true);
        prop_assert_eq!(chosen.values(facet), &[value.clone()][..]);
        prop_assert!(chosen.with(facet, &value, false).is_empty());
    }
}

fn form_urlencoded(pair: &[&str; 2]) -> String {
    let encoded: String = pair[1].bytes().map(|byte| format!("%{byte:02x}")).collect();
    [pair[0], "=", &encoded].concat()
}

#[test]
fn values_of_a_facet_are_ored_and_facets_are_anded() {
    let filters = at("icp_tier=A&company=Blue+Harbour%2C+Ltd&icp_tier=B&icp_tier=A&icp_tier=");
    assert_eq!(
        wire(&filters),
        json!([
            {"field": "icp_tier", "operator": "in", "value": ["A", "B"]},
            {"field": "company", "operator": "in", "value": ["Blue Harbour, Ltd"]},
        ])
    );
    let view = LeadsView::from_query("tab=approved&icp_tier=A");
    assert_eq!(
        view.query(1, 50).filters.len(),
        2,
        "the tab's own filter stays"
    );
}

#[test]
fn two_facets_of_one_field_are_anded() {
    assert_eq!(
        wire(&at("list_id=l1&discovery_list=l2")),
        json!([
            {"field": "list_id", "operator": "in", "value": ["l1"]},
            {"field": "list_id", "operator": "in", "value": ["l2"]},
        ])
    );
}

#[test]
fn only_replaces_the_values_of_the_facet_in_place() {
    let filters = at("icp_tier=A&icp_tier=B&title=CTO");
    let only = filters.only(Facet::IcpTier, "C");
    assert_eq!(only.values(Facet::IcpTier), ["C"]);
    assert_eq!(only.parts(), filters.parts());
    let new = filters.only(Facet::Company, "Acme");
    assert_eq!(new.values(Facet::Company), ["Acme"]);
    assert_eq!(new.values(Facet::IcpTier), ["A", "B"]);
}

#[test]
fn custom_values_are_typed_by_field() {
    let of = |text: &str| wire(&at(&form_urlencoded(&["where", text])))[0]["value"].clone();
    assert_eq!(of("icp_score gte 80"), json!(80));
    assert_eq!(of("icp_score between 1\n2.5"), json!([1, 2.5]));
    assert_eq!(
        of("icp_score contains 8"),
        json!("8"),
        "part of a text is a text"
    );
    assert_eq!(of("is_premium eq true"), json!(true));
    assert_eq!(
        of("title in Head of Sales\nCTO"),
        json!(["Head of Sales", "CTO"])
    );
    assert_eq!(of("title eq 80"), json!("80"));
    assert_eq!(of("title is_set"), Value::Null);
    assert_eq!(
        of("icp_score gte many"),
        json!("many"),
        "the server says what is wrong with it"
    );
}

#[test]
fn invalid_filters_are_ignored() {
    for text in [
        "",
        "x",
        "x eq 1",
        "title",
        "title x 1",
        "title eq",
        "icp_score between 1",
        "title is_set 1",
    ] {
        assert!(at(&form_urlencoded(&["where", text])).is_empty(), "{text}");
    }
}

#[test]
fn a_custom_filter_is_validated() {
    let check =
        |field, operator, value: &str| CustomFilter::new(field, operator, [value]).unwrap().check();
    assert!(check(Lead(LeadField::IcpScore), Operator::Gte, "80").is_ok());
    assert_eq!(
        check(Lead(LeadField::IcpScore), Operator::Gte, "many"),
        Err("“many” is not a number".into())
    );
    assert!(check(Lead(LeadField::CreatedAt), Operator::Gt, "soon").is_err());
    assert!(check(Lead(LeadField::CreatedAt), Operator::Gt, "2026-01-31").is_ok());
    assert!(check(Lead(LeadField::IsPremium), Operator::Eq, "perhaps").is_err());
    assert!(check(Lead(LeadField::Title), Operator::Eq, "anything").is_ok());
}

#[test]
fn a_single_value_is_the_context_of_the_facets() {
    let context = at("campaign_id=c1&signal_id=s1&signal_id=s2").context();
    assert_eq!(context.campaign_id.unwrap().as_str(), "c1");
    assert_eq!(context.signal_id, None, "the API accepts at most one value");
    assert_eq!(context.signal_run_id, None);
}

#[test]
fn filters_have_descriptions() {
    let shown = |text: &str| CustomFilter::<LeadFilterField>::read(text).unwrap().rest();
    assert_eq!(shown("icp_score gte 80"), "is at least 80");
    assert_eq!(
        shown("created_at between 2025-01-01\n2025-02-01"),
        "is between 2025-01-01 and 2025-02-01"
    );
    assert_eq!(shown("created_at lt 2025-01-01"), "is before 2025-01-01");
    assert_eq!(shown("title in a\nb"), "is one of “a”, “b”");
    assert_eq!(shown("is_premium eq false"), "is no");
    assert_eq!(shown("title is_not_set"), "is not set");
    assert_eq!(filter_labels::plain("job_change"), "Job change");
    assert_eq!(filter_labels::plain("51-200"), "51-200");
    assert_eq!(filter_labels::plain(""), "");
    assert_eq!(
        filter_labels::order(LeadSortColumn::Lead(LeadSort::IcpScore), SortDir::Desc),
        "best fit first"
    );
    assert_eq!(
        filter_labels::order(LeadSortColumn::Lead(LeadSort::IcpTier), SortDir::Asc),
        "best fit first"
    );
    assert_eq!(
        filter_labels::order(LeadSortColumn::Lead(LeadSort::CreatedAt), SortDir::Asc),
        "oldest first"
    );
    assert_eq!(
        filter_labels::order(LeadSortColumn::Lead(LeadSort::Name), SortDir::Asc),
        "by name"
    );
    let own = CustomName::of_key("Deal size").unwrap();
    assert_eq!(
        filter_labels::order(LeadSortColumn::Custom(own), SortDir::Desc),
        "by Deal size, descending"
    );
}

#[test]
fn filters_on_custom_fields_have_the_type_of_their_values() {
    let query = form_urlencoded(&["where", "custom_data.Deal%20size%25 gte 50000"]);
    assert_eq!(
        wire(&at(&query)),
        json!([{"field": "custom_data.Deal size%", "operator": "gte", "value": 50_000}])
    );
    let shown = |text: &str| {
        let custom = CustomFilter::<LeadFilterField>::read(text).unwrap();
        let label = custom.field().label();
        [label, " ", &custom.rest()].concat()
    };
    assert_eq!(
        shown("custom_data.Deal%20size gte 50000"),
        "Deal size is at least 50000"
    );
    assert_eq!(
        shown("custom_data.Since between 2025-01-01\n2025-02-01"),
        "Since is between 2025-01-01 and 2025-02-01"
    );
    assert_eq!(shown("custom_data.Code eq 01067"), "Code is “01067”");
    assert_eq!(shown("custom_data.Won eq true"), "Won is yes");
    assert_eq!(shown("custom_data.Size contains 5"), "Size contains “5”");
    let longest = "x".repeat(200);
    assert!(CustomName::of_key(&longest).is_some());
    assert!(CustomName::of_key(&[&*longest, "x"].concat()).is_none());
    assert!(CustomName::of_key("").is_none());
}

#[test]
fn every_operator_is_offered_once_for_every_kind() {
    for kind in [
        FieldKind::Text,
        FieldKind::Number,
        FieldKind::Flag,
        FieldKind::Time,
        FieldKind::Token,
    ] {
        let mut offered = filter_labels::operators(kind);
        offered.sort();
        assert_eq!(offered, Operator::ALL);
    }
}

#[test]
fn every_field_is_offered_once_and_found_by_a_part_of_its_name() {
    fn check<F: Field + std::fmt::Debug>(all: &[F]) {
        let offered: Vec<F> = matching_fields("", &[])
            .into_iter()
            .map(|(_, field)| field)
            .collect();
        assert_eq!(offered.len(), all.len());
        for field in all {
            assert!(offered.contains(field), "{field:?}");
            let found = matching_fields::<F>(&field.label().to_uppercase(), &[]);
            assert_eq!(found[0].1, *field, "{field:?}");
        }
    }
    check(&Vec::from_iter(LeadField::ALL.iter().copied().map(Lead)));
    check(AccountField::ALL);
    let labels = |text| -> Vec<&str> {
        let found = matching_fields(text, &[own("Deal size"), own("Region")]);
        found.into_iter().map(|(_, field)| field.label()).collect()
    };
    assert_eq!(labels("")[..2], ["ICP score", "ICP tier"]);
    // Names that begin with the text come first.
    assert_eq!(
        labels("company"),
        [
            "Company",
            "Company size",
            "Company location",
            "Company tagline"
        ]
    );
    assert_eq!(labels("size"), ["Company size", "Deal size"]);
    assert_eq!(labels("region"), ["Region"]);
    assert_eq!(labels("").last(), Some(&"Region"));
    assert_eq!(labels("connection"), ["Connection", "Connections"]);
    assert_eq!(labels("no such field"), [""; 0]);
}
