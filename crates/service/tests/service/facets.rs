//! Facets and facet search against the oracle.

use std::collections::{BTreeMap, HashSet};

use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{FieldKind, LeadField, Raw};
use lead_workspace_service::fold;
use rusqlite::types::Value as Sql;
use serde_json::{Value, json};

use crate::common::Service;
use crate::oracle::{self, Row};

fn text(value: &Sql) -> String {
    match value {
        Sql::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    }
}

/// Counts leads per value; text fields by their folded text.
fn counts(rows: &[Row], field: &str, folded: bool) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for row in rows {
        let values: HashSet<String> = row
            .values(field)
            .iter()
            .map(|value| {
                if folded {
                    fold(&text(value))
                } else {
                    text(value)
                }
            })
            .collect();
        for value in values {
            *counts.entry(value).or_default() += 1;
        }
    }
    counts
}

async fn search(service: &Service, params: &[(&str, &str)]) -> Value {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(params)
        .finish();
    let answer = service
        .get(&format!("/api/leads/facets/search?{query}"))
        .await;
    assert_eq!(answer.status, 200, "{params:?}: {}", answer.text);
    answer.json()
}

fn searchable() -> impl Iterator<Item = LeadField> {
    let fields = LeadField::ALL.iter().copied();
    fields.filter(|field| matches!(field.kind(), FieldKind::Text | FieldKind::Token))
}

#[tokio::test]
async fn every_facet_counts_its_values_exactly() {
    let service = Service::demo(150).await;
    let rows = oracle::leads(&service).await;
    for field in searchable() {
        let folded = field.kind() == FieldKind::Text;
        let expected = counts(&rows, field.as_str(), folded);
        let body = search(&service, &[("field", field.as_str()), ("limit", "100")]).await;
        assert_eq!(body["field"], field.as_str());
        assert_eq!(body["total_distinct"], expected.len(), "{field}");
        let items = body["items"].as_array().unwrap();
        assert_eq!(items.len(), expected.len().min(100), "{field}");
        assert_eq!(body["has_more"], expected.len() > 100, "{field}");
        let mut last = u64::MAX;
        for item in items {
            let value = item["value"].as_str().unwrap();
            let key = if folded {
                fold(value)
            } else {
                value.to_owned()
            };
            let count = item["count"].as_u64().unwrap();
            assert_eq!(Some(&count), expected.get(&key), "{field} {item}");
            assert!(count <= last && item["label"].is_string(), "{field} {item}");
            last = count;
        }
        // A filter with this value returns the reported number of leads.
        if let Some(item) = items.first() {
            let filter = json!({"field": field, "operator": "eq", "value": item["value"]});
            let query = json!({"filters": [filter], "page_size": 1});
            let answer = service.call("POST", "/api/leads/query", query).await.json();
            assert_eq!(answer["total"], item["count"], "{field} {item}");
        }
    }
}

#[tokio::test]
async fn facet_search_matches_substrings_without_case_and_accents() {
    let service = Service::demo(150).await;
    service.sql("UPDATE lists SET name = 'Über ' || name").await;
    let rows = oracle::leads(&service).await;
    let titles = counts(&rows, "title", true);
    for q in [
        "MANAG",
        "é",
        "  sales ",
        "ma\u{200b}nag",
        "head  of",
        "no such title",
    ] {
        let expected: BTreeMap<_, _> = titles
            .iter()
            .filter(|(title, _)| title.contains(fold(q).trim()))
            .collect();
        let body = search(&service, &[("field", "title"), ("q", q), ("limit", "3")]).await;
        assert_eq!(body["total_distinct"], expected.len(), "{q}");
        assert_eq!(
            body["items"].as_array().unwrap().len(),
            expected.len().min(3),
            "{q}"
        );
        assert_eq!(body["has_more"], expected.len() > 3, "{q}");
    }
    let lists = counts(&rows, "list_id", false);
    let body = search(&service, &[("field", "list_id"), ("q", "uber")]).await;
    assert_eq!(body["total_distinct"], lists.len());
    assert!(
        body["items"][0]["label"]
            .as_str()
            .unwrap()
            .starts_with("Über ")
    );
    let body = search(
        &service,
        &[("field", "approval_status"), ("q", "pending app")],
    )
    .await;
    assert_eq!(body["items"][0]["value"], "pending_approval");
    assert_eq!(body["items"][0]["label"], "Pending approval");
}

#[tokio::test]
async fn selected_values_are_always_listed() {
    let service = Service::demo(150).await;
    service
        .sql("UPDATE leads SET company = 'Comma, Inc.', company_folded = NULL WHERE id = 1")
        .await;
    let rare = "Comma, Inc.";
    let values = |body: &Value| -> Vec<String> {
        let items = body["items"].as_array().unwrap();
        items
            .iter()
            .map(|item| item["value"].as_str().unwrap().to_owned())
            .collect()
    };
    let plain = search(&service, &[("field", "company"), ("limit", "2")]).await;
    let top = values(&plain);
    assert!(!top.contains(&rare.to_owned()));
    let list = json!([rare, "gone"]).to_string();
    for selected in [rare, list.as_str(), "Comma%2C"] {
        let params = [("field", "company"), ("limit", "2"), ("selected", selected)];
        let body = search(&service, &params).await;
        let total = &plain["total_distinct"];
        assert_eq!(&body["total_distinct"], total, "{selected}");
        assert_eq!(body["has_more"], true);
        match selected {
            "Comma, Inc." => assert_eq!(values(&body), [rare, &top[0]]),
            "Comma%2C" => assert_eq!(body["items"][0]["count"], 0),
            _ => {
                assert_eq!(values(&body), [rare, "gone"]);
                assert_eq!(body["items"][0]["count"], 1);
                assert_eq!(body["items"][1]["count"], 0);
            }
        }
    }
    let params = [
        ("field", "company"),
        ("q", "no match"),
        ("selected", r#"["a",1]"#),
    ];
    assert_eq!(values(&search(&service, &params).await), ["a", "1"]);
    let both = format!("{},{}", top[0], top[1]);
    let params = [("field", "company"), ("q", "no match"), ("selected", &both)];
    let body = search(&service, &params).await;
    assert_eq!(values(&body), top);
    assert_eq!(
        (&body["total_distinct"], &body["has_more"]),
        (&json!(0), &json!(false))
    );
}

/// Accounts are counted by their row number.
#[tokio::test]
async fn an_account_that_does_not_exist_has_no_leads() {
    let service = Service::demo(50).await;
    let known = service.value::<i64>("SELECT max(account) FROM leads");
    let unknown = known.await.to_string();
    let params = [("field", "account_id"), ("selected", &unknown)];
    let body = search(&service, &params).await;
    assert_eq!(body["items"][0]["value"], unknown);
    assert_eq!(body["items"][0]["count"], 0);
}

#[tokio::test]
async fn companies_include_their_logo() {
    let service = Service::demo(50).await;
    service
        .sql("UPDATE accounts SET logo_url = 'https://logos.example/' || account_id")
        .await;
    for field in ["company", "account_id"] {
        let body = search(&service, &[("field", field)]).await;
        for item in body["items"].as_array().unwrap() {
            let logo = item["company_logo_url"].as_str().unwrap();
            assert!(logo.starts_with("https://logos.example/"), "{item}");
        }
    }
}

/// Returns the elements of an open facet array by value.
fn options(facets: &Value, name: &str) -> BTreeMap<String, Option<u64>> {
    let elements = facets[name].as_array().unwrap_or_else(|| panic!("{name}"));
    let read = |element: &Value| FacetOption::read(&Raw::from(element.clone())).unwrap();
    elements
        .iter()
        .map(read)
        .map(|option| (option.value, option.count))
        .collect()
}

#[tokio::test]
async fn facets_list_values_within_the_context() {
    let service = Service::demo(200).await;
    let rows = oracle::leads(&service).await;
    let signal = text(
        &rows
            .iter()
            .find_map(|row| row.values("signal_id").first())
            .unwrap()
            .clone(),
    );
    let campaign = text(
        &rows
            .iter()
            .find_map(|row| row.values("campaign_id").first())
            .unwrap()
            .clone(),
    );
    let run = text(
        &rows
            .iter()
            .find_map(|row| row.values("signal_run_id").first())
            .unwrap()
            .clone(),
    );
    let has =
        |row: &Row, field: &str, value: &str| row.values(field).contains(&Sql::Text(value.into()));
    for (query, field, value) in [
        (String::new(), "", ""),
        (format!("?signal_id={signal}"), "signal_id", signal.as_str()),
        (
            format!("?campaign_id={campaign}"),
            "campaign_id",
            campaign.as_str(),
        ),
        (
            format!("?signal_run_id={run}"),
            "signal_run_id",
            run.as_str(),
        ),
    ] {
        let facets = service
            .get(&format!("/api/leads/facets{query}"))
            .await
            .json();
        let within: Vec<Row> = rows
            .iter()
            .filter(|row| field.is_empty() || has(row, field, value))
            .cloned()
            .collect();
        for (name, of) in [
            ("company_sizes", "company_size"),
            ("icp_tiers", "icp_tier"),
            ("intent_types", "intent_type"),
            ("signals", "signal_id"),
            ("signal_runs", "signal_run_id"),
            ("campaigns", "campaign_id"),
            ("import_jobs", "import_job_id"),
            ("feed_posts", "feed_post"),
            ("chat_labels", "chat_label"),
            ("reply_classifications", "reply_classification"),
            ("network_accounts", "network_account"),
        ] {
            // A facet ignores its own parameter.
            let expected = counts(if of == field { &rows } else { &within }, of, false);
            let found = options(&facets, name);
            assert!(
                found.keys().eq(expected.keys()),
                "{name} {query}: {found:?} {expected:?}"
            );
            for (value, count) in found {
                assert!(
                    count.is_none_or(|count| count == expected[&value]),
                    "{name} {value}"
                );
            }
        }
        let mut lists = options(&facets, "lists");
        let discovery = options(&facets, "discovery_lists");
        assert!(discovery.keys().all(|list| !lists.contains_key(list)));
        lists.extend(discovery);
        assert!(
            lists.keys().eq(counts(&within, "list_id", false).keys()),
            "{query}"
        );

        // The search within one facet uses the same context.
        let param = (field, value);
        let mut params = vec![("field", "title")];
        params.extend((!field.is_empty()).then_some(param));
        let body = search(&service, &params).await;
        assert_eq!(
            body["total_distinct"],
            counts(&within, "title", true).len(),
            "{query}"
        );
    }
    let facets = service
        .get("/api/leads/facets?signal_id=unknown")
        .await
        .json();
    assert_eq!(facets["company_sizes"], json!([]));
}

/// Selected values count as shown, so `has_more` is false when all values are selected.
#[tokio::test]
async fn matching_selected_values_count_as_shown() {
    let service = Service::demo(150).await;
    let all = search(&service, &[("field", "approval_status"), ("limit", "100")]).await;
    let values: Vec<&str> = all["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["value"].as_str().unwrap())
        .collect();
    assert!(values.len() > 2);
    let selected = json!(values).to_string();
    let params = [("field", "approval_status"), ("limit", "1")];
    let every = search(
        &service,
        &[&params[..], &[("selected", &selected)]].concat(),
    )
    .await;
    assert_eq!(every["items"].as_array().unwrap().len(), values.len());
    assert_eq!(every["total_distinct"], values.len());
    assert_eq!(every["has_more"], false, "some values are missing");
    // All except the most frequent value, which comes first in the search.
    let selected = json!(values[1..]).to_string();
    let but_one = search(
        &service,
        &[&params[..], &[("selected", &selected)]].concat(),
    )
    .await;
    assert_eq!(but_one["items"].as_array().unwrap().len(), values.len() - 1);
    assert_eq!(but_one["has_more"], true);
    // A selected value that does not match `q` is shown, but not counted.
    let params = [
        ("field", "approval_status"),
        ("q", "reject"),
        ("limit", "1"),
    ];
    let other = search(
        &service,
        &[&params[..], &[("selected", "[\"approved\"]")]].concat(),
    )
    .await;
    assert_eq!(other["items"].as_array().unwrap().len(), 1);
    assert_eq!(other["total_distinct"], 1);
    assert_eq!(other["has_more"], true);
}
