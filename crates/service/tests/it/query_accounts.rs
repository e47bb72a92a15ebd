//! Accounts queries against the oracle: sorts, filters, search, lists.

use lead_workspace_api::{AccountField, AccountSort, Operator, SortDir};
use serde_json::json;

use crate::oracle::{self, Row};
use crate::results::{ids, of_tenant, operands, services};

#[tokio::test]
async fn accounts_are_sorted_by_every_column() {
    for service in services(60).await {
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
}

#[tokio::test]
async fn every_operator_works_on_every_field_of_accounts() {
    for service in services(70).await {
        let rows = of_tenant(oracle::accounts(&service).await);
        for &field in AccountField::ALL {
            for &operator in Operator::ALL {
                for value in operands(&rows, field.as_str(), field.kind(), operator) {
                    let filter = json!({"field": field, "operator": operator, "value": value});
                    let query = json!({
                        "filters": [filter], "include_unpromoted": true, "page_size": 100,
                    });
                    let holds =
                        |row: &&Row| row.holds(field.as_str(), field.kind(), operator, &value);
                    let expected: Vec<Row> = rows.iter().filter(holds).cloned().collect();
                    let expected = oracle::sorted(&expected, "created_at", true);
                    assert_eq!(ids(&service, "accounts", query).await, expected, "{filter}");
                }
            }
        }
    }
}

#[tokio::test]
async fn accounts_are_found_by_search_list_and_promotion() {
    for service in services(60).await {
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
}

#[tokio::test]
async fn approved_leads_are_counted() {
    for service in services(60).await {
        let leads = "SELECT max(lead_count) FROM accounts WHERE tenant = 1";
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
}
