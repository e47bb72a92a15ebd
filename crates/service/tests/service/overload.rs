//! Requests that are slow, too many, or hit a bug: other requests are still served.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use lead_workspace_service::http::{App, Limits, router};
use lead_workspace_service::store::Db;
use lead_workspace_service::store::keys;
use lead_workspace_service::{Store, StoreError, Tenant};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower::ServiceExt;

use crate::common::{Service, limited, with, with_key};

/// Never ends by itself.
const ENDLESS: &str =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";

/// More reads than there are connections; each one holds a connection until this is dropped.
struct BlockedReaders {
    _ends: Vec<mpsc::Sender<()>>,
}

async fn block_readers(service: &Service, tenant: Option<Tenant>) -> BlockedReaders {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (begun, begins) = mpsc::channel();
    // A workspace may use half of the connections.
    let connections = cores.max(4);
    let blocked = if tenant.is_some() {
        connections / 2
    } else {
        connections
    };
    let mut ends = Vec::new();
    for _ in 0..2 * connections {
        let (end, ended) = mpsc::channel::<()>();
        let (store, begun) = (service.store.clone(), begun.clone());
        ends.push(end);
        let hold = move |_: Db<'_>| {
            let _ = begun.send(());
            let _ = ended.recv();
            Ok(())
        };
        tokio::spawn(async move {
            match tenant {
                Some(tenant) => store.read_in(tenant, hold).await,
                None => store.read(hold).await,
            }
        });
    }
    for _ in 0..blocked {
        while begins.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
    }
    BlockedReaders { _ends: ends }
}

async fn other_workspace(store: &Store) -> String {
    let made = store.write(|db| {
        Tenant::ensure(db, "other")?;
        keys::create(db, "other", &["other"])
    });
    made.await.unwrap().text
}

#[tokio::test]
async fn a_slow_read_times_out_with_retry_after() {
    let limits = Limits {
        read_time: Duration::from_millis(50),
        ..Limits::default()
    };
    let service = Service::with(&limited(limits)).await;
    let readers = block_readers(&service, None).await;
    let answer = service.call("POST", "/api/leads/query", json!({})).await;
    assert_eq!(answer.status, 503, "{}", answer.text);
    assert!(answer.headers.contains_key("retry-after"));
    assert!(answer.text.contains("cancelled"), "{}", answer.text);
    drop(readers);
}

/// Interrupting a connection ends the running statement only; between statements it has no effect.
#[tokio::test]
async fn a_timed_out_read_also_stops_between_statements() {
    let service = Service::empty().await;
    let (begun, begins) = tokio::sync::oneshot::channel();
    let (go_on, goes_on) = mpsc::channel::<()>();
    let (reply, ended) = tokio::sync::oneshot::channel();
    let read = service.store.read(move |db| {
        db.sqlite().query_row("SELECT 1", [], |_| Ok(()))?;
        let _ = begun.send(());
        let _ = goes_on.recv();
        let result = db.sqlite().query_row(ENDLESS, [], |_| Ok(()));
        let _ = reply.send(result.map_err(StoreError::from));
        Ok(())
    });
    tokio::select! {
        _ = read => panic!("the read ended early"),
        _ = begins => {}
    }
    // The read is cancelled before it reaches its long statement.
    go_on.send(()).unwrap();
    let result = tokio::time::timeout(Duration::from_secs(20), ended).await;
    let result = result.expect("the read was not cancelled").unwrap();
    assert!(matches!(result, Err(StoreError::Interrupted)), "{result:?}");
}

#[tokio::test]
async fn keys_are_checked_while_all_readers_are_busy() {
    let service = Service::empty().await;
    let readers = block_readers(&service, None).await;
    let request = || service.request("POST", "/api/leads/query", "{}");
    for key in ["", "secret", "lwk_000000000000_0123", &"x".repeat(60_000)] {
        let answer = tokio::time::timeout(
            Duration::from_secs(20),
            service.send(with_key(request(), key)),
        );
        assert_eq!(answer.await.unwrap().status, 401, "{key:.20}");
    }
    // A decision needs no reader.
    let decision = json!({"lead_ids": [], "approval_status": "approved"});
    let decision = service.call("PATCH", "/api/leads", decision);
    let decision = tokio::time::timeout(Duration::from_secs(20), decision);
    assert_eq!(decision.await.unwrap().status, 200);
    drop(readers);
}

#[tokio::test]
async fn reads_of_one_workspace_do_not_block_others() {
    let service = Service::empty().await;
    let other = other_workspace(&service.store).await;
    let readers = block_readers(&service, Some(service.tenant)).await;
    let request = service.request("POST", "/api/leads/query", "{}");
    let answer = service.send(with_key(request, &other));
    let answer = tokio::time::timeout(Duration::from_secs(20), answer).await;
    assert_eq!(
        answer
            .expect("the read was blocked by the other workspace")
            .status,
        200
    );
    drop(readers);
}

#[tokio::test]
async fn too_many_concurrent_requests_get_retry_after() {
    let service = Service::empty().await;
    let other = other_workspace(&service.store).await;
    for (in_workspace, in_all, other_status) in [(1, 9, 200), (9, 1, 503)] {
        let limits = Limits {
            in_workspace,
            in_all,
            ..Limits::default()
        };
        let options = limited(limits);
        let router = router(App::new(service.store.clone(), &options), &options);
        let send = |request| {
            let router = router.clone();
            async move { router.oneshot(request).await.unwrap() }
        };
        // A request whose body never ends.
        let (begun, begins) = tokio::sync::oneshot::channel::<()>();
        let body = futures_util::stream::once(async move {
            let _ = begun.send(());
            std::future::pending::<Result<Bytes, std::io::Error>>().await
        });
        let endless = service.request("POST", "/api/leads/query", Body::from_stream(body));
        let endless = tokio::spawn(send(endless));
        begins.await.unwrap();
        let refused = send(service.request("POST", "/api/leads/query", "{}")).await;
        assert_eq!(refused.status(), 503);
        assert!(refused.headers().contains_key("retry-after"));
        let reply = refused.into_body().collect().await.unwrap().to_bytes();
        let reply = String::from_utf8_lossy(&reply).into_owned();
        assert!(reply.contains("Nothing was changed"), "{reply}");
        let request = service.request("POST", "/api/leads/query", "{}");
        assert_eq!(send(with_key(request, &other)).await.status(), other_status);
        assert_eq!(
            send(service.request("GET", "/health", "")).await.status(),
            200
        );
        endless.abort();
        let _ = endless.await;
        let again = service.request("POST", "/api/leads/query", "{}");
        assert_eq!(send(again).await.status(), 200);
    }
}

/// A small body that never arrives.
struct StalledBody(UnboundedSender<()>);

impl HttpBody for StalledBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let _ = self.0.send(());
        Poll::Pending
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(30)
    }
}

#[tokio::test]
async fn clients_that_send_slowly_do_not_use_up_the_permits() {
    let limits = Limits {
        in_workspace: 2,
        in_all: 2,
        ..Limits::default()
    };
    let service = Service::with(&limited(limits)).await;
    let (waits, mut waiting) = unbounded_channel();
    let slow: Vec<_> = (0..4)
        .map(|_| {
            let body = Body::new(StalledBody(waits.clone()));
            let request = service.request("POST", "/api/leads/query", body);
            tokio::spawn(service.router.clone().oneshot(request))
        })
        .collect();
    for _ in &slow {
        waiting.recv().await.unwrap();
    }
    let answer = service.call("POST", "/api/leads/query", json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    for request in slow {
        request.abort();
    }
}

#[tokio::test]
async fn internal_errors_show_an_id_but_no_sql_or_paths() {
    let service = Service::demo(5).await;
    service.sql("ALTER TABLE list_items RENAME TO gone").await;
    let lead: String = service.value("SELECT lead_id FROM leads").await;
    let request = service.request("GET", &format!("/api/leads/{lead}"), "");
    let request = with(request, "x-request-id", "id-to-look-for");
    let answer = service.send(request).await;
    assert_eq!(answer.status, 500, "{}", answer.text);
    assert!(answer.text.contains("id-to-look-for"), "{}", answer.text);
    assert!(!answer.text.contains("list_items"), "{}", answer.text);
    assert_eq!(answer.headers["x-request-id"], "id-to-look-for");
}
