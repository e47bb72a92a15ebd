//! The audit log: what is recorded, what is not, and its export.

use futures_util::future::join_all;
use lead_workspace_service::http::ServiceOptions;
use serde_json::{Value, json};

use crate::common::{Service, done, failed, fill, with};

fn entries(service: &Service, arguments: &[&str]) -> Vec<Value> {
    let output = service.program(&[&["audit", "--format", "jsonl"], arguments].concat());
    done(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

async fn pending(service: &Service) -> Vec<String> {
    service
        .sql("UPDATE leads SET approval_status = 'pending_approval'")
        .await;
    service.texts("SELECT lead_id FROM leads").await
}

#[tokio::test]
async fn one_of_several_deletions_at_the_same_time_is_recorded() {
    let service = Service::demo(4).await;
    let path = format!("/api/leads/{}", pending(&service).await[0]);
    let deletions = (0..8).map(|_| service.call("DELETE", &path, Value::Null));
    let responses = join_all(deletions).await;
    let deleted = responses.iter().filter(|response| response.status == 204);
    assert_eq!(deleted.count(), 1);
    let entries = entries(&service, &[]);
    assert_eq!(entries.len(), 1, "{entries:?}");
}

#[tokio::test]
async fn each_change_is_recorded_with_who_and_what() {
    let service = Service::demo(4).await;
    let leads = pending(&service).await;
    let request = service.request(
        "PATCH",
        &format!("/api/leads/{}", leads[0]),
        r#"{"approval_status":"approved"}"#,
    );
    let request = with(request, "x-request-id", "request-1");
    assert_eq!(service.send(request).await.status, 200);
    // The first lead is approved already, and one does not exist.
    let bulk = json!({"lead_ids": [leads[0], leads[1], leads[2], leads[1], "unknown"], "approval_status": "approved"});
    assert_eq!(
        service.call("PATCH", "/api/leads", bulk).await.json(),
        json!({"updated": 3})
    );
    service
        .call("DELETE", &format!("/api/leads/{}", leads[0]), Value::Null)
        .await;
    let started = service
        .call("POST", "/api/leads/score", json!({}))
        .await
        .json();
    // Neither a request that changes nothing nor one that fails has entries.
    service
        .call(
            "PATCH",
            "/api/leads/unknown",
            json!({"approval_status": "approved"}),
        )
        .await;
    service
        .call("DELETE", "/api/leads/unknown", Value::Null)
        .await;
    service
        .call(
            "PATCH",
            "/api/leads",
            json!({"lead_ids": [leads[1]], "approval_status": null}),
        )
        .await;

    let entries = entries(&service, &[]);
    let brief = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap_or("-").to_owned();
        [text("action"), text("lead_id"), text("from"), text("to")].join(" ")
    };
    let mut bulk: Vec<String> = entries[1..3].iter().map(brief).collect();
    bulk.sort();
    let mut expected =
        [1, 2].map(|lead| format!("decide {} pending_approval approved", leads[lead]));
    expected.sort();
    assert_eq!(bulk, expected);
    assert_eq!(
        brief(&entries[0]),
        format!("decide {} pending_approval approved", leads[0])
    );
    assert_eq!(
        brief(&entries[3]),
        format!("delete {} approved -", leads[0])
    );
    assert_eq!(brief(&entries[4]), "score_leads - - -");
    assert_eq!(entries[4]["job_id"], started["job_id"]);
    assert_eq!(entries.len(), 5);
    assert_eq!(entries[0]["request_id"], "request-1");
    assert_eq!(entries[1]["request_id"], entries[2]["request_id"]);
    let key_id = service.key.split('_').nth(1).unwrap();
    for entry in &entries {
        assert_eq!(entry["key_id"], key_id);
        assert_eq!(
            (&entry["key_name"], &entry["workspace"]),
            (&"test".into(), &"default".into())
        );
    }
    assert!(
        !entries
            .iter()
            .any(|entry| entry.to_string().contains(&service.key))
    );
}

#[tokio::test]
async fn decisions_of_an_imported_file_are_recorded() {
    let service = Service::empty().await;
    let import = async |text: &str| {
        let answer = service
            .send(service.request("POST", "/import?score=false", text.to_owned()))
            .await;
        let last = answer.text.lines().last().unwrap().to_owned();
        let report: Value = serde_json::from_str(&last).unwrap();
        assert_eq!(report["event"], "done", "{report}");
        report["import_job_id"].clone()
    };
    let first = import(
        "email,name,approval_status\na@x.example,Anna,approved\nb@x.example,Berta,pending\nc@x.example,Carl,\n",
    )
    .await;
    let second = import(
        "email,name,approval_status\na@x.example,Anna,rejected\nb@x.example,Berta,rejected\nc@x.example,Carl C,\n",
    )
    .await;
    let key_id = service.key.split('_').nth(1).unwrap();
    let entries = entries(&service, &[]);
    let expected = [
        ("a@x.example", Value::Null, "approved", first),
        ("b@x.example", json!("pending_approval"), "rejected", second),
    ];
    assert_eq!(entries.len(), expected.len(), "{entries:?}");
    for (entry, (email, from, to, import)) in entries.iter().zip(expected) {
        let lead: String = service
            .value(&format!(
                "SELECT lead_id FROM leads WHERE email = '{email}'"
            ))
            .await;
        assert_eq!(entry["action"], "decide");
        assert_eq!(entry["lead_id"], lead.as_str());
        assert_eq!(
            (&entry["from"], &entry["to"], &entry["job_id"]),
            (&from, &json!(to), &import)
        );
        assert_eq!(entry["key_id"], key_id);
        assert!(!entry["request_id"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_decision_that_is_not_saved_is_not_recorded() {
    let service = Service::demo(2).await;
    let leads = pending(&service).await;
    service.refuse("UPDATE OF approval_status ON leads").await;
    let bulk = json!({"lead_ids": leads, "approval_status": "approved"});
    assert_eq!(service.call("PATCH", "/api/leads", bulk).await.status, 500);
    assert!(entries(&service, &[]).is_empty());
}

#[tokio::test]
async fn the_export_is_selected_by_time_and_workspace() {
    let service = Service::demo(1).await;
    service
        .sql(
            "INSERT INTO tenants (tenant, tenant_id, name, created_at) VALUES (2, 'other', 'other', '');
             INSERT INTO audit_log (tenant, at, key_id, request_id, action, lead_id, from_status, to_status) VALUES
               (1, '2026-01-01T00:00:00.000Z', '=key', 'r', 'decide', 'old', 'approved', 'rejected'),
               (2, '2026-02-01T00:00:00.000Z', 'k', 'r', 'decide', 'new', 'approved', 'rejected')",
        )
        .await;
    let leads = |arguments: &[&str]| -> Vec<String> {
        let entries = entries(&service, arguments);
        entries
            .iter()
            .map(|entry| entry["lead_id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(leads(&[]), ["old", "new"]);
    assert_eq!(leads(&["--since", "2026-01-15"]), ["new"]);
    assert_eq!(leads(&["--workspace", "default"]), ["old"]);
    assert_eq!(leads(&["--tenant", "other"]), ["new"]);
    assert!(leads(&["--tenant", "other", "--since", "2026-02-02"]).is_empty());
    let csv = done(&service.program(&["audit"]));
    assert!(
        csv.contains(",'=key,,decide,old,approved,rejected,"),
        "{csv}"
    );
    for (arguments, problem) in [
        (["--tenant", "none"], "no workspace"),
        (["--since", "then"], "is not a time"),
    ] {
        let text = failed(&service.program(&[&["audit"], &arguments[..]].concat()));
        assert!(text.contains(problem), "{text}");
    }

    let pruned = service
        .store
        .prune_audit_log("2026-01-15T00:00:00.000Z".into());
    assert_eq!(pruned.await.unwrap(), 1);
    assert_eq!(leads(&[]), ["new"]);
}

#[tokio::test]
async fn the_log_can_be_off() {
    let options = ServiceOptions {
        no_audit: true,
        ..ServiceOptions::default()
    };
    let service = Service::with(&options).await;
    fill(&service.store, service.tenant, 2, 7).await;
    let leads = pending(&service).await;
    let bulk = json!({"lead_ids": leads, "approval_status": "approved"});
    assert_eq!(
        service.call("PATCH", "/api/leads", bulk).await.json(),
        json!({"updated": 2})
    );
    service.call("POST", "/api/leads/score", json!({})).await;
    let file = "email,name,approval_status\na@x.example,Anna,approved\n";
    service.send(service.request("POST", "/import", file)).await;
    assert!(entries(&service, &[]).is_empty());
}
