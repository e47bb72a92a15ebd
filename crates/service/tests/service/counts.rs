//! The counts that the store keeps are those of the leads after every change of leads.

use std::io::Cursor;

use lead_workspace_service::store::{Db, workspaces};
use lead_workspace_service::{Tenant, demo, import};
use serde_json::{Value, json};

use crate::common::{Service, on_thread};
use crate::import::options;

const KEPT: &str =
    "SELECT 'in ' || tenant || ' ' || approval_status || ': ' || leads FROM status_counts
      WHERE leads <> 0
    UNION ALL SELECT 'of ' || id || ': ' || lead_count FROM accounts ORDER BY 1";

const COUNTED: &str =
    "SELECT 'in ' || tenant || ' ' || approval_status || ': ' || count(*) FROM leads
      GROUP BY tenant, approval_status
    UNION ALL SELECT 'of ' || id || ': ' || (SELECT count(*) FROM leads WHERE account = accounts.id)
      FROM accounts ORDER BY 1";

/// Checks that a change has changed counts, and that they are right.
async fn are_right(service: &Service, before: &mut Vec<String>, change: &str) {
    let kept = service.texts(KEPT).await;
    assert_ne!(kept, *before, "{change} changed no count");
    assert_eq!(kept, service.texts(COUNTED).await, "{change}");
    *before = kept;
}

#[tokio::test]
async fn every_change_of_leads_keeps_the_counts() {
    let service = Service::empty().await;
    let mut counts = Vec::new();
    let fill = |tenant, leads| {
        let now = demo::EXAMPLE_NOW;
        demo::fill(&service.store, tenant, leads, 7, now, |_, _, _| {})
    };
    fill(service.tenant, 30).await.unwrap();
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
        (
            "an import that decides",
            "Bo,p.example/in/bo,Acme,approved\n",
        ),
    ] {
        let source = Cursor::new(format!("{head}{lines}").into_bytes());
        let run = import::run(
            &service.store,
            service.tenant,
            source,
            options("a.csv"),
            |_| {},
        );
        run.await.unwrap();
        are_right(&service, &mut counts, change).await;
    }

    let id: String = service
        .value("SELECT lead_id FROM leads WHERE name = 'Ana'")
        .await;
    let path = format!("/api/leads/{id}");
    let decision = json!({"approval_status": "filtered"});
    let answer = service.call("PATCH", &path, decision).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    are_right(&service, &mut counts, "a decision").await;
    let answer = service.call("DELETE", &path, Value::Null).await;
    assert_eq!(answer.status, 204);
    are_right(&service, &mut counts, "a deletion").await;

    // The deletion of a workspace ends before its accounts are deleted.
    let create = |db: Db<'_>| Tenant::ensure(db, "north");
    let north = service.store.write(create).await.unwrap();
    fill(north, 250).await.unwrap();
    are_right(&service, &mut counts, "the demo of another workspace").await;
    service.refuse("DELETE ON accounts").await;
    let mut command = service.as_command();
    on_thread(move || {
        workspaces::begin_deletion(&mut command, north).unwrap();
        workspaces::finish_deletion(&mut command, north).unwrap_err();
    });
    are_right(&service, &mut counts, "the deletion of a workspace").await;
}
