//! Administration of workspaces while a service runs.

use std::process::{Command, Output};

use lead_workspace_service::{Tenant, demo};
use serde_json::json;

use crate::common::Service;

fn workspaces(service: &Service, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lead-workspace"));
    command
        .arg("workspaces")
        .args(arguments)
        .arg("--data")
        .arg(service.dir.path());
    command.output().unwrap()
}

fn done(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(text.contains("Nothing was"), "{text}");
    text
}

async fn ids(service: &Service) -> String {
    service
        .value("SELECT group_concat(tenant_id) FROM tenants")
        .await
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
        let mut request = service.request("POST", "/api/leads/query", "{}");
        request
            .headers_mut()
            .insert("x-tenant-id", tenant.parse().unwrap());
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

/// The rows of the other workspaces, and those that belong to none.
async fn rows_of_others(service: &Service, tenant: i64) -> Vec<String> {
    let tables: String = service
        .value("SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'leads_search%'")
        .await;
    let mut rows = Vec::new();
    for table in tables.split(',') {
        let columns: String = service
            .value(&format!("SELECT group_concat('quote(' || name || ')', ' || '',''|| ') FROM pragma_table_info('{table}')"))
            .await;
        let has_tenant = columns.contains("quote(tenant)");
        let condition = if has_tenant {
            format!("tenant <> {tenant}")
        } else {
            "true".into()
        };
        let sql = format!(
            "SELECT coalesce(group_concat({columns}, char(10)), '') FROM {table} WHERE {condition}"
        );
        rows.push(format!("{table}: {}", service.value::<String>(&sql).await));
        if has_tenant {
            let own = format!("SELECT count(*) FROM {table} WHERE tenant = {tenant}");
            rows.push(format!("own {table} {}", service.value::<i64>(&own).await));
        }
    }
    rows
}

#[tokio::test]
async fn deleting_a_workspace_deletes_all_of_it_and_nothing_else() {
    let service = Service::demo(600).await;
    let north = service
        .store
        .write(|connection| Tenant::ensure(connection, "north"))
        .await
        .unwrap();
    demo::fill(&service.store, north, 700, 8, |_, _, _| {})
        .await
        .unwrap();
    service
        .sql(
            "INSERT INTO key_tenants SELECT key_id, 2, 1 FROM api_keys;
             INSERT INTO audit_log (tenant, at, key_id, request_id, action) VALUES (2, '', '', '', 'decide')",
        )
        .await;
    let mut before = rows_of_others(&service, 2).await;
    assert!(before.contains(&"own leads 700".to_owned()));
    for arguments in [
        &["delete", "north"][..],
        &["delete", "north", "--confirm", "default"],
        &["delete", "none", "--confirm", "none"],
    ] {
        refused(&workspaces(&service, arguments));
    }
    done(&workspaces(
        &service,
        &["delete", "north", "--confirm", "north"],
    ));
    let mut after = rows_of_others(&service, 2).await;
    for own in after.iter().filter(|row| row.starts_with("own ")) {
        assert!(own.ends_with(" 0"), "{own}");
    }
    before.retain(|row| !row.starts_with("own "));
    after.retain(|row| !row.starts_with("own "));
    assert_eq!(after, before);
    let found = service
        .value::<i64>("SELECT count(*) FROM leads_search_docsize")
        .await;
    assert_eq!(found, 600);
    assert_eq!(
        service
            .value::<i64>("SELECT count(*) FROM pragma_foreign_key_check")
            .await,
        0
    );
    let page = service.call("POST", "/api/leads/query", json!({})).await;
    assert_eq!(page.json()["total"], 600);
}

/// A new workspace may get the number of a deleted one, but never its cached totals.
#[tokio::test]
async fn a_new_workspace_has_nothing_of_a_deleted_one() {
    let service = Service::demo(1).await;
    let total = async |tenant: &str, search: &str| {
        let mut request = service.request(
            "POST",
            "/api/leads/query",
            json!({"search": search}).to_string(),
        );
        request
            .headers_mut()
            .insert("x-tenant-id", tenant.parse().unwrap());
        service.send(request).await.json()["total"].clone()
    };
    let give_access = "INSERT INTO key_tenants SELECT key_id, 2, 1 FROM api_keys";
    let add =
        "INSERT INTO leads (tenant, lead_id, search_key, created_at) VALUES (2, 'l', 'anna', '')";
    done(&workspaces(&service, &["create", "north"]));
    service.sql(give_access).await;
    service.sql(add).await;
    assert_eq!(total("north", "anna").await, 1);
    done(&workspaces(
        &service,
        &["delete", "north", "--confirm", "north"],
    ));
    done(&workspaces(&service, &["create", "south"]));
    service.sql(give_access).await;
    let number = service
        .value::<i64>("SELECT tenant FROM tenants WHERE tenant_id = 'south'")
        .await;
    assert_eq!(
        number, 2,
        "the number is not reused; this test tests nothing"
    );
    service.sql("SELECT 1").await;
    assert_eq!(total("south", "anna").await, 0);
}

#[tokio::test]
async fn the_default_workspace_can_be_emptied() {
    let service = Service::demo(20).await;
    done(&workspaces(
        &service,
        &["delete", "default", "--confirm", "default"],
    ));
    assert_eq!(ids(&service).await, "default");
    assert_eq!(service.value::<i64>("SELECT count(*) FROM leads").await, 0);
    // Its keys have lost their access.
    assert_eq!(service.get("/api/leads/facets").await.status, 403);
}
