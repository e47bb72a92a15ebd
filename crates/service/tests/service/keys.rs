//! Keys: created, listed and revoked by the program while a service runs.

use serde_json::json;

use crate::common::{Service, done, eventually, failed, with, with_key};
use crate::key_rights::new_key;
use crate::program::run;

async fn status(service: &Service, key: &str, tenant: Option<&str>) -> u16 {
    let request = service.request("POST", "/api/leads/query", json!({}).to_string());
    let mut request = with_key(request, key);
    if let Some(tenant) = tenant {
        request = with(request, "x-tenant-id", tenant);
    }
    service.send(request).await.status.as_u16()
}

#[tokio::test]
async fn a_key_works_from_creation_to_revocation() {
    let service = Service::empty().await;
    let key = new_key(&service, &["--name", "laptop"]);
    let secret = key.rsplit('_').next().unwrap();
    assert_eq!(status(&service, &key, None).await, 200);
    for wrong in ["", &format!("{key}0")] {
        assert_eq!(status(&service, wrong, None).await, 401, "{wrong}");
    }

    let list = || done(&service.program(&["keys", "list"]));
    let listed = list();
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

    let revoke = || service.program(&["keys", "revoke", key_id]);
    done(&revoke());
    let refused = async || {
        let status = status(&service, &key, None).await;
        (status != 200).then_some(status)
    };
    assert_eq!(eventually(refused).await, 401);
    assert!(list().contains("revoked"));
    let again = failed(&revoke());
    assert!(again.contains("Nothing was changed"), "{again}");
}

#[tokio::test]
async fn a_key_opens_its_own_workspaces() {
    let service = Service::demo(3).await;
    let refused = failed(&service.program(&["keys", "create", "--tenant", "north"]));
    assert!(refused.contains("--make-tenant"), "{refused}");
    let both = ["--tenant", "north", "--tenant", "default", "--make-tenant"];
    let key = new_key(&service, &both);
    for (tenant, total) in [
        (None, 0),
        (Some("north"), 0),
        (Some("default"), 3),
        (Some(""), 0),
        (Some("null"), 0),
    ] {
        let request = service.request("POST", "/api/leads/query", "{}");
        let mut request = with(request, "authorization", &format!("bearer {key}"));
        if let Some(tenant) = tenant {
            request = with(request, "x-tenant-id", tenant);
        }
        let answer = service.send(request).await;
        assert_eq!(answer.json()["total"], total, "{tenant:?}");
    }
    assert_eq!(status(&service, &key, Some("elsewhere")).await, 403);
}

/// A mistyped folder must not become a workspace.
#[tokio::test]
async fn only_key_creation_creates_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for data in [&dir.path().join("mistyped"), &empty] {
        for arguments in [&["keys", "list"][..], &["keys", "revoke", "lwk_0_0"]] {
            let message = failed(&run(arguments, data));
            assert!(
                message.contains("no workspace") && message.contains("--data"),
                "{message}"
            );
            assert!(!data.join("workspace.db").exists());
        }
    }
    assert!(!dir.path().join("mistyped").exists());
    let new = dir.path().join("new");
    done(&run(&["keys", "create"], &new));
    assert!(done(&run(&["keys", "list"], &new)).contains("valid"));
}

#[test]
fn a_workspace_that_a_key_makes_is_told() {
    let dir = tempfile::tempdir().unwrap();
    for is_new in [true, false] {
        let created = run(&["keys", "create"], dir.path());
        assert!(done(&created).starts_with("lwk_"));
        let told = String::from_utf8(created.stderr).unwrap();
        assert_eq!(told.contains("There was no workspace in"), is_new, "{told}");
    }
}
