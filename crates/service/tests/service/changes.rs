//! The stream of changes.

use http::StatusCode;
use lead_workspace_service::Tenant;
use lead_workspace_service::http::{App, Limits, ServiceOptions, accept_loop, router};
use lead_workspace_service::store::{AcrossWorkspaces, workspaces as admin};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::common::{Service, limited, on_thread, with, with_key, without_key};
use crate::event_stream::Events;

const PATH: &str = "/api/leads/changes";

async fn leads(service: &Service) -> Vec<String> {
    service.texts("SELECT lead_id FROM leads ORDER BY id").await
}

async fn decide(service: &Service, leads: &[String], status: &str) {
    let body = json!({"lead_ids": leads, "approval_status": status});
    let answer = service.call("PATCH", "/api/leads", body).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

async fn version(service: &Service) -> i64 {
    let sql = "SELECT version FROM versions WHERE tenant = 1";
    service.value(sql).await
}

/// Changes the table with the entries of the feed, without an entry.
fn change_feed(service: &Service, sql: &'static str) {
    let mut database = service.as_command();
    on_thread(move || {
        let change = database.change(|db| db.execute(AcrossWorkspaces(sql), &[]));
        assert!(change.unwrap() > 0);
    });
}

#[tokio::test]
async fn decisions_are_told_with_ids_and_status() {
    let service = Service::demo(20).await;
    let leads = leads(&service).await;
    let mut events = Events::open(&service, PATH).await;
    assert_eq!(events.headers["content-type"], "text/event-stream");
    assert_eq!(events.headers["cache-control"], "no-store");
    assert_eq!(events.headers["x-accel-buffering"], "no");
    assert!(!events.headers.contains_key("content-encoding"));
    let open = events.expect("open").await;
    assert_eq!(open.data, json!({"version": open.id}));
    decide(&service, &leads[..2], "filtered").await;
    let event = events.change("status").await;
    assert!(event.id > open.id);
    assert_eq!(event.data["version"], event.id);
    let changed_at = event.data["changed_at"].as_str().unwrap();
    assert!(changed_at.starts_with("20") && changed_at.ends_with('Z'));
    let mut ids = event.ids("status").unwrap();
    ids.sort();
    let mut expected = leads[..2].to_vec();
    expected.sort();
    assert_eq!(ids, expected);
    assert_eq!(event.kinds(), ["status"]);
    assert_eq!(event.data["changes"][0]["approval_status"], "filtered");
    assert_eq!(event.data["changes"][0]["count"], 2);
}

#[tokio::test]
async fn new_deleted_and_scored_leads_are_told() {
    let service = Service::demo(20).await;
    let known = leads(&service).await;
    let mut events = Events::open(&service, PATH).await;
    events.expect("open").await;
    let file = "Name,Company\nAnna Example,Unheard Of\n";
    let imported = service.send(service.request("POST", "/import", file)).await;
    assert_eq!(imported.status, 200, "{}", imported.text);
    let event = events.change("added").await;
    let all = leads(&service).await;
    let new: Vec<String> = all.into_iter().filter(|id| !known.contains(id)).collect();
    assert_eq!(event.ids("added").unwrap(), new);
    // A new lead is told under no other kind.
    for kind in ["status", "fields", "score"] {
        assert_eq!(event.ids(kind), None, "{event:?}");
    }
    let lead = format!("/api/leads/{}", known[0]);
    let deleted = service.call("DELETE", &lead, json!(null)).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    let event = events.change("deleted").await;
    assert_eq!(event.ids("deleted").unwrap(), [known[0].clone()]);
}

#[tokio::test]
async fn a_stream_goes_on_after_the_last_event() {
    let service = Service::demo(20).await;
    let leads = leads(&service).await;
    let before = version(&service).await;
    decide(&service, &leads[..1], "filtered").await;
    let between = version(&service).await;
    decide(&service, &leads[1..2], "filtered").await;
    // Both decisions may be one event.
    let mut events = Events::open(&service, &format!("{PATH}?since={before}")).await;
    assert_eq!(events.expect("open").await.id, before);
    let event = events.change("status").await;
    assert_eq!(event.ids("status").unwrap().len(), 2);
    assert_eq!(event.id, version(&service).await);

    // The header wins.
    let path = format!("{PATH}?since={before}");
    let request = service.request("GET", &path, "");
    let request = with(request, "last-event-id", &between.to_string());
    let mut events = Events::of(&service, request).await;
    assert_eq!(events.expect("open").await.id, between);
    let event = events.change("status").await;
    assert_eq!(event.ids("status").unwrap(), leads[1..2]);
    // And goes on with what happens from now on.
    decide(&service, &leads[2..3], "filtered").await;
    let event = events.change("status").await;
    assert_eq!(event.ids("status").unwrap(), leads[2..3]);
}

#[tokio::test]
async fn what_is_not_known_any_more_is_said() {
    let service = Service::demo(20).await;
    let leads = leads(&service).await;
    let before = version(&service).await;
    decide(&service, &leads[..1], "filtered").await;
    change_feed(&service, "DELETE FROM changes");
    let mut events = Events::open(&service, &format!("{PATH}?since={before}")).await;
    assert_eq!(events.expect("open").await.id, before);
    let reset = events.expect("reset").await;
    assert_eq!(reset.id, version(&service).await);
    assert_eq!(reset.data, json!({"version": reset.id}));
    // The stream goes on.
    decide(&service, &leads[1..2], "filtered").await;
    let event = events.change("status").await;
    assert_eq!(event.ids("status").unwrap(), leads[1..2]);

    // A statement that noted nothing.
    service.sql("UPDATE leads SET title = 'Owner'").await;
    assert!(events.expect("reset").await.id > event.id);
}

/// Their rows do not tell which leads were added.
#[tokio::test]
async fn entries_of_an_earlier_version_are_not_known() {
    let service = Service::demo(20).await;
    let leads = leads(&service).await;
    let before = version(&service).await;
    decide(&service, &leads[..1], "filtered").await;
    change_feed(&service, "UPDATE changes SET at = ''");
    let mut events = Events::open(&service, &format!("{PATH}?since={before}")).await;
    events.expect("open").await;
    events.expect("reset").await;
}

#[tokio::test]
async fn a_version_of_another_workspace_is_said() {
    let service = Service::demo(20).await;
    let present = version(&service).await;
    for since in [present + 1_000, i64::MAX] {
        let mut events = Events::open(&service, &format!("{PATH}?since={since}")).await;
        assert_eq!(events.expect("open").await.id, since);
        assert_eq!(events.expect("reset").await.id, present);
    }
}

#[tokio::test]
async fn invalid_versions_are_refused() {
    let service = Service::demo(5).await;
    for wrong in ["-1", "1.5", "many", "99999999999999999999"] {
        let answer = service.get(&format!("{PATH}?since={wrong}")).await;
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text);
        assert_eq!(answer.locations(), [["query", "since"]], "{wrong}");
        let request = with(service.request("GET", PATH, ""), "last-event-id", wrong);
        let answer = service.send(request).await;
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text);
        assert_eq!(answer.locations(), [["header", "last-event-id"]]);
    }
    let answer = service.call("POST", PATH, json!({})).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_stream_needs_a_key_of_the_workspace() {
    let service = Service::demo(5).await;
    let request = without_key(service.request("GET", PATH, ""));
    assert_eq!(service.send(request).await.status, 401);
    let request = with(service.request("GET", PATH, ""), "x-tenant-id", "other");
    assert_eq!(service.send(request).await.status, 403);
}

/// What happens in one workspace is not told in another.
#[tokio::test]
async fn a_stream_tells_of_its_workspace_only() {
    let service = Service::demo(20).await;
    let leads = leads(&service).await;
    let other = service
        .store
        .write(|db| Tenant::ensure(db, "other"))
        .await
        .unwrap();
    let key = service
        .store
        .write(|db| lead_workspace_service::store::keys::create(db, "other", &["other"]))
        .await
        .unwrap();
    let request = with_key(service.request("GET", PATH, ""), &key.text);
    let mut events = Events::of(&service, request).await;
    events.expect("open").await;
    decide(&service, &leads[..1], "filtered").await;
    let add = |db: lead_workspace_service::store::Db<'_>| {
        lead_workspace_service::store::keys::create(db, "third", &["other"]).map(drop)
    };
    // Without leads or accounts it is no event; the statement that notes nothing is the first.
    service.store.write_in(other, add).await.unwrap();
    service
        .store
        .write_in(other, |db| db.batch("SELECT 1"))
        .await
        .unwrap();
    let event = events.expect("reset").await;
    let sql = "SELECT version FROM versions WHERE tenant <> 1";
    assert_eq!(event.id, service.value::<i64>(sql).await);
}

#[tokio::test]
async fn a_revoked_key_ends_its_streams() {
    let service = Service::demo(5).await;
    let mut events = Events::open(&service, PATH).await;
    events.expect("open").await;
    let key_id = service.key.split('_').nth(1).unwrap().to_owned();
    let mut database = service.as_command();
    on_thread(move || {
        let revoke = |db: lead_workspace_service::store::Db<'_>| {
            lead_workspace_service::store::keys::revoke(db, &key_id)
        };
        assert!(database.change(revoke).unwrap());
    });
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn a_deleted_workspace_ends_its_streams() {
    let service = Service::demo(5).await;
    let mut events = Events::open(&service, PATH).await;
    events.expect("open").await;
    let mut database = service.as_command();
    on_thread(move || {
        let tenant = database.read(|db| admin::find(db, "default")).unwrap();
        admin::begin_deletion(&mut database, tenant).unwrap();
    });
    while let Some(event) = events.next().await {
        // The deletion is a change that notes nothing.
        assert_eq!(event.name, "reset");
    }
}

/// A command next to the service makes a change without an entry.
#[tokio::test]
async fn a_command_beside_the_service_is_noticed() {
    let service = Service::demo(5).await;
    let mut events = Events::open(&service, PATH).await;
    events.expect("open").await;
    change_feed(
        &service,
        "UPDATE versions SET version = version + 1 WHERE tenant = 1",
    );
    events.expect("reset").await;
}

#[tokio::test]
async fn streams_hold_no_permit_and_are_limited() {
    let limits = Limits {
        in_workspace: 1,
        connections: 4,
        ..Limits::default()
    };
    let service = Service::with(&limited(limits)).await;
    let mut open = Vec::new();
    for _ in 0..2 {
        let mut events = Events::open(&service, PATH).await;
        events.expect("open").await;
        open.push(events);
    }
    let query = service.call("POST", "/api/leads/query", json!({})).await;
    assert_eq!(query.status, 200, "{}", query.text);
    let refused = service.get(PATH).await;
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(refused.headers.contains_key("retry-after"));
    open.pop();
    let mut events = Events::open(&service, PATH).await;
    events.expect("open").await;
}

#[tokio::test]
async fn a_stop_ends_streams() {
    let service = Service::demo(5).await;
    let options = ServiceOptions::default();
    let router = router(App::new(service.store.clone(), &options), &options);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = accept_loop::serve(listener, router, options.limits, async {
        let _ = stopped.await;
    });
    let serving = tokio::spawn(serving);
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET {PATH} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {}\r\n\r\n",
        service.key
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    while !String::from_utf8_lossy(&received).contains("event: open") {
        assert_ne!(stream.read_buf(&mut received).await.unwrap(), 0);
    }
    stop.send(()).unwrap();
    serving.await.unwrap();
    stream.read_to_end(&mut received).await.unwrap();
    // The last chunk: the body has ended as it should.
    assert!(received.ends_with(b"0\r\n\r\n"));
}
