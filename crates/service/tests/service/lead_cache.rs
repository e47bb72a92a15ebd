//! Pages of leads that are shown again: built once, and never older than the last change.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::common::Service;

async fn page(service: &Service) -> Value {
    query(
        service,
        json!({"page_size": 20, "sort_by": "name", "sort_dir": "asc"}),
    )
    .await
}

async fn query(service: &Service, body: Value) -> Value {
    let answer = service.call("POST", "/api/leads/query", body).await;
    assert_eq!(answer.status, 200);
    answer.json()
}

#[tokio::test]
async fn a_page_that_is_shown_again_reads_no_leads() {
    let service = Service::demo(100).await;
    let steps = service.store.count_steps();
    // In the order of an index, so that little else is read.
    let page = async || query(&service, json!({"page_size": 20})).await;
    let first = page().await;
    let needed = steps.swap(0, Ordering::Relaxed);
    assert_eq!(page().await, first);
    let again = steps.swap(0, Ordering::Relaxed);
    assert!(again * 4 < needed, "{again} steps after {needed}");

    // A decision has only its own lead read again.
    let id = first["data"][3]["lead_id"].as_str().unwrap();
    service.decide(id, "filtered").await;
    steps.store(0, Ordering::Relaxed);
    let after = page().await;
    let again = steps.swap(0, Ordering::Relaxed);
    assert!(again * 3 < needed, "{again} steps after {needed}");
    let mut expected = first;
    expected["data"][3]["approval_status"] = json!("filtered");
    assert_eq!(after, expected);
}

/// An import has those leads read again that it changes, and all leads if it fills in an account.
#[tokio::test]
async fn an_import_drops_the_leads_that_it_changes() {
    let service = Service::demo(100).await;
    service.sql("UPDATE accounts SET tagline = NULL").await;
    let steps = service.store.count_steps();
    let page = async || query(&service, json!({"page_size": 20})).await;
    let import = async |line: &str| {
        let text = format!("Name,Profile URL,Title,Company Profile URL,Company Tagline\n{line}\n");
        let counts = service.import_csv(text).await.counts;
        steps.store(0, Ordering::Relaxed);
        [counts.inserted, counts.updated]
    };
    let mut expected = page().await;
    let first = steps.swap(0, Ordering::Relaxed);

    assert_eq!(import("New,https://p.example/in/new,,,").await, [1, 0]);
    expected["total"] = json!(101);
    assert_eq!(page().await, expected);
    let again = steps.swap(0, Ordering::Relaxed);
    // The page is found again, but its leads are not read again.
    assert!(again * 2 < first, "{again} steps after {first}");

    let profile = expected["data"][3]["profile_url"].as_str().unwrap();
    assert_eq!(import(&format!(",{profile},Baker,,")).await, [0, 1]);
    expected["data"][3]["current_account"]["title"] = json!("Baker");
    expected["data"][3]["profile_data"]["title"] = json!("Baker");
    assert_eq!(page().await, expected);

    let company = expected["data"][5]["current_account"]["network_url"]
        .as_str()
        .unwrap();
    let line = format!("Other,https://p.example/in/other,,{company},Bread");
    assert_eq!(import(&line).await, [1, 0]);
    let tagline = &page().await["data"][5]["current_account"]["tagline"];
    assert_eq!(tagline, "Bread");
}

/// Each change is seen by the next page, and only by the leads that it concerns.
#[tokio::test]
async fn a_page_is_never_older_than_the_last_change() {
    let service = Service::demo(100).await;
    let lead: i64 = service
        .value("SELECT id FROM leads ORDER BY name_key, id LIMIT 1")
        .await;
    service
        .sql(&format!(
            "INSERT INTO campaign_leads (tenant, campaign_id, lead, campaign_lead_id, lead_status, created_at)
             SELECT tenant, campaign_id, {lead}, 'added', 'active', '' FROM campaigns WHERE true LIMIT 1 ON CONFLICT DO NOTHING;
             INSERT INTO list_items (tenant, list_id, lead, item_id, added_at)
             SELECT tenant, list_id, {lead}, 'added', '' FROM lists WHERE true LIMIT 1 ON CONFLICT DO NOTHING"
        ))
        .await;
    let mut before = page(&service).await;
    for change in [
        "UPDATE leads SET headline = 'New headline'",
        "UPDATE leads SET profile_data = '{\"new\": true}'",
        "UPDATE accounts SET name = 'New account'",
        "UPDATE lists SET name = 'New list'",
        "UPDATE campaigns SET name = 'New campaign'",
        "UPDATE lead_scores SET icp_reasoning = 'New reasons'",
        "UPDATE intents SET event_type = 'new_event'",
        "DELETE FROM list_items",
        "DELETE FROM campaign_leads",
        "DELETE FROM lead_scores",
        "DELETE FROM intents",
    ] {
        service.sql(change).await;
        let after = page(&service).await;
        assert_ne!(after, before, "{change}");
        assert_eq!(after, page(&service).await, "{change}");
        before = after;
    }
    let ids: Vec<&str> = before["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|lead| lead["lead_id"].as_str().unwrap())
        .collect();
    let decision = json!({"lead_ids": ids, "approval_status": "filtered"});
    let decided = service.call("PATCH", "/api/leads", decision).await;
    assert_eq!(decided.json()["updated"], 20);
    let after = page(&service).await;
    for lead in after["data"].as_array().unwrap() {
        assert_eq!(lead["approval_status"], "filtered");
    }
    let path = format!("/api/leads/{}", ids[0]);
    assert_eq!(service.call("DELETE", &path, Value::Null).await.status, 204);
    let shown = page(&service).await;
    assert_eq!(shown["data"][0]["lead_id"], ids[1]);
    assert_eq!(shown["total"], 99);
}

/// Decisions and pages at the same time: a page that is requested after the answer to a decision shows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn decisions_and_pages_at_the_same_time() {
    let service = std::sync::Arc::new(Service::demo(30).await);
    let first = page(&service).await;
    let clients = (0..10).map(|client| {
        let id = first["data"][client]["lead_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let service = std::sync::Arc::clone(&service);
        tokio::spawn(async move {
            for round in 0..60 {
                let status = ["approved", "rejected", "filtered"][round % 3];
                service.decide(&id, status).await;
                let shown = page(&service).await;
                assert_eq!(shown["data"][client]["approval_status"], status);
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
}
