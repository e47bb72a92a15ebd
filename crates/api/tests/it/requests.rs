//! Requests: defaults, limits and the location of every problem.

use lead_workspace_api::{
    AccountDetailQuery, AccountQuery, AccountScoring, FacetContext, FacetSearch, FilterSpec,
    LeadField, LeadQuery, LeadScoring, LeadUpdate, LeadsUpdate, NewApprovalStatus, Nullable,
    Request, filter,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::models::any_json;

fn problems<T: Request>(value: &Value, root: &'static str) -> Vec<(String, String)> {
    match T::from_wire(value, root) {
        Ok(_) => Vec::new(),
        Err(entries) => entries
            .into_iter()
            .map(|entry| (entry.loc.join("."), entry.kind))
            .collect(),
    }
}

#[track_caller]
fn expect<T: Request>(value: &Value, root: &'static str, expected: &[(&str, &str)]) {
    let found = problems::<T>(value, root);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(loc, kind)| (loc.as_str(), kind.as_str()))
        .collect();
    assert_eq!(found, expected, "{value}");
}

#[test]
fn an_empty_body_uses_the_defaults() {
    assert_eq!(
        LeadQuery::from_wire(&json!({}), "body"),
        Ok(LeadQuery::default())
    );
    assert_eq!(
        AccountQuery::from_wire(&json!({}), "body"),
        Ok(AccountQuery::default())
    );
    assert_eq!(
        LeadScoring::from_wire(&json!({}), "body"),
        Ok(LeadScoring::default())
    );
    assert_eq!(
        FacetContext::from_wire(&json!({}), "query"),
        Ok(FacetContext::default())
    );
}

#[test]
fn every_problem_is_reported_with_its_location() {
    let body = json!({
        "filters": [{"field": 7, "operator": "eq", "value": "x"}, "odd", {"operator": "near"},
                    {"field": "name", "operator": "between", "value": [1]}],
        "search": 5, "sort_by": "shoe_size", "sort_dir": "up", "page": 0, "page_size": 101,
    });
    expect::<LeadQuery>(
        &body,
        "body",
        &[
            ("body.filters.0.field", "string_type"),
            ("body.filters.1", "model_attributes_type"),
            ("body.filters.2.field", "missing"),
            ("body.filters.2.operator", "enum"),
            ("body.filters.3.value", "list_type"),
            ("body.search", "string_type"),
            ("body.sort_by", "enum"),
            ("body.sort_dir", "enum"),
            ("body.page", "greater_than_equal"),
            ("body.page_size", "less_than_equal"),
        ],
    );
}

/// The client checks requests without building them.
#[test]
fn a_check_finds_the_same_problems_as_a_read() {
    fn compare<T: Request>(bodies: &[Value]) {
        for body in bodies {
            let read = T::from_wire(body, "body").map(drop);
            assert_eq!(T::check_wire(body), read, "{body}");
        }
    }
    let long = vec!["word"; 70].join(" ");
    compare::<LeadQuery>(&[
        json!({}),
        json!([]),
        json!({"filters": 1, "search": long, "sort_by": "shoe_size", "page": 0, "page_size": "9"}),
        json!({"filters": vec![Value::Null; 1000], "search": 5, "sort_dir": null, "page": 2.5}),
        json!({"filters": [{"field": 7, "operator": "near"}, {"field": "name", "operator": "eq"}]}),
    ]);
    compare::<LeadUpdate>(&[json!({}), json!({"approval_status": "lost"}), json!(null)]);
    compare::<LeadsUpdate>(&[
        json!({"approval_status": null}),
        json!({"lead_ids": ["a", "", 3], "approval_status": 1}),
        json!({"lead_ids": vec!["a"; 10_001]}),
    ]);
    compare::<AccountScoring>(&[json!({"account_ids": null, "lead_list_id": ""})]);
}

#[test]
fn limits_match_the_contract() {
    for (page_size, ok) in [(0, false), (1, true), (100, true), (101, false)] {
        assert_eq!(
            problems::<LeadQuery>(&json!({"page_size": page_size}), "body").is_empty(),
            ok
        );
        assert_eq!(
            problems::<AccountQuery>(&json!({"page_size": page_size}), "body").is_empty(),
            ok
        );
        let search = json!({"field": "company", "limit": page_size.to_string()});
        assert_eq!(problems::<FacetSearch>(&search, "query").is_empty(), ok);
    }
    expect::<LeadQuery>(
        &json!({"page": -1}),
        "body",
        &[("body.page", "greater_than_equal")],
    );
    expect::<LeadQuery>(
        &json!({"page": 1e300}),
        "body",
        &[("body.page", "int_parsing")],
    );
    expect::<LeadQuery>(
        &json!({"page": 2.5}),
        "body",
        &[("body.page", "int_parsing")],
    );
    expect::<LeadQuery>(
        &json!({"page": "2"}),
        "body",
        &[("body.page", "int_parsing")],
    );
    expect::<LeadQuery>(&json!({"page": 2.0, "search": null}), "body", &[]);
}

#[test]
fn oversized_values_are_rejected_with_their_limit() {
    let words = |count: usize| json!({"search": vec!["ab"; count].join(" ")});
    expect::<LeadQuery>(&words(16), "body", &[]);
    expect::<LeadQuery>(&words(17), "body", &[("body.search", "too_many_words")]);
    // Characters, not bytes.
    let letters = |count: usize| json!({"search": "é".repeat(count)});
    expect::<AccountQuery>(&letters(256), "body", &[]);
    expect::<AccountQuery>(&letters(257), "body", &[("body.search", "string_too_long")]);
    let ids = |count: usize| json!({"lead_ids": vec!["a"; count]});
    expect::<LeadsUpdate>(&ids(10_000), "body", &[]);
    expect::<LeadsUpdate>(&ids(10_001), "body", &[("body.lead_ids", "too_long")]);
    expect::<LeadScoring>(&ids(10_001), "body", &[("body.lead_ids", "too_long")]);
    let search = json!({"field": "company", "q": "x".repeat(257)});
    expect::<FacetSearch>(&search, "query", &[("query.q", "string_too_long")]);

    let of = |operator: &str, value: Value| json!({"filters": [{"field": "name", "operator": operator, "value": value}]});
    let (short, long) = ("x".repeat(256), "x".repeat(257));
    expect::<LeadQuery>(&of("contains", json!(short)), "body", &[]);
    let place = "body.filters.0.value";
    let too_long = [(place, "string_too_long")];
    expect::<LeadQuery>(&of("starts_with", json!(long)), "body", &too_long);
    expect::<LeadQuery>(&of("eq", json!(long)), "body", &[]);
    expect::<LeadQuery>(&of("eq", json!("x".repeat(1025))), "body", &too_long);
    expect::<LeadQuery>(&of("in", json!(vec!["x"; 1000])), "body", &[]);
    expect::<LeadQuery>(
        &of("in", json!(vec!["x"; 1001])),
        "body",
        &[(place, "too_long")],
    );
    let one = json!(["x", "x".repeat(1025)]);
    let second = "body.filters.0.value.1";
    expect::<LeadQuery>(&of("between", one), "body", &[(second, "string_too_long")]);

    let filter = json!({"field": "name", "operator": "is_set"});
    let filters = |count: usize| json!({"filters": vec![&filter; count]});
    expect::<LeadQuery>(&filters(100), "body", &[]);
    expect::<LeadQuery>(&filters(101), "body", &[("body.filters", "too_long")]);
    let entries = LeadQuery::from_wire(&words(17), "body").unwrap_err();
    assert!(entries[0].msg.contains("16 words"), "{}", entries[0].msg);
}

#[test]
fn only_the_first_problems_are_reported() {
    let entries = LeadsUpdate::from_wire(&json!({"lead_ids": vec![0; 5000]}), "body").unwrap_err();
    assert_eq!(entries.len(), 101);
    let last = &entries[100];
    assert_eq!(last.kind, "too_many_errors");
    assert!(last.msg.contains("first 100"), "{}", last.msg);
    let few = LeadsUpdate::from_wire(&json!({"lead_ids": vec![0; 100]}), "body").unwrap_err();
    assert!(few.iter().all(|entry| entry.kind == "string_type"));
    assert_eq!(few.len(), 100);
}

#[test]
fn reported_input_is_truncated() {
    let input = |body: &Value| {
        let entries = LeadUpdate::from_wire(body, "body").unwrap_err();
        entries[0].input.clone()
    };
    // The input of a missing parameter is the object that lacks it.
    assert_eq!(input(&json!({"a": [1, 2]})), json!({"a": [1, 2]}));
    assert_eq!(input(&json!({"a": vec![1; 5000]})), Value::Null);
    assert_eq!(input(&json!({"a": {"b": "x".repeat(5000)}})), Value::Null);
    let shown = input(&json!({"approval_status": "é".repeat(5000)}));
    let shown = shown.as_str().unwrap();
    assert!(shown.starts_with("éé") && shown.ends_with('…') && shown.len() < 1030);
}

#[test]
fn missing_required_members_are_reported() {
    expect::<LeadUpdate>(&json!({}), "body", &[("body.approval_status", "missing")]);
    expect::<LeadUpdate>(
        &json!({"approval_status": null}),
        "body",
        &[("body.approval_status", "enum")],
    );
    expect::<LeadsUpdate>(&json!({}), "body", &[("body.lead_ids", "missing")]);
    expect::<FacetSearch>(&json!({}), "query", &[("query.field", "missing")]);
    expect::<LeadUpdate>(&json!([]), "body", &[("body", "model_attributes_type")]);
}

#[test]
fn empty_ids_are_rejected() {
    expect::<LeadsUpdate>(
        &json!({"lead_ids": ["a", "", 3]}),
        "body",
        &[
            ("body.lead_ids.1", "string_too_short"),
            ("body.lead_ids.2", "string_type"),
        ],
    );
    expect::<AccountScoring>(
        &json!({"account_ids": null}),
        "body",
        &[("body.account_ids", "list_type")],
    );
}

#[test]
fn null_and_absent_differ_in_a_bulk_update() {
    let status = |body: Value| {
        LeadsUpdate::from_wire(&body, "body")
            .unwrap()
            .approval_status
    };
    assert_eq!(status(json!({"lead_ids": []})), Nullable::Absent);
    assert_eq!(
        status(json!({"lead_ids": [], "approval_status": null})),
        Nullable::Null
    );
    let set = status(json!({"lead_ids": [], "approval_status": "rejected"}));
    assert_eq!(set, Nullable::Set(NewApprovalStatus::Rejected));

    let written = |approval_status| {
        serde_json::to_value(LeadsUpdate {
            lead_ids: Vec::new(),
            approval_status,
        })
        .unwrap()
    };
    assert_eq!(written(Nullable::Absent), json!({"lead_ids": []}));
    assert_eq!(
        written(Nullable::Null),
        json!({"lead_ids": [], "approval_status": null})
    );
}

#[test]
fn query_strings_are_read() {
    let search = FacetSearch {
        field: "company".into(),
        q: "nø".into(),
        limit: 5,
        selected: None,
        signal_run_id: Some("r 1".into()),
        signal_id: None,
        campaign_id: None,
    };
    let query = search.to_query();
    let names: Vec<&str> = query.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["field", "limit", "q", "signal_run_id"]);
    let value: Value = query
        .into_iter()
        .map(|(name, value)| (name, Value::from(value)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    assert_eq!(FacetSearch::from_wire(&value, "query"), Ok(search));

    let flag =
        |text: &str| AccountDetailQuery::from_wire(&json!({"include_unpromoted": text}), "query");
    assert!(flag("true").unwrap().include_unpromoted);
    assert!(!flag("0").unwrap().include_unpromoted);
    assert!(flag("maybe").is_err());
}

#[test]
fn filters_are_built_and_validated() {
    let query = |spec: FilterSpec| LeadQuery {
        filters: vec![spec],
        ..LeadQuery::default()
    };
    let tiers = filter(LeadField::IcpTier).is_in(["A", "B"]);
    assert_eq!(
        serde_json::to_value(&tiers).unwrap(),
        json!({"field": "icp_tier", "operator": "in", "value": ["A", "B"]})
    );
    assert_eq!(query(tiers).check(), Ok(()));
    let set = filter(LeadField::Company).is_set();
    assert_eq!(
        serde_json::to_value(&set).unwrap(),
        json!({"field": "company", "operator": "is_set"})
    );
    assert_eq!(query(set).check(), Ok(()));
    assert_eq!(
        query(filter(LeadField::IcpScore).between(10, 20)).check(),
        Ok(())
    );
    assert!(query(filter(LeadField::Name).contains(7)).check().is_err());

    // Filters of another upstream's shape pass only in outgoing requests.
    let raw = json!({"op": "AND", "of": []});
    assert_eq!(query(FilterSpec::Raw(raw.clone())).check(), Ok(()));
    expect::<LeadQuery>(
        &json!({"filters": [raw]}),
        "body",
        &[
            ("body.filters.0.field", "missing"),
            ("body.filters.0.operator", "missing"),
        ],
    );
}

fn any_filter() -> impl Strategy<Value = FilterSpec> {
    let text = ".{0,8}";
    prop_oneof![
        text.prop_map(|value| filter(LeadField::Name).eq(value)),
        prop::collection::vec(text, 0..3)
            .prop_map(|values| filter(LeadField::Title).not_in(values)),
        (any::<i32>(), any::<i32>())
            .prop_map(|(a, b)| filter(LeadField::FollowerCount).between(a, b)),
        any::<bool>().prop_map(|value| filter(LeadField::IsPremium).neq(value)),
        Just(filter(LeadField::Reply).is_not_set()),
    ]
}

proptest! {
    #[test]
    fn a_query_round_trips(
        filters in prop::collection::vec(any_filter(), 0..3),
        search in prop::option::of(".{0,10}"),
        page in 1..=u32::MAX,
        page_size in 1..=100u32,
    ) {
        let query = LeadQuery { filters, search, page, page_size, ..LeadQuery::default() };
        prop_assert_eq!(query.check(), Ok(()));
        let value = serde_json::to_value(&query).unwrap();
        prop_assert_eq!(LeadQuery::from_wire(&value, "body"), Ok(query));
    }

    #[test]
    fn any_body_is_read_or_rejected_with_a_location(body in any_json(), name in any::<prop::sample::Index>()) {
        fn read<T: Request>(body: &Value, name: &prop::sample::Index) {
            let params = T::params();
            let bodies = [body.clone(), json!({ params[name.index(params.len())].name: body })];
            for body in bodies {
                if let Err(entries) = T::from_wire(&body, "body") {
                    assert!(!entries.is_empty());
                    assert!(entries.iter().all(|entry| entry.loc[0] == "body" && !entry.msg.is_empty()));
                }
            }
        }
        read::<LeadQuery>(&body, &name);
        read::<LeadUpdate>(&body, &name);
        read::<LeadsUpdate>(&body, &name);
        read::<LeadScoring>(&body, &name);
        read::<AccountQuery>(&body, &name);
        read::<AccountScoring>(&body, &name);
        read::<FacetSearch>(&body, &name);
    }
}
