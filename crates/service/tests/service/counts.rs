//! The number of leads of an account, which the index sorts by, is right after every change of leads.

use serde_json::{Value, json};

use crate::common::{Service, fill};

const COUNTED: &str = "SELECT concat_ws(': ', account_id, leads) FROM
      (SELECT *, (SELECT count(*) FROM leads l WHERE l.tenant = accounts.tenant AND account = accounts.id) AS leads FROM accounts) counted
    ORDER BY leads DESC, id DESC";

/// Checks that a change has changed counts, and that they are right.
async fn are_right(service: &Service, before: &mut Vec<String>, change: &str) {
    let query = json!({"include_unpromoted": true, "sort_by": "lead_count", "page_size": 100});
    let response = service.call("POST", "/api/accounts/query", query).await;
    let response = response.json();
    let accounts = response["data"].as_array().unwrap().iter();
    let text = |account: &Value| {
        format!(
            "{}: {}",
            account["id"].as_str().unwrap(),
            account["lead_count"]
        )
    };
    let found: Vec<String> = accounts.map(text).collect();
    assert_ne!(found, *before, "{change} changed no count");
    assert_eq!(found, service.texts(COUNTED).await, "{change}");
    *before = found;
}

#[tokio::test]
async fn every_change_of_leads_is_counted() {
    let service = Service::empty().await;
    let mut counts = Vec::new();
    fill(&service.store, service.tenant, 30, 7).await;
    are_right(&service, &mut counts, "the demo").await;

    let head = "Full Name,Profile URL,Company,Status\n";
    for (change, lines) in [
        (
            "an import of new leads",
            "Ana,p.example/in/ana,Acme,\nBo,p.example/in/bo,Acme,\nCy,p.example/in/cy,,rejected\n",
        ),
        (
            "an import that moves a lead",
            "Ana,p.example/in/ana,Bistro,\n",
        ),
    ] {
        service.import_csv(format!("{head}{lines}")).await;
        are_right(&service, &mut counts, change).await;
    }

    let id: String = service
        .value("SELECT lead_id FROM leads WHERE name = 'Ana'")
        .await;
    let path = format!("/api/leads/{id}");
    let answer = service.call("DELETE", &path, Value::Null).await;
    assert_eq!(answer.status, 204);
    are_right(&service, &mut counts, "a deletion").await;
}
