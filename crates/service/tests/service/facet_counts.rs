//! Facets counted within a view, against the oracle.

use std::collections::{BTreeMap, HashSet};

use lead_workspace_api::{FieldKind, LeadField, Operator};
use lead_workspace_service::fold;
use rusqlite::types::Value as Sql;
use serde_json::{Value, json};

use crate::common::Service;
use crate::oracle::{self, Row};

/// A condition: field, operator, value.
type Condition = (LeadField, Operator, Value);

/// A view: filters, search, and facets with their selected values.
struct View<'a> {
    filters: Vec<Condition>,
    search: &'a str,
    facets: Vec<(LeadField, Vec<&'a str>)>,
}

impl View<'_> {
    fn body(&self, limit: u32) -> Value {
        let filters = self.filters.iter().map(
            |(field, operator, value)| json!({"field": field, "operator": operator, "value": value}),
        );
        let facets = self
            .facets
            .iter()
            .map(|(field, selected)| json!({"field": field, "selected": selected, "limit": limit}));
        json!({
            "filters": filters.collect::<Vec<_>>(),
            "search": self.search,
            "facets": facets.collect::<Vec<_>>(),
        })
    }

    /// Whether a lead belongs to the view, without the selected values of the facet at `own`.
    fn holds(&self, row: &Row, own: usize) -> bool {
        let is = |field: LeadField, operator, value: &Value| {
            row.holds(field.as_str(), field.kind(), operator, value)
        };
        let mut others = self.facets.iter().enumerate();
        self.filters
            .iter()
            .all(|(field, operator, value)| is(*field, *operator, value))
            && row.is_found_by(self.search)
            && others.all(|(index, (field, selected))| {
                index == own || selected.is_empty() || is(*field, Operator::In, &json!(selected))
            })
    }
}

fn key(field: LeadField, value: &str) -> String {
    match field.kind() {
        FieldKind::Text => fold(value),
        _ => value.to_owned(),
    }
}

fn expected(rows: &[Row], view: &View<'_>, own: usize) -> BTreeMap<String, u64> {
    let field = view.facets[own].0;
    let mut counts = BTreeMap::new();
    for row in rows.iter().filter(|row| view.holds(row, own)) {
        let values = row.values(field.as_str()).iter().map(|value| match value {
            Sql::Text(text) => key(field, text),
            other => panic!("{other:?}"),
        });
        for value in values.collect::<HashSet<_>>() {
            *counts.entry(value).or_default() += 1;
        }
    }
    counts
}

async fn count(service: &Service, body: Value) -> Vec<Value> {
    let answer = service.call("POST", "/api/leads/facets", body).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["facets"].as_array().unwrap().clone()
}

async fn check(service: &Service, rows: &[Row], view: &View<'_>) -> u64 {
    let found = count(service, view.body(100)).await;
    assert_eq!(found.len(), view.facets.len());
    let mut sum = 0;
    for (own, (result, (field, selected))) in found.iter().zip(&view.facets).enumerate() {
        let expected = expected(rows, view, own);
        assert_eq!(result["field"], field.as_str());
        assert_eq!(result["total_distinct"], expected.len(), "{field}");
        let items = result["items"].as_array().unwrap();
        let named = |item: &Value| key(*field, item["value"].as_str().unwrap());
        for value in selected {
            let is_it = |item: &&Value| named(item) == key(*field, value);
            assert!(
                items.iter().any(|item| is_it(&item)),
                "{field}: {value} is selected"
            );
        }
        for item in items {
            let count = item["count"].as_u64().unwrap();
            assert_eq!(
                count,
                expected.get(&named(item)).copied().unwrap_or(0),
                "{field}: {item}"
            );
            sum += count;
        }
        let listed = items
            .iter()
            .filter(|item| expected.contains_key(&named(item)));
        assert!(
            listed.count() >= expected.len().min(100 - selected.len()),
            "{field}"
        );
    }
    sum
}

fn views<'a>() -> Vec<View<'a>> {
    use LeadField as F;
    use Operator as O;
    let open = |fields: &[F]| fields.iter().map(|field| (*field, Vec::new())).collect();
    let every: Vec<F> = F::ALL
        .iter()
        .copied()
        .filter(|field| matches!(field.kind(), FieldKind::Text | FieldKind::Token))
        .collect();
    let view = |filters, search, facets| View {
        filters,
        search,
        facets,
    };
    vec![
        view(vec![], "", open(&every)),
        view(vec![(F::IcpScore, O::Gte, json!(60))], "", open(&every)),
        view(
            vec![(F::Title, O::Contains, json!("manag"))],
            "an",
            open(&every),
        ),
        view(vec![], "no such lead anywhere", open(&every)),
        // What the review's tabs and sidebar ask for.
        view(
            vec![(F::IsPremium, O::Eq, json!(false))],
            "",
            vec![
                (F::ApprovalStatus, vec!["pending_approval"]),
                (F::IcpTier, vec!["A", "B"]),
                (F::CompanySize, vec!["51-200", "201-500"]),
                (F::Company, vec![]),
                (F::CampaignId, vec![]),
                (F::ListId, vec![]),
                (F::SignalId, vec![]),
            ],
        ),
        // A filter on the field of a facet restricts that facet, unlike a selected value.
        view(
            vec![
                (F::IcpTier, O::In, json!(["A", "B"])),
                (F::ApprovalStatus, O::Neq, json!("rejected")),
            ],
            "",
            vec![
                (F::ApprovalStatus, vec!["approved"]),
                (F::IcpTier, vec!["C", "A"]),
                (F::Title, vec!["No such title"]),
                (F::IntentType, vec![]),
            ],
        ),
        // Two facets of one field restrict each other.
        view(
            vec![],
            "a",
            vec![
                (F::IcpTier, vec!["A", "B"]),
                (F::IcpTier, vec!["B", "C"]),
                (F::Location, vec![]),
            ],
        ),
    ]
}

#[tokio::test]
async fn each_facet_counts_the_view_without_its_own_selection() {
    let service = Service::demo(400).await;
    let rows = oracle::leads(&service).await;
    let mut sum = 0;
    for view in views() {
        sum += check(&service, &rows, &view).await;
    }
    assert!(sum > 10_000, "{sum}");
}

/// Large sets of leads are tested bit by bit, small ones looked up.
#[tokio::test]
async fn large_views_are_counted_like_small_ones() {
    let service = Service::demo(3_600).await;
    service.sql("DELETE FROM leads WHERE id % 97 = 5").await;
    let rows = oracle::leads(&service).await;
    for view in views() {
        check(&service, &rows, &view).await;
    }
    let most = View {
        filters: vec![(LeadField::Name, Operator::IsSet, Value::Null)],
        search: "",
        facets: vec![
            (LeadField::IcpTier, vec![]),
            (LeadField::FeedPost, vec![]),
            (LeadField::Title, vec![]),
        ],
    };
    let sum = check(&service, &rows, &most).await;
    assert!(sum > 3_000, "{sum}");
}

/// The count of a value is the total of the query with this value selected alone.
#[tokio::test]
async fn a_count_is_what_choosing_the_value_would_list() {
    let service = Service::demo(400).await;
    let search = "manager";
    let tiers = json!({"field": "icp_tier", "operator": "in", "value": ["A", "B"]});
    let found = count(
        &service,
        json!({"search": search, "facets": [
            {"field": "icp_tier", "selected": ["A", "B"]},
            {"field": "approval_status"},
            {"field": "industry", "limit": 5},
        ]}),
    )
    .await;
    for (result, others) in found.iter().zip([vec![], vec![&tiers], vec![&tiers]]) {
        for item in result["items"].as_array().unwrap() {
            let own = json!({"field": result["field"], "operator": "in", "value": [item["value"]]});
            let mut filters = others.clone();
            filters.push(&own);
            let query = json!({"filters": filters, "search": search, "page_size": 1});
            let answer = service.call("POST", "/api/leads/query", query).await.json();
            assert_eq!(answer["total"], item["count"], "{item}");
        }
    }
}

#[tokio::test]
async fn values_are_searched_within_the_view() {
    let service = Service::demo(400).await;
    let facet = json!({"field": "title", "q": "MANAG", "limit": 3, "selected": ["No such title"]});
    let filters = json!([{"field": "icp_score", "operator": "gte", "value": 50}]);
    let found = count(&service, json!({"filters": filters, "facets": [facet]})).await;
    let rows = oracle::leads(&service).await;
    let view = View {
        filters: vec![(LeadField::IcpScore, Operator::Gte, json!(50))],
        search: "",
        facets: vec![(LeadField::Title, vec![])],
    };
    let titles = expected(&rows, &view, 0);
    let matching = titles
        .keys()
        .filter(|title| title.contains("manag"))
        .count();
    assert!(matching > 3);
    assert_eq!(found[0]["total_distinct"], matching);
    assert_eq!(found[0]["has_more"], true);
    let items = found[0]["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["count"]), (3, &json!(0)));
}

#[tokio::test]
async fn every_problem_is_reported_with_its_location() {
    let service = Service::demo(5).await;
    let body = json!({
        "filters": [{"field": "nope", "operator": "eq", "value": 1}],
        "facets": [{"field": "company"}, {"field": "icp_score"}, {"field": "shoe_size"}],
    });
    let answer = service.call("POST", "/api/leads/facets", body).await;
    assert_eq!(answer.status, 422);
    assert_eq!(
        answer.locations(),
        [
            vec!["body", "filters", "0", "field"],
            vec!["body", "facets", "1", "field"],
            vec!["body", "facets", "2", "field"],
        ]
    );
    let body = json!({"facets": [{"field": "company", "limit": 0}, {}]});
    let answer = service.call("POST", "/api/leads/facets", body).await;
    assert_eq!(
        answer.locations(),
        [
            ["body", "facets", "0", "limit"],
            ["body", "facets", "1", "field"]
        ]
    );
    assert_eq!(count(&service, json!({})).await, [] as [Value; 0]);
}
