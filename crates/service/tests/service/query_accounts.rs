//! Accounts queries against the oracle: filters, search, lists.

use lead_workspace_api::{AccountField, Operator};
use serde_json::json;

use crate::common::Service;
use crate::oracle::{self, Row};
use crate::results::{ids, of_tenant, operands, service};

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
