//! Decisions, deletion, detail and pulse.

use serde_json::{Value, json};

use crate::common::Service;

async fn total(service: &Service, status: &str) -> u64 {
    let filter = json!({"field": "approval_status", "operator": "eq", "value": status});
    let query = json!({"filters": [filter], "page_size": 1});
    let body = service.call("POST", "/api/leads/query", query).await.json();
    // The total uses the maintained counts, which must match the rows.
    let sql = format!("SELECT count(*) FROM leads WHERE approval_status = '{status}'");
    let counted: i64 = service.value(&sql).await;
    assert_eq!(body["total"], counted, "{status}");
    counted.unsigned_abs()
}

#[tokio::test]
async fn a_decision_is_saved_and_counted() {
    let service = Service::demo(40).await;
    let lead: String = service
        .value("SELECT lead_id FROM leads WHERE approval_status = 'pending_approval'")
        .await;
    let path = format!("/api/leads/{lead}");
    for status in [
        "approved",
        "rejected",
        "filtered",
        "filtered",
        "pending_approval",
    ] {
        let before = total(&service, status).await;
        let had = service.get(&path).await.json()["approval_status"] == status;
        let answer = service
            .call("PATCH", &path, json!({"approval_status": status}))
            .await;
        assert_eq!(
            answer.json(),
            json!({"lead_id": lead, "approval_status": status})
        );
        assert_eq!(service.get(&path).await.json()["approval_status"], status);
        assert_eq!(total(&service, status).await, before + u64::from(!had));
    }
}

#[tokio::test]
async fn a_bulk_decision_counts_existing_leads() {
    let service = Service::demo(40).await;
    let all = service.texts("SELECT lead_id FROM leads").await;
    let mut ids = all[..10].to_vec();
    ids.extend(all[..5].to_vec());
    ids.push("unknown".into());
    let body = json!({"lead_ids": ids, "approval_status": "rejected"});
    // Repeating a decision is no error and returns the same count.
    for _ in 0..2 {
        let answer = service.call("PATCH", "/api/leads", body.clone()).await;
        assert_eq!(answer.json(), json!({"updated": 10}));
    }
    for body in [
        json!({"lead_ids": all}),
        json!({"lead_ids": all, "approval_status": null}),
        json!({"lead_ids": [], "approval_status": "approved"}),
    ] {
        let before = total(&service, "rejected").await;
        let answer = service.call("PATCH", "/api/leads", body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()),
            (200, json!({"updated": 0}))
        );
        assert_eq!(total(&service, "rejected").await, before);
    }
    let mut many: Vec<String> = (0..9_960)
        .map(|number| format!("lead_{number:032}"))
        .collect();
    many.extend(all.clone());
    let body = json!({"lead_ids": many, "approval_status": "approved"});
    let answer = service.call("PATCH", "/api/leads", body).await;
    assert_eq!(answer.json(), json!({"updated": 40}));
    assert_eq!(total(&service, "approved").await, 40);
}

#[tokio::test]
async fn a_deleted_lead_leaves_nothing_behind() {
    let service = Service::demo(120).await;
    // A lead with every kind of related row.
    service
        .sql(
            "INSERT INTO nurtures SELECT id, tenant, 'tracker', 'all', 1, '' FROM leads
               WHERE id = (SELECT lead FROM chats LIMIT 1) ON CONFLICT DO NOTHING;",
        )
        .await;
    let number: i64 = service.value("SELECT lead FROM chats LIMIT 1").await;
    let lead: String = service
        .value(&format!("SELECT lead_id FROM leads WHERE id = {number}"))
        .await;
    let name: String = service
        .value(&format!("SELECT name FROM leads WHERE id = {number}"))
        .await;
    let path = format!("/api/leads/{lead}");
    let started = service
        .call("POST", "/api/leads/score", json!({"lead_ids": [lead]}))
        .await;
    assert_eq!(started.status, 202);
    let tables = [
        "list_items",
        "lead_scores",
        "campaign_leads",
        "intents",
        "chats",
        "nurtures",
    ];
    let lead_count = format!(
        "SELECT count(*) FROM leads WHERE account = (SELECT account FROM leads WHERE id = {number})"
    );
    let account: i64 = service
        .value(&format!("SELECT account FROM leads WHERE id = {number}"))
        .await;
    let before: i64 = service.value(&lead_count).await;

    let answer = service.call("DELETE", &path, Value::Null).await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str()), (204, ""));
    for (method, body) in [
        ("GET", Value::Null),
        ("DELETE", Value::Null),
        ("PATCH", json!({"approval_status": "approved"})),
    ] {
        assert_eq!(
            service.call(method, &path, body).await.status,
            404,
            "{method}"
        );
    }
    for table in tables {
        let left: i64 = service
            .value(&format!(
                "SELECT count(*) FROM {table} WHERE lead = {number}"
            ))
            .await;
        assert_eq!(left, 0, "{table}");
    }
    let targets: i64 = service.value("SELECT count(*) FROM job_targets").await;
    assert_eq!(targets, 0);
    let sql = format!("SELECT count(*) FROM leads WHERE account = {account}");
    assert_eq!(service.value::<i64>(&sql).await, before - 1);
    let query = json!({"search": name});
    let found = service.call("POST", "/api/leads/query", query).await.text;
    assert!(!found.contains(&lead));
}

#[tokio::test]
async fn unpromoted_accounts_are_listed_only_on_request() {
    let service = Service::demo(20).await;
    service
        .sql("UPDATE accounts SET is_promoted = 0 WHERE id = 1")
        .await;
    let id: String = service
        .value("SELECT account_id FROM accounts WHERE id = 1")
        .await;
    assert_eq!(
        service.get(&format!("/api/accounts/{id}")).await.status,
        404
    );
    let detail = service
        .get(&format!("/api/accounts/{id}?include_unpromoted=true"))
        .await
        .json();
    assert_eq!(
        (&detail["id"], &detail["is_promoted"]),
        (&json!(id), &json!(false))
    );
}
