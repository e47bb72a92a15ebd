//! Queries on leads and accounts against the oracle: sorts, filters, search, pages.

use std::collections::HashSet;

use lead_workspace_api::{
    AccountField, AccountSort, FieldKind, LeadField, LeadSort, Operator, SortDir,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::common::Service;
use crate::oracle::{self, Row};

/// Demo leads, and a few that stress what demo leads do not: nothing known, odd letters, ties.
async fn service(leads: u64) -> Service {
    let service = Service::demo(leads).await;
    let mut odd = String::new();
    for (number, name) in [
        (1, None),
        (2, None),
        (3, Some("Zoë Ærø")),
        (4, Some("zoe aero")),
        (5, Some("李 小龍")),
    ] {
        let text = name.map_or("NULL".into(), |name| format!("'{name}'"));
        let key = name.map_or("NULL".into(), |name| {
            format!("'{}'", lead_workspace_service::fold(name))
        });
        odd.push_str(&format!(
            "INSERT INTO leads (tenant, lead_id, created_at, name, name_key, headline, headline_key, search_key)
             VALUES (1, 'odd-{number}', '2026-01-01T00:00:00.000Z', {text}, {key}, 'Ein % für_alle \"', 'ein % fur_alle \"',
               coalesce({key}, '') || char(10) || 'ein % fur_alle \"');"
        ));
    }
    // Another workspace's leads must never be seen.
    odd.push_str(
        "INSERT INTO tenants (tenant, tenant_id, name, created_at) VALUES (2, 'other', '', '');
         INSERT INTO accounts (tenant, account_id, name, name_key, created_at) VALUES (2, 'secret', 'Secret', 'secret', '');
         INSERT INTO leads (tenant, lead_id, name, name_key, approval_status, created_at, search_key)
           VALUES (2, 'secret', 'Secret', 'secret', 'approved', '', 'secret');",
    );
    service.sql(&odd).await;
    service
}

/// The ids of a whole result, page by page.
async fn ids(service: &Service, noun: &str, mut query: Value) -> Vec<String> {
    let id = if noun == "leads" { "lead_id" } else { "id" };
    let mut all = Vec::new();
    for page in 1.. {
        query["page"] = page.into();
        let answer = service
            .call("POST", &format!("/api/{noun}/query"), query.clone())
            .await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        let body = answer.json();
        let rows = body["data"].as_array().unwrap();
        all.extend(rows.iter().map(|row| row[id].as_str().unwrap().to_owned()));
        if body["has_more"] == false {
            assert_eq!(body["total"], all.len(), "{query}");
            let distinct: HashSet<_> = all.iter().collect();
            assert_eq!(distinct.len(), all.len(), "{query}: a row is on two pages");
            return all;
        }
        assert_eq!(
            rows.len(),
            query["page_size"].as_u64().unwrap_or(50) as usize
        );
    }
    unreachable!()
}

fn of_tenant(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter().filter(|row| row.id != "secret").collect()
}

#[tokio::test]
async fn leads_come_in_the_order_of_every_sort() {
    let service = service(90).await;
    let rows = of_tenant(oracle::leads(&service).await);
    for &by in LeadSort::ALL {
        for dir in [SortDir::Asc, SortDir::Desc] {
            let query = json!({"sort_by": by, "sort_dir": dir, "page_size": 17});
            let expected = oracle::sorted(&rows, by.as_str(), dir == SortDir::Desc);
            assert_eq!(ids(&service, "leads", query).await, expected, "{by} {dir}");
        }
    }
}

#[tokio::test]
async fn accounts_come_in_the_order_of_every_sort() {
    let service = service(60).await;
    let rows = of_tenant(oracle::accounts(&service).await);
    for &by in AccountSort::ALL {
        for dir in [SortDir::Asc, SortDir::Desc] {
            let query = json!({
                "sort_by": by, "sort_dir": dir, "page_size": 7, "include_unpromoted": true,
            });
            let expected = oracle::sorted(&rows, by.as_str(), dir == SortDir::Desc);
            assert_eq!(
                ids(&service, "accounts", query).await,
                expected,
                "{by} {dir}"
            );
        }
    }
}

/// Operands for an operator on a field, from values that rows have.
fn operands(rows: &[Row], field: &str, kind: FieldKind, operator: Operator) -> Vec<Value> {
    let mut known: Vec<Value> = Vec::new();
    for value in rows.iter().flat_map(|row| row.values(field)) {
        let value = oracle::operand(kind, value);
        if !known.contains(&value) {
            known.push(value);
        }
    }
    if known.is_empty() {
        let nothing = match kind {
            FieldKind::Number => json!(1),
            FieldKind::Flag => json!(true),
            FieldKind::Time => json!("2026-01-01T00:00:00.000Z"),
            FieldKind::Text | FieldKind::Token => json!("1-10 nobody"),
        };
        known.push(nothing);
    }
    let (first, last) = (known[0].clone(), known[known.len() - 1].clone());
    let middle = known[known.len() / 2].clone();
    match operator {
        Operator::IsSet | Operator::IsNotSet => vec![Value::Null],
        Operator::In | Operator::NotIn => {
            let many: Vec<Value> = known.iter().cycle().take(60).cloned().collect();
            vec![json!([]), json!([first, middle]), json!(many)]
        }
        Operator::Between => vec![json!([first, last]), json!([last, first])],
        Operator::Contains | Operator::NotContains | Operator::StartsWith => {
            let text = middle
                .as_str()
                .map_or_else(|| middle.to_string(), str::to_owned);
            let part: String = text.chars().take(4).collect();
            vec![
                json!(text.to_uppercase()),
                json!(part),
                json!("no such thing"),
                json!(""),
            ]
        }
        _ => vec![first, middle],
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
    assert!(narrowed > 300, "only {narrowed} filters told leads apart");
}

#[tokio::test]
async fn every_operator_works_on_every_field_of_accounts() {
    let service = service(70).await;
    let rows = of_tenant(oracle::accounts(&service).await);
    for &field in AccountField::ALL {
        for &operator in Operator::ALL {
            for value in operands(&rows, field.as_str(), field.kind(), operator) {
                let filter = json!({"field": field, "operator": operator, "value": value});
                let query = json!({
                    "filters": [filter], "include_unpromoted": true, "page_size": 100,
                });
                let holds = |row: &&Row| row.holds(field.as_str(), field.kind(), operator, &value);
                let expected: Vec<Row> = rows.iter().filter(holds).cloned().collect();
                let expected = oracle::sorted(&expected, "created_at", true);
                assert_eq!(ids(&service, "accounts", query).await, expected, "{filter}");
            }
        }
    }
}

#[tokio::test]
async fn search_finds_words_wherever_they_stand() {
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
    ]
    .map(str::to_owned)
    .to_vec();
    for row in rows.iter().step_by(23) {
        texts.extend(row.searched.iter().cloned());
        // Words of two fields.
        texts.push(row.searched.join(" "));
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
async fn accounts_are_found_by_search_list_and_promotion() {
    let service = service(60).await;
    service
        .sql("UPDATE accounts SET is_promoted = id % 2 WHERE tenant = 1")
        .await;
    let rows = of_tenant(oracle::accounts(&service).await);
    let promoted: Vec<Row> = rows
        .iter()
        .filter(|row| row.values("is_promoted") == [rusqlite::types::Value::Integer(1)])
        .cloned()
        .collect();
    assert!(promoted.len() < rows.len());
    let all = ids(&service, "accounts", json!({})).await;
    assert_eq!(all, oracle::sorted(&promoted, "created_at", true));
    for text in [promoted[0].searched[0].as_str(), "LON", "a e"] {
        let found: Vec<Row> = promoted
            .iter()
            .filter(|row| row.is_found_by(text))
            .cloned()
            .collect();
        let query = json!({"search": text, "sort_by": "lead_count"});
        let expected = oracle::sorted(&found, "lead_count", true);
        assert_eq!(ids(&service, "accounts", query).await, expected, "{text}");
    }
    service
        .sql(
            "INSERT INTO lists (tenant, list_id, name, created_at) VALUES (1, 'mine', 'Mine', '');
             INSERT INTO account_list_items SELECT id, 1, 'mine', 'item-' || id, '' FROM accounts
               WHERE tenant = 1 AND id % 3 = 1;",
        )
        .await;
    let query = json!({"list_id": "mine", "include_unpromoted": true});
    let body = service
        .call("POST", "/api/accounts/query", query)
        .await
        .json();
    let listed = rows.iter().filter(|row| row.number % 3 == 1).count();
    assert_eq!(body["total"], listed);
    for row in body["data"].as_array().unwrap() {
        assert!(
            row["list_item_id"].as_str().unwrap().starts_with("item-"),
            "{row}"
        );
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
async fn pages_deep_in_a_large_result_are_the_right_ones() {
    let service = Service::empty().await;
    service
        .sql(
            "INSERT INTO leads (tenant, lead_id, created_at, title, title_key, approval_status, icp_tier, search_key)
             WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 12000)
             SELECT 1, 'lead-' || n, '', t, t, CASE n % 9 WHEN 0 THEN 'rejected' ELSE 'approved' END,
               char(65 + n % 3), coalesce(t, '')
             FROM (SELECT n, CASE WHEN n % 4 = 0 THEN NULL ELSE 'title ' || (n * 7919 % 1000) END AS t FROM n);",
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
    let kept: Vec<Row> = rows.iter().filter(holds).cloned().collect();
    let filters: Vec<Value> = filters
        .iter()
        .map(|(field, operator, value)| json!({"field": field, "operator": operator, "value": value}))
        .collect();
    for (dir, descending) in [("asc", false), ("desc", true)] {
        let expected = oracle::sorted(&kept, "title", descending);
        // Among rows with a title, over the edge to those without one, and at the end.
        for page in [1, 50, 79, 80, 81, 90, 106, 107] {
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

/// Any two filters, a search and a sort together.
#[test]
fn combinations_agree_with_the_oracle() {
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
