//! Leads queries against the oracle: sorts, filters, search, pages.

use lead_workspace_api::{FieldKind, LeadField, LeadSort, Operator, SortDir};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::common::Service;
use crate::oracle::{self, Row};
use crate::results::{ids, of_tenant, operands, service};

#[tokio::test]
async fn leads_are_sorted_by_every_column() {
    let service = service(90).await;
    let rows = of_tenant(oracle::leads(&service).await);
    for &by in LeadSort::ALL {
        for dir in [SortDir::Asc, SortDir::Desc] {
            let expected = oracle::sorted(&rows, by.as_str(), dir == SortDir::Desc);
            // A list without conditions never needs the columns in memory.
            let all = json!([{"field": "created_at", "operator": "is_set"}]);
            for filters in [json!([]), all] {
                let query = json!({
                    "filters": filters, "sort_by": by, "sort_dir": dir, "page_size": 17,
                });
                assert_eq!(ids(&service, "leads", query).await, expected, "{by} {dir}");
            }
        }
    }
}

#[tokio::test]
async fn every_operator_works_on_every_field_of_leads() {
    let service = service(70).await;
    let rows = of_tenant(oracle::leads(&service).await);
    let mut narrowed = 0;
    for &field in LeadField::ALL {
        for &operator in Operator::ALL {
            for value in operands(&rows, field.as_str(), field.kind(), operator) {
                let filter = json!({"field": field, "operator": operator, "value": value});
                let query = json!({"filters": [filter], "sort_by": "name", "page_size": 100});
                let holds = |row: &&Row| row.holds(field.as_str(), field.kind(), operator, &value);
                let expected: Vec<Row> = rows.iter().filter(holds).cloned().collect();
                let expected = oracle::sorted(&expected, "name", true);
                assert_eq!(ids(&service, "leads", query).await, expected, "{filter}");
                narrowed += usize::from(!expected.is_empty() && expected.len() < rows.len());
            }
        }
    }
    assert!(
        narrowed > 300,
        "only {narrowed} filters selected some of the leads"
    );
}

#[tokio::test]
async fn search_finds_words_at_any_position() {
    let service = service(200).await;
    let rows = of_tenant(oracle::leads(&service).await);
    let mut texts: Vec<String> = [
        "ZOE",
        "zoë aero",
        "ærø",
        "a",
        "an",
        "小",
        "李 小龍",
        "%",
        "_alle",
        "\"",
        "fur_alle \"",
        "' OR 1",
        "nothing of that kind",
        "  ",
        "e\u{301}in",
        "*",
        "zoe AND ein",
        "-ein",
        "\0ein",
        "Zo\u{200b}e\u{301}",
    ]
    .map(str::to_owned)
    .to_vec();
    for row in rows.iter().step_by(23) {
        texts.extend(row.searched.iter().cloned());
        // Words of several fields, up to the maximum number.
        let words = row.searched.join(" ");
        let words: Vec<&str> = words.split_whitespace().take(16).collect();
        texts.push(words.join(" "));
        texts.extend(
            row.searched
                .iter()
                .map(|text| text.chars().skip(1).take(5).collect()),
        );
    }
    for text in texts {
        let found = |row: &&Row| row.is_found_by(&text.replace('\0', " "));
        let expected: Vec<Row> = rows.iter().filter(found).cloned().collect();
        let expected = oracle::sorted(&expected, "title", false);
        let query = json!({"search": text, "sort_by": "title", "sort_dir": "asc"});
        assert_eq!(ids(&service, "leads", query).await, expected, "{text:?}");
    }
}

#[tokio::test]
async fn a_page_beyond_the_end_is_empty() {
    let service = service(30).await;
    for page in [100, u32::MAX] {
        let query = json!({"page": page, "page_size": 100, "filters": []});
        let body = service.call("POST", "/api/leads/query", query).await.json();
        assert_eq!(body["data"], json!([]));
        assert_eq!(
            (&body["total"], &body["has_more"]),
            (&json!(35), &json!(false))
        );
        assert_eq!(body["page"], page);
    }
}

#[tokio::test]
async fn deep_pages_are_correct() {
    let service = Service::empty().await;
    service
        .sql(
            "INSERT INTO leads (tenant, lead_id, created_at, title, approval_status, icp_tier)
             WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4900)
             SELECT 1, 'lead-' || n, '', t, CASE n % 9 WHEN 0 THEN 'rejected' ELSE 'approved' END,
               substr('ABC', n % 3 + 1, 1)
             FROM (SELECT n, CASE WHEN n % 4 = 0 THEN NULL ELSE 'title ' || (n * 7919 % 1000) END AS t FROM n) titled",
        )
        .await;
    let rows = oracle::leads(&service).await;
    let filters = [
        ("approval_status", Operator::Eq, json!("approved")),
        ("icp_tier", Operator::In, json!(["A", "B", "C"])),
    ];
    let holds = |row: &&Row| {
        let is = |(field, operator, value): &(&str, Operator, Value)| {
            row.holds(field, FieldKind::Token, *operator, value)
        };
        filters.iter().all(is)
    };
    let matching: Vec<Row> = rows.iter().filter(holds).cloned().collect();
    let filters: Vec<Value> = filters
        .iter()
        .map(|(field, operator, value)| json!({"field": field, "operator": operator, "value": value}))
        .collect();
    for (dir, descending) in [("asc", false), ("desc", true)] {
        let expected = oracle::sorted(&matching, "title", descending);
        // Pages of rows with a title, across the boundary to rows without one, and at the end.
        for page in [1, 20, 32, 33, 34, 40, 43, 44] {
            let query = json!({
                "filters": filters, "sort_by": "title", "sort_dir": dir,
                "page": page, "page_size": 100,
            });
            let body = service.call("POST", "/api/leads/query", query).await.json();
            let found: Vec<&str> = body["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["lead_id"].as_str().unwrap())
                .collect();
            let from = (page - 1) * 100;
            assert_eq!(body["total"], expected.len());
            assert_eq!(
                found,
                expected[from..expected.len().min(from + 100)],
                "{dir} page {page}"
            );
        }
    }
}

/// Random combinations of up to two filters, a search and a sort.
#[test]
fn query_combinations_match_the_oracle() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let service = runtime.block_on(service(80));
    let rows = of_tenant(runtime.block_on(oracle::leads(&service)));
    let field = proptest::sample::select(LeadField::ALL);
    let operator = proptest::sample::select(Operator::ALL);
    let filter = (field, operator, any::<proptest::sample::Index>());
    let search = proptest::option::of(proptest::sample::select(vec!["a", "man", "ing o", "é"]));
    let sort = proptest::sample::select(LeadSort::ALL);
    let query = (
        proptest::collection::vec(filter, 0..3),
        search,
        sort,
        any::<bool>(),
        1..100_u32,
    );
    let mut runner = TestRunner::new(Config {
        cases: 200,
        ..Config::default()
    });
    let checked = runner.run(&query, |(filters, search, by, descending, page_size)| {
        let filters: Vec<(LeadField, Operator, Value)> = filters
            .into_iter()
            .map(|(field, operator, index)| {
                let values = operands(&rows, field.as_str(), field.kind(), operator);
                (field, operator, values[index.index(values.len())].clone())
            })
            .collect();
        let holds = |row: &&Row| {
            search.is_none_or(|text| row.is_found_by(text))
                && filters.iter().all(|(field, operator, value)| {
                    row.holds(field.as_str(), field.kind(), *operator, value)
                })
        };
        let expected: Vec<Row> = rows.iter().filter(holds).cloned().collect();
        let expected = oracle::sorted(&expected, by.as_str(), descending);
        let filters: Vec<Value> = filters
        .into_iter()
        .map(|(field, operator, value)| {
            json!({"field": field, "operator": operator, "value": value})
        })
        .collect();
        let dir = if descending {
            SortDir::Desc
        } else {
            SortDir::Asc
        };
        let query = json!({
            "filters": filters, "search": search, "sort_by": by, "sort_dir": dir,
            "page_size": page_size,
        });
        prop_assert_eq!(runtime.block_on(ids(&service, "leads", query)), expected);
        Ok(())
    });
    checked.unwrap();
}
