//! The options of the filter sidebar, built from the server's facets.

use lead_workspace::api::shapes::FacetOption;
use lead_workspace::api::{Decode, FacetItem, FacetSearchResult, Facets, Request};
use lead_workspace::app::model::facet_options::{
    arrange_options, fill_counts, options_by_facet, retain_matching, search_results, unreadable,
};
use lead_workspace::app::model::filters::{Facet, Filters};
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::view::LeadsView;
use lead_workspace::app::model::view_counts::{by_status, query, with_counts};
use serde_json::json;

fn option(value: &str, count: Option<u64>) -> FacetOption {
    FacetOption {
        value: value.into(),
        label: value.into(),
        count,
    }
}

fn values(options: &[FacetOption]) -> Vec<&str> {
    options.iter().map(|option| option.value.as_str()).collect()
}

#[test]
fn unreadable_facets_are_reported_and_do_not_hide_others() {
    let body = json!({"signals": "none", "icp_tiers": ["A", 7], "lists": [{"list_id": "l"}]});
    let facets = Facets::decode(body.to_string().as_bytes()).unwrap();
    assert_eq!(unreadable(&facets), [Facet::IcpTier, Facet::Signal]);
    let options = options_by_facet(facets);
    let has = |facet| options.iter().any(|(of, _)| *of == facet);
    assert!(has(Facet::IcpTier) && has(Facet::List) && !has(Facet::Signal));
}

#[test]
fn every_returned_facet_with_values_is_offered() {
    let every = json!({
        "company_sizes": ["1-10"], "icp_tiers": ["A"], "intent_types": ["job_change"],
        "discovery_lists": [{"list_id": "d", "list_name": "Found"}],
        "signals": [{"signal_id": "s", "signal_name": "Signal", "count": 3}],
        "signal_runs": [{"signal_run_id": "r", "signal_run_name": "Run"}],
        "lists": [{"list_id": "l", "list_name": "Fair"}],
        "campaigns": [{"campaign_id": "c", "campaign_name": "Spring"}],
        "import_jobs": [{"import_job_id": "i", "import_job_name": "leads.csv"}],
        "feed_posts": [{"value": "p", "label": "Post"}],
        "chat_labels": ["hot"], "reply_classifications": [{"value": "not_now"}],
        "network_accounts": [{"value": "n", "label": "Ada"}],
    });
    let read = |value: &serde_json::Value| Facets::decode(value.to_string().as_bytes()).unwrap();
    let facets = options_by_facet(read(&every));
    let offered_facets: Vec<Facet> = facets.iter().map(|(facet, _)| *facet).collect();
    assert_eq!(offered_facets, Facet::ALL, "in the order of the sidebar");
    let of = |facet| {
        let found = facets.iter().find(|(of, _)| *of == facet);
        let options = &found.unwrap().1;
        options
            .iter()
            .map(|one| (one.value.as_str(), one.label.as_str(), one.count))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(Facet::IntentType), [("job_change", "Job change", None)]);
    assert_eq!(of(Facet::List), [("l", "Fair", None)]);
    assert_eq!(of(Facet::DiscoveryList), [("d", "Found", None)]);
    assert_eq!(of(Facet::Signal), [("s", "Signal", Some(3))]);
    assert_eq!(of(Facet::Reply), [("not_now", "Not now", None)]);
    assert_eq!(of(Facet::Company), [], "its values are loaded by search");

    let few = options_by_facet(read(
        &json!({"icp_tiers": [], "campaigns": [{}], "lists": null}),
    ));
    assert!(few.iter().all(|(facet, _)| facet.is_searched()), "{few:?}");
}

#[test]
fn user_text_keeps_its_case() {
    let item = |value: &str, label: Option<&str>| FacetItem {
        value: Some(value.into()),
        label: label.map(Into::into),
        count: Some(1),
        company_logo_url: None,
    };
    let items = Some(vec![item("acme", Some("acme")), item("", None)]);
    let companies = search_results(Facet::Company, items.clone());
    assert_eq!(companies.len(), 1, "an option needs a value");
    assert_eq!(companies[0].label, "acme");
    assert_eq!(search_results(Facet::Reply, items)[0].label, "Acme");
    let named = search_results(Facet::Campaign, Some(vec![item("c1", Some("Spring"))]));
    assert_eq!(named[0].label, "Spring");
}

fn counts(options: &[FacetOption]) -> Vec<Option<u64>> {
    options.iter().map(|option| option.count).collect()
}

#[test]
fn missing_counts_are_filled_from_counted_values() {
    let options = [
        option("a", None),
        option("b", Some(2)),
        option("c", Some(3)),
    ];
    let counted = [
        option("a", Some(1)),
        option("b", Some(9)),
        option("x", Some(7)),
    ];
    let filled = fill_counts(&options, &counted);
    assert_eq!(counts(&filled), [Some(1), Some(2), Some(3)]);
}

#[test]
fn counts_within_a_view_replace_those_of_the_workspace() {
    let options = [
        option("a", Some(8)),
        option("b", Some(2)),
        option("c", None),
    ];
    let counted = [option("a", Some(1)), option("x", Some(7))];
    let all = with_counts(&options, &counted, false);
    assert_eq!(values(&all), ["a", "b", "c"], "in their order");
    assert_eq!(counts(&all), [Some(1), Some(0), Some(0)]);
    let some = with_counts(&options, &counted, true);
    assert_eq!(
        counts(&some),
        [Some(1), None, None],
        "perhaps among the others"
    );
}

#[test]
fn a_view_is_counted_with_the_values_of_each_facet_apart() {
    let view = LeadsView::from_query(
        "q=ada&company=Acme&company=Bolt&icp_tier=A&list_id=l1&where=title+contains+cto",
    );
    let asked = [
        (Facet::Company, "ac"),
        (Facet::IcpTier, "x"),
        (Facet::Signal, ""),
    ];
    let body = serde_json::to_value(query(&view, true, &asked)).unwrap();
    assert_eq!(
        body,
        json!({
            "search": "ada",
            "filters": [
                {"field": "list_id", "operator": "in", "value": ["l1"]},
                {"field": "title", "operator": "contains", "value": "cto"},
            ],
            "facets": [
                {"field": "approval_status", "q": "", "limit": 100, "selected": ["pending_approval"]},
                {"field": "company", "q": "ac", "limit": 20, "selected": ["Acme", "Bolt"]},
                {"field": "icp_tier", "q": "", "limit": 100, "selected": ["A"]},
                {"field": "signal_id", "q": "", "limit": 100, "selected": []},
            ],
        })
    );
    let body = serde_json::to_value(query(&view, false, &asked[2..])).unwrap();
    let fields: Vec<&str> = body["filters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|filter| filter["field"].as_str().unwrap())
        .collect();
    assert_eq!(
        fields,
        ["company", "icp_tier", "list_id", "title", "approval_status"]
    );
    assert_eq!(body["facets"].as_array().unwrap().len(), 1);
    let all = serde_json::to_value(query(&view.on(Tab::All), true, &[])).unwrap();
    assert_eq!(all["facets"][0]["selected"], json!([]));
}

#[test]
fn a_facet_with_too_many_selected_values_is_a_filter() {
    let many = (0..101).fold(Filters::default(), |filters, number| {
        filters.with(Facet::Company, &format!("c{number}"), true)
    });
    let view = LeadsView::default().filtered(many);
    let counted = query(&view, true, &[(Facet::Company, ""), (Facet::IcpTier, "")]);
    assert!(counted.check().is_ok());
    assert_eq!((counted.filters.len(), counted.facets.len()), (1, 2));
}

#[test]
fn tabs_are_counted_only_if_every_status_is_known() {
    let result =
        |body: serde_json::Value| FacetSearchResult::decode(body.to_string().as_bytes()).unwrap();
    let items = json!([{"value": "approved", "count": 3}, {"value": "archived", "count": 1}]);
    let counts = by_status(&result(json!({"items": items}))).unwrap();
    assert_eq!(counts.0, [("approved".into(), 3), ("archived".into(), 1)]);
    assert_eq!(
        by_status(&result(json!({"items": items, "has_more": true}))),
        None
    );
    assert_eq!(
        by_status(&result(json!({"items": [{"value": "approved"}]}))),
        None
    );
    assert_eq!(by_status(&result(json!({}))), None);
}

#[test]
fn selected_values_are_on_top_and_stay_put_while_selecting() {
    let options = ["a", "b", "c", "d"].map(|value| option(value, None));
    let of = |pinned: &[&str], chosen: &[&str]| {
        let owned = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
        };
        let all = arrange_options(&options, &owned(pinned), &owned(chosen), str::to_uppercase);
        values(&all).join("")
    };
    assert_eq!(of(&[], &[]), "abcd");
    assert_eq!(of(&["c"], &["c"]), "cabd");
    assert_eq!(of(&[], &["c"]), "abcd", "just selected");
    assert_eq!(of(&["c"], &[]), "abcd", "deselected");
    assert_eq!(of(&["x"], &["x", "b"]), "xabcd", "selected but not offered");
    let missing = arrange_options(&options, &[], &["x".to_owned()], str::to_uppercase);
    assert_eq!(missing[0].label, "X");
}

#[test]
fn selected_values_stay_visible_during_a_facet_search() {
    let options = vec![option("vignette", None), option("ilnera", Some(3))];
    let chosen = ["ilnera".to_owned()];
    let found = retain_matching(options, &chosen, |label| label.contains("vign"));
    assert_eq!(values(&found), ["vignette", "ilnera"]);
    let shown = arrange_options(&found, &chosen, &chosen, str::to_uppercase);
    assert_eq!(values(&shown), ["ilnera", "vignette"]);
    assert_eq!(shown[0].count, Some(3));
}
