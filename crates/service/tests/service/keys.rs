//! Keys: created, listed and revoked by the program while a service runs.

use std::process::{Command, Output};

use serde_json::json;

use crate::common::{Service, eventually};

fn program(service: &Service, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lead-workspace"))
        .arg("keys")
        .args(arguments)
        .args(service.database_options())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn status(service: &Service, key: &str, tenant: Option<&str>) -> u16 {
    let mut request = service.request("POST", "/api/leads/query", json!({}).to_string());
    let headers = request.headers_mut();
    headers.insert("authorization", format!("Bearer {key}").parse().unwrap());
    if let Some(tenant) = tenant {
        headers.insert("x-tenant-id", tenant.parse().unwrap());
    }
    service.send(request).await.status.as_u16()
}

#[tokio::test]
async fn a_key_works_from_creation_to_revocation() {
    let service = Service::empty().await;
    let made = program(&service, &["create", "--name", "laptop"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let key = text(&made.stdout).trim().to_owned();
    let secret = key.rsplit('_').next().unwrap();
    assert_eq!(status(&service, &key, None).await, 200);

    let listed = text(&program(&service, &["list"]).stdout);
    let key_id = key.split('_').nth(1).unwrap();
    let line = listed
        .lines()
        .find(|line| line.starts_with(key_id))
        .unwrap();
    assert!(line.contains("valid") && line.ends_with("laptop"), "{line}");
    assert!(!listed.contains(secret));
    let stored = service.rows("SELECT * FROM api_keys").await.join("\n");
    assert!(
        stored.contains(key_id) && !stored.contains(secret),
        "{stored}"
    );

    assert!(program(&service, &["revoke", key_id]).status.success());
    let refused = async || {
        let status = status(&service, &key, None).await;
        (status != 200).then_some(status)
    };
    assert_eq!(eventually(refused).await, 401);
    assert!(text(&program(&service, &["list"]).stdout).contains("revoked"));
    let again = program(&service, &["revoke", key_id]);
    assert!(!again.status.success());
    assert!(
        text(&again.stderr).contains("Nothing was changed"),
        "{}",
        text(&again.stderr)
    );
}

#[tokio::test]
async fn a_key_opens_its_own_workspaces() {
    let service = Service::demo(3).await;
    let refused = program(&service, &["create", "--tenant", "north"]);
    assert!(!refused.status.success());
    assert!(text(&refused.stderr).contains("--make-tenant"));
    let arguments = [
        "create",
        "--tenant",
        "north",
        "--tenant",
        "default",
        "--make-tenant",
    ];
    let key = text(&program(&service, &arguments).stdout)
        .trim()
        .to_owned();
    for (tenant, total) in [
        (None, 0),
        (Some("north"), 0),
        (Some("default"), 3),
        (Some(""), 0),
        (Some("null"), 0),
    ] {
        let mut request = service.request("POST", "/api/leads/query", "{}");
        let headers = request.headers_mut();
        headers.insert("authorization", format!("bearer {key}").parse().unwrap());
        if let Some(tenant) = tenant {
            headers.insert("x-tenant-id", tenant.parse().unwrap());
        }
        let answer = service.send(request).await;
        assert_eq!(answer.json()["total"], total, "{tenant:?}");
    }
    assert_eq!(status(&service, &key, Some("elsewhere")).await, 403);
}

#[tokio::test]
async fn data_of_other_workspaces_is_unreachable() {
    let service = Service::demo(30).await;
    let arguments = ["create", "--tenant", "north", "--make-tenant"];
    let key = text(&program(&service, &arguments).stdout)
        .trim()
        .to_owned();
    let lead: String = service.value("SELECT lead_id FROM leads").await;
    let account: String = service
        .value("SELECT account_id FROM accounts WHERE is_promoted = 1")
        .await;
    let started = service
        .call("POST", "/api/leads/score", json!({"lead_ids": []}))
        .await
        .json();
    let job = started["job_id"].as_str().unwrap();
    let decision = json!({"approval_status": "rejected"}).to_string();
    for (method, path, body) in [
        ("GET", format!("/api/leads/{lead}"), ""),
        ("PATCH", format!("/api/leads/{lead}"), decision.as_str()),
        (
            "GET",
            format!("/api/accounts/{account}?include_unpromoted=true"),
            "",
        ),
        ("GET", format!("/api/accounts/{account}/pulse"), ""),
        ("GET", format!("/api/jobs/{job}"), ""),
        ("DELETE", format!("/api/leads/{lead}"), ""),
    ] {
        let mut request = service.request(method, &path, body.to_owned());
        let header = format!("Bearer {key}").parse().unwrap();
        request.headers_mut().insert("authorization", header);
        assert_eq!(service.send(request).await.status, 404, "{method} {path}");
        let own = service.request(method, &path, body.to_owned());
        assert!(
            service.send(own).await.status.is_success(),
            "{method} {path}"
        );
    }
    let ids = service.texts("SELECT lead_id FROM leads").await;
    let body = json!({"lead_ids": ids, "approval_status": "filtered"}).to_string();
    let mut request = service.request("PATCH", "/api/leads", body);
    request
        .headers_mut()
        .insert("authorization", format!("Bearer {key}").parse().unwrap());
    assert_eq!(service.send(request).await.json(), json!({"updated": 0}));
    let mut request = service.request("GET", "/api/leads/facets", "");
    request
        .headers_mut()
        .insert("authorization", format!("Bearer {key}").parse().unwrap());
    let facets = service.send(request).await.json();
    for (name, values) in facets.as_object().unwrap() {
        assert_eq!(values, &json!([]), "{name}");
    }
}

/// A mistyped folder must not become a workspace.
#[tokio::test]
async fn only_key_creation_creates_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let program = |arguments: &[&str], data: &std::path::Path| {
        Command::new(env!("CARGO_BIN_EXE_lead-workspace"))
            .arg("keys")
            .args(arguments)
            .arg("--data")
            .arg(data)
            .output()
            .unwrap()
    };
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for data in [&dir.path().join("mistyped"), &empty] {
        for arguments in [&["list"][..], &["revoke", "lwk_0_0"]] {
            let refused = program(arguments, data);
            assert!(!refused.status.success(), "{arguments:?}");
            let message = text(&refused.stderr);
            assert!(
                message.contains("no workspace") && message.contains("--data"),
                "{message}"
            );
            assert!(!data.join("workspace.db").exists());
        }
    }
    assert!(!dir.path().join("mistyped").exists());
    let new = dir.path().join("new");
    assert!(program(&["create"], &new).status.success());
    assert!(text(&program(&["list"], &new).stdout).contains("valid"));
}
