//! A gateway in front of a stream of changes.

use lead_workspace_service::gateway::UpstreamLimits;
use lead_workspace_service::store::{Db, keys};

use crate::common::{Service, on_thread, with};
use crate::event_stream::Events;
use crate::fake_upstream::{fake, response};
use crate::gateway::{gateway_to, on_a_port};

const PATH: &str = "/api/leads/changes";

async fn pair() -> (Service, Service) {
    let upstream = Service::demo(20).await;
    let url = format!("http://{}", on_a_port(&upstream).await);
    let gateway = gateway_to(&url, &upstream.key, UpstreamLimits::default()).await;
    (upstream, gateway)
}

#[tokio::test]
async fn events_of_the_upstream_pass_as_they_come() {
    let (upstream, gateway) = pair().await;
    let leads = upstream.texts("SELECT lead_id FROM leads").await;
    let mut events = Events::open(&gateway, PATH).await;
    assert_eq!(events.headers["content-type"], "text/event-stream");
    assert_eq!(events.headers["cache-control"], "no-store");
    assert_eq!(events.headers["x-accel-buffering"], "no");
    let open = events.expect("open").await;
    for lead in &leads[..2] {
        gateway.decide(lead, "filtered").await;
        let event = events.change("status").await;
        assert_eq!(event.ids("status").unwrap(), std::slice::from_ref(lead));
    }
    drop(events);

    let request = gateway.request("GET", &format!("{PATH}?since=0"), "");
    let request = with(request, "last-event-id", &open.id.to_string());
    let mut events = Events::of(&gateway, request).await;
    assert_eq!(events.expect("open").await.id, open.id);
    let event = events.change("status").await;
    assert_eq!(event.ids("status").unwrap().len(), 2);

    let invalid = gateway.get(&format!("{PATH}?since=many")).await;
    assert_eq!(invalid.status, 422, "{}", invalid.text);
}

#[tokio::test]
async fn a_revoked_key_of_the_gateway_ends_its_streams() {
    let (_upstream, gateway) = pair().await;
    let mut events = Events::open(&gateway, PATH).await;
    events.expect("open").await;
    let key_id = gateway.key.split('_').nth(1).unwrap().to_owned();
    let mut database = gateway.as_command();
    on_thread(move || {
        let revoke = |db: Db<'_>| keys::revoke(db, &key_id);
        assert!(database.change(revoke).unwrap());
    });
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn an_upstream_without_a_stream_says_so() {
    let json = "404 Not Found\r\ncontent-type: application/json";
    let upstream = fake(response(json, "{\"detail\":\"no\"}"), false).await;
    let answer = upstream.gateway().await.get(PATH).await;
    assert_eq!(answer.status, 404);
    assert_eq!(answer.json()["detail"], "no");
}

#[tokio::test]
async fn an_event_with_the_key_of_the_upstream_does_not_pass() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\r\n";
    let events = "event: open\nid: 1\ndata: {\"version\":1}\n\n\
                  event: change\nid: 2\ndata: {\"key\":\"upstream-secret\"}\n\n";
    let upstream = fake(format!("{head}{events}"), true).await;
    let mut events = Events::open(&upstream.gateway().await, PATH).await;
    // The first event may have come together with the other one.
    while let Some(event) = events.next().await {
        assert_eq!(event.name, "open");
    }
}
