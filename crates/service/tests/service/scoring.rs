//! Scoring jobs over HTTP.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::common::Service;
use lead_workspace_service::scoring::{Rules, spawn_worker, write_rules};

/// Runs the jobs of a service until the sender is dropped.
pub fn worker(service: &Service) -> oneshot::Sender<()> {
    let (stop, stopped) = oneshot::channel::<()>();
    spawn_worker(service.store.clone(), async {
        let _ = stopped.await;
    });
    stop
}

async fn ended(service: &Service, started: &Value) -> Value {
    let path = format!("/api/jobs/{}", started["job_id"].as_str().unwrap());
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let job = service.get(&path).await.json();
        if job["status"] == "succeeded" || job["status"] == "failed" {
            return job;
        }
        assert!(Instant::now() < deadline, "the job does not end: {job}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub async fn score(service: &Service, path: &str, body: Value) -> Value {
    let started = service.call("POST", path, body).await;
    assert_eq!(started.status, 202);
    ended(service, &started.json()).await
}

#[tokio::test]
async fn every_lead_is_scored_once_with_reasoning() {
    let service = Service::demo(900).await;
    service
        .sql("DELETE FROM lead_scores; UPDATE leads SET icp_score = NULL, icp_tier = NULL")
        .await;
    let _worker = worker(&service);
    let job = score(&service, "/api/leads/score", json!({})).await;
    assert_eq!(job["status"], "succeeded");
    assert_eq!(job["kind"], "score_leads");
    assert_eq!(job["progress"], json!({"done": 900, "total": 900}));
    assert_eq!(
        job["result"],
        json!({"scored": 900, "gone": 0, "not_found": []})
    );
    for (what, sql) in [
        (
            "without a score",
            "SELECT count(*) FROM leads WHERE icp_score IS NULL OR icp_tier IS NULL",
        ),
        (
            "whose scores are not those of its lists",
            "SELECT count(*) FROM leads WHERE
               (SELECT CASE count(*) WHEN 0 THEN 1 ELSE count(*) END FROM list_items i WHERE i.tenant = leads.tenant AND lead = leads.id) <>
               (SELECT count(*) FROM lead_scores s WHERE s.tenant = leads.tenant AND lead = leads.id AND job_id IS NOT NULL)",
        ),
    ] {
        assert_eq!(service.value::<i64>(sql).await, 0, "leads {what}");
    }
    let lead = service
        .call("POST", "/api/leads/query", json!({"page_size": 1}))
        .await
        .json();
    let score = &lead["data"][0]["list_scores"][0];
    let reasoning = score["icp_reasoning"].as_str().unwrap();
    let parts = lead_workspace_api::ScorePart::read_all(reasoning);
    let points: u32 = parts.iter().map(|part| part.points).sum();
    assert_eq!(parts.len(), 5, "{reasoning}");
    assert_eq!(Some(f64::from(points)), score["icp_score"].as_f64());
}

#[tokio::test]
async fn only_the_given_leads_and_lists_are_scored() {
    let service = Service::demo(300).await;
    service.sql("DELETE FROM lead_scores").await;
    let _worker = worker(&service);
    let lead: String = service
        .value("SELECT lead_id FROM leads ORDER BY id LIMIT 1")
        .await;
    let list: String = service
        .value("SELECT list_id FROM list_items GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
        .await;
    let on_list: i64 = service
        .value(&format!(
            "SELECT count(*) FROM list_items WHERE list_id = '{list}'"
        ))
        .await;
    let first_on_it: i64 = service
        .value(&format!("SELECT count(*) FROM list_items JOIN leads USING (tenant) WHERE leads.id = lead AND list_id = '{list}' AND lead_id = '{lead}'"))
        .await;
    let body = json!({"lead_ids": [lead, "nobody", lead], "lead_list_ids": [list, "nowhere"]});
    let job = score(&service, "/api/leads/score", body).await;
    let expected = on_list + 1 - first_on_it;
    assert_eq!(
        job["result"],
        json!({"scored": expected, "gone": 0, "not_found": ["nobody", "nowhere"]})
    );
    let scored: i64 = service
        .value("SELECT count(DISTINCT lead) FROM lead_scores")
        .await;
    assert_eq!(scored, expected);
    assert_eq!(
        service
            .value::<i64>("SELECT count(*) FROM job_targets")
            .await,
        0
    );

    let job = score(&service, "/api/leads/score", json!({"lead_ids": []})).await;
    assert_eq!(job["progress"], json!({"done": 0, "total": 0}));
    assert_eq!(job["status"], "succeeded");
}

#[tokio::test]
async fn accounts_are_scored_by_company_and_leads() {
    let service = Service::demo(300).await;
    service
        .sql("DELETE FROM account_scores; UPDATE accounts SET icp_score = NULL, icp_tier = NULL")
        .await;
    let _worker = worker(&service);
    let job = score(&service, "/api/accounts/score", json!({})).await;
    assert_eq!(job["kind"], "score_accounts");
    assert_eq!(
        service
            .value::<i64>("SELECT count(*) FROM accounts WHERE icp_score IS NULL")
            .await,
        0
    );
    let reasoning: String = service
        .value(
            "SELECT s.icp_reasoning FROM accounts a JOIN account_scores s ON s.tenant = a.tenant AND s.account = a.id
             ORDER BY (SELECT count(*) FROM leads l WHERE l.tenant = a.tenant AND l.account = a.id) DESC LIMIT 1",
        )
        .await;
    assert!(reasoning.contains("best of "), "{reasoning}");

    let list: String = service
        .value("SELECT list_id FROM list_items LIMIT 1")
        .await;
    let expected: i64 = service
        .value(&format!(
            "SELECT count(*) FROM (SELECT account FROM account_list_items WHERE list_id = '{list}' UNION
               SELECT account FROM list_items JOIN leads USING (tenant) WHERE leads.id = lead AND list_id = '{list}') members"
        ))
        .await;
    let job = score(
        &service,
        "/api/accounts/score",
        json!({"lead_list_id": list}),
    )
    .await;
    assert_eq!(job["result"]["scored"], expected);
    let given: i64 = service
        .value(&format!(
            "SELECT count(*) FROM account_scores WHERE list_id = '{list}'"
        ))
        .await;
    assert_eq!(given, expected);
}

#[tokio::test]
async fn each_workspace_has_its_own_rules() {
    let service = Service::demo(60).await;
    let _worker = worker(&service);
    let rules = r#"{"weights": {"industry": 0, "size": 0, "title": 0, "location": 100, "intent": 0},
        "location": {"groups": [{"name": "everywhere", "share": 1, "words": ["germany"]}], "other": 0.5}}"#;
    let (tenant, rules) = (service.tenant, Rules::from_json(rules).unwrap());
    service
        .store
        .write(move |db| write_rules(db, tenant, Some(&rules)))
        .await
        .unwrap();
    score(&service, "/api/leads/score", json!({})).await;
    let wrong: i64 = service
        .value(
            "SELECT count(*) FROM leads WHERE icp_score <> CASE WHEN location LIKE '%Germany%' THEN 100 ELSE 50 END",
        )
        .await;
    assert_eq!(wrong, 0);
}

#[tokio::test]
async fn a_job_that_cannot_run_reports_why() {
    let service = Service::demo(20).await;
    service
        .sql(r#"UPDATE tenants SET scoring = '{"weights": {"industry": 90}}'"#)
        .await;
    let _worker = worker(&service);
    let job = score(&service, "/api/leads/score", json!({})).await;
    assert_eq!(job["status"], "failed");
    let error = job["error"].to_string();
    assert!(
        error.contains("add up to 165, not to 100") && error.contains("scoring set"),
        "{error}"
    );
    // The next job runs once the rules are valid.
    service.sql("UPDATE tenants SET scoring = NULL").await;
    let job = score(&service, "/api/leads/score", json!({})).await;
    assert_eq!(job["status"], "succeeded");
}

#[tokio::test]
async fn leads_may_be_added_or_deleted_during_a_job() {
    let service = Service::demo(200).await;
    let started = service
        .call("POST", "/api/leads/score", json!({}))
        .await
        .json();
    service
        .sql("DELETE FROM leads WHERE id IN (SELECT id FROM leads ORDER BY id LIMIT 5)")
        .await;
    service
        .sql("INSERT INTO leads (tenant, lead_id, created_at) VALUES (1, 'late', '2026-01-01')")
        .await;
    let _worker = worker(&service);
    let job = ended(&service, &started).await;
    assert_eq!(
        job["result"],
        json!({"scored": 195, "gone": 5, "not_found": []})
    );
    assert_eq!(job["progress"], json!({"done": 195, "total": 195}));
    let late: Option<f64> = service
        .value("SELECT icp_score FROM leads WHERE lead_id = 'late'")
        .await;
    assert_eq!(late, None);
}
