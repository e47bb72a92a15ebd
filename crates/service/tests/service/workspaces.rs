//! Administration of workspaces while a service runs.

use std::process::Output;

use crate::common::{Service, done, eventually, failed, with, without_key};

pub fn workspaces(service: &Service, arguments: &[&str]) -> Output {
    service.program(&[&["workspaces"], arguments].concat())
}

pub fn refused(output: &Output) -> String {
    let text = failed(output);
    assert!(text.contains("Nothing was"), "{text}");
    text
}

pub async fn ids(service: &Service) -> String {
    service
        .texts("SELECT tenant_id FROM tenants ORDER BY tenant")
        .await
        .join(",")
}

#[tokio::test]
async fn workspaces_are_created_listed_and_renamed() {
    let service = Service::demo(3).await;
    done(&workspaces(&service, &["create", "north"]));
    let list = done(&workspaces(&service, &["list"]));
    let line = |id: &str| {
        list.lines()
            .find(|line| line.ends_with(id))
            .unwrap()
            .to_owned()
    };
    assert_eq!(line("default").split_whitespace().next(), Some("3"));
    assert_eq!(line("north").split_whitespace().next(), Some("0"));
    assert!(refused(&workspaces(&service, &["create", "north"])).contains("already"));
    assert!(refused(&workspaces(&service, &["create", "Zoë"])).contains("x-tenant-id"));

    service
        .sql("INSERT INTO key_tenants SELECT key_id, 2, 1 FROM api_keys")
        .await;
    done(&workspaces(&service, &["rename", "north", "south"]));
    assert_eq!(ids(&service).await, "default,south");
    for (tenant, status) in [("south", 200), ("north", 403)] {
        let request = service.request("POST", "/api/leads/query", "{}");
        let request = with(request, "x-tenant-id", tenant);
        assert_eq!(service.send(request).await.status, status, "{tenant}");
    }
    for arguments in [
        ["rename", "default", "x"],
        ["rename", "south", "default"],
        ["rename", "none", "x"],
        ["rename", "south", "null"],
    ] {
        refused(&workspaces(&service, &arguments));
    }
    assert_eq!(ids(&service).await, "default,south");
}

/// Returns the name in the response to a request to a workspace.
async fn sent(service: &Service, tenant: &str) -> Option<String> {
    let request = service.request("POST", "/api/leads/query", "{}");
    let answer = service.send(with(request, "x-tenant-id", tenant)).await;
    assert_eq!(answer.status, 200, "{tenant}");
    let name = answer.headers.get("x-workspace-name")?;
    Some(name.to_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_workspace_has_a_name_that_people_see() {
    let service = Service::empty().await;
    assert_eq!(sent(&service, "default").await, None);
    let create = ["create", "north", "--name", "Nordvind"];
    done(&workspaces(&service, &create));
    service
        .sql("INSERT INTO key_tenants SELECT key_id, 2, 1 FROM api_keys")
        .await;
    done(&workspaces(&service, &["name", "default", " Zoë & co "]));
    let named = eventually(async || sent(&service, "default").await).await;
    assert_eq!(named, "Zo%C3%AB%20%26%20co");
    assert_eq!(sent(&service, "north").await.as_deref(), Some("Nordvind"));
    let list = done(&workspaces(&service, &["list"]));
    assert!(list.contains("  default (Zoë & co)\n"), "{list}");
    assert!(list.contains("  north (Nordvind)\n"), "{list}");

    // The name does not depend on the id, and no one without a key sees it.
    done(&workspaces(&service, &["rename", "north", "south"]));
    assert_eq!(sent(&service, "south").await.as_deref(), Some("Nordvind"));
    let request = without_key(service.request("POST", "/api/leads/query", "{}"));
    let refused_request = service.send(request).await;
    assert!(!refused_request.headers.contains_key("x-workspace-name"));

    let long = "x".repeat(81);
    for arguments in [
        ["name", "none", "x"],
        ["name", "south", "two\nlines"],
        ["name", "south", &long],
    ] {
        refused(&workspaces(&service, &arguments));
    }
    assert_eq!(sent(&service, "south").await.as_deref(), Some("Nordvind"));
    done(&workspaces(&service, &["name", "south", ""]));
    let is_unnamed = async || sent(&service, "south").await.is_none().then_some(());
    eventually(is_unnamed).await;
}
