//! Scoring jobs of several workspaces, and reports of jobs with missing targets.

use std::time::{Duration, Instant};

use lead_workspace_api::LeadScoring;
use lead_workspace_service::Tenant;
use lead_workspace_service::store::job_queue::enqueue_lead_scoring;
use serde_json::json;

use super::common::Service;
use super::scoring::{score, worker};

#[tokio::test]
async fn jobs_of_workspaces_alternate() {
    let service = Service::empty().await;
    // Many steps of one workspace, then a single lead of another.
    service
        .sql(
            "INSERT INTO tenants (tenant, tenant_id, name, created_at) VALUES (2, 'small', 'small', '');
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
             INSERT INTO leads (tenant, lead_id, created_at) SELECT 1, 'l' || i, '' FROM n;
             INSERT INTO leads (tenant, lead_id, created_at) VALUES (2, 'one', '');",
        )
        .await;
    service
        .store
        .write(|db| {
            let small = Tenant::find(db, "small")?.unwrap();
            let large = Tenant::default_of(db)?;
            for tenant in [large, large, small] {
                enqueue_lead_scoring(db, tenant, &LeadScoring::default())?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let _worker = worker(&service);
    let began = Instant::now();
    let ended = "SELECT count(*) FROM jobs WHERE status = 'succeeded'";
    while service.value::<i64>(ended).await < 3 {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the jobs do not end"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let order = service
        .texts("SELECT CAST(id AS TEXT) FROM jobs ORDER BY updated_at")
        .await;
    // Numbers may begin with another than 1.
    let order = order.iter().map(|id| id.parse().unwrap());
    let order: Vec<i64> = order.collect();
    let first = order.iter().min().unwrap();
    assert_eq!(order, [2, 0, 1].map(|place| first + place));
}

#[tokio::test]
async fn a_missing_list_adds_no_account_score() {
    let service = Service::demo(60).await;
    let _worker = worker(&service);
    let account: String = service
        .value("SELECT account_id FROM accounts LIMIT 1")
        .await;
    let body = json!({"account_ids": [account], "lead_list_id": "nowhere"});
    let job = score(&service, "/api/accounts/score", body).await;
    assert_eq!(
        job["result"],
        json!({"scored": 1, "gone": 0, "not_found": ["nowhere"]})
    );
    let sql = "SELECT count(*) FROM account_scores WHERE list_id = 'nowhere'";
    assert_eq!(service.value::<i64>(sql).await, 0);
}
