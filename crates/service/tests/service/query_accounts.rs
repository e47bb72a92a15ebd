//! Accounts queries against the oracle: sorts, filters, search, lists. Facets against the queries.

use lead_workspace_api::{AccountFacetField, AccountField, AccountSort, Operator, SortDir};
use serde_json::{Value, json};

use crate::common::Service;
use crate::oracle::{self, Row};
use crate::results::{ids, of_tenant, operands, service};

#[tokio::test]
async fn accounts_are_sorted_by_every_column() {
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
async fn approved_leads_are_counted() {
    let service = service(60).await;
    let leads = "SELECT max(leads) FROM (SELECT count(*) AS leads FROM leads WHERE tenant = 1 GROUP BY account) counted";
    let leads: i64 = service.value(leads).await;
    assert!(leads > 1);
    let query = json!({"include_unpromoted": true, "sort_by": "lead_count", "page_size": 1});
    for (status, expected) in [("rejected", 0), ("approved", leads)] {
        let sql = format!("UPDATE leads SET approval_status = '{status}' WHERE tenant = 1");
        service.sql(&sql).await;
        let body = service.call("POST", "/api/accounts/query", query.clone());
        assert_eq!(body.await.json()["data"][0]["approved_count"], expected);
    }
}

/// Compares each count with the total of a query for the value. Returns the number of counts that are not zero.
async fn check_facets(service: &Service, view: &Value, selected: [&[&str]; 2]) -> usize {
    let fields = AccountFacetField::ALL;
    let is_in = |index: usize, values: &[&str]| json!({"field": fields[index], "operator": "in", "value": values});
    let mut body = view.clone();
    body["facets"] = (0..2)
        .map(|index| json!({"field": fields[index], "selected": selected[index]}))
        .collect();
    let answer = service.call("POST", "/api/accounts/facets", body).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let found = answer.json()["facets"].clone();
    let mut counted = 0;
    for (index, field) in fields.iter().enumerate() {
        let facet = &found[index];
        assert_eq!(facet["field"], field.as_str());
        let items = facet["items"].as_array().unwrap();
        assert_eq!(facet["total_distinct"], items.len());
        assert_eq!(facet["has_more"], false);
        let counts: Vec<_> = items.iter().map(|item| item["count"].as_u64()).collect();
        assert!(counts.is_sorted_by(|one, next| one >= next), "{facet}");
        let sql = format!("SELECT DISTINCT {field} FROM accounts WHERE {field} IS NOT NULL");
        for value in service.texts(&sql).await {
            let mut query = view.clone();
            query["page_size"] = json!(1);
            let filters = query["filters"].as_array_mut().unwrap();
            filters.push(is_in(index, &[&value]));
            let other = 1 - index;
            if !selected[other].is_empty() {
                filters.push(is_in(other, selected[other]));
            }
            let expected = service.call("POST", "/api/accounts/query", query).await;
            let expected = expected.json()["total"].as_u64().unwrap();
            let item = items.iter().find(|item| item["value"] == value);
            let count = item.map_or(0, |item| item["count"].as_u64().unwrap());
            assert_eq!(count, expected, "{field} {value}: {view} {selected:?}");
            counted += usize::from(count > 0);
        }
    }
    counted
}

#[tokio::test]
async fn facets_count_the_accounts_that_each_value_would_show() {
    let service = service(200).await;
    service
        .sql(
            "UPDATE accounts SET is_promoted = id % 2, 
                icp_tier = CASE id % 5 WHEN 0 THEN 'A' WHEN 1 THEN 'B' ELSE 'C' END
              WHERE tenant = 1 AND id % 5 < 4;
              INSERT INTO lists (tenant, list_id, name, created_at) VALUES (1, 'mine', 'Mine', '');
              INSERT INTO account_list_items SELECT id, 1, 'mine', 'item-' || id, '' FROM accounts
                WHERE tenant = 1 AND id % 3 = 1;",
        )
        .await;
    let filter = json!({"field": "lead_count", "operator": "gte", "value": 2});
    let mut counted = Vec::new();
    for view in [
        json!({"filters": []}),
        json!({"filters": [], "include_unpromoted": true}),
        json!({"filters": [filter], "include_unpromoted": true}),
        json!({"filters": [], "search": "a", "include_unpromoted": true}),
        json!({"filters": [], "list_id": "mine", "include_unpromoted": true}),
    ] {
        for selected in [[&[][..], &[]], [&["A", "C"], &[]], [&["B"], &["11-50"]]] {
            counted.push(check_facets(&service, &view, selected).await);
        }
    }
    assert!(counted.iter().all(|count| *count > 0), "{counted:?}");
}

#[tokio::test]
async fn invalid_facets_of_accounts_are_reported_with_their_locations() {
    let service = Service::demo(5).await;
    let filter = json!({"field": "nope", "operator": "eq", "value": 1});
    for (body, location) in [
        (
            json!({"filters": [filter]}),
            ["body", "filters", "0", "field"],
        ),
        (
            json!({"facets": [{"field": "name"}]}),
            ["body", "facets", "0", "field"],
        ),
        (json!({"facets": [{}]}), ["body", "facets", "0", "field"]),
    ] {
        let answer = service.call("POST", "/api/accounts/facets", body).await;
        assert_eq!(answer.status, 422);
        assert_eq!(answer.locations(), [location]);
    }
    let none = service
        .call("POST", "/api/accounts/facets", json!({}))
        .await;
    assert_eq!(none.json(), json!({"facets": []}));
}
