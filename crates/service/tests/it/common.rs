//! A service in its own folder, called without a network.

use std::process::Output;

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use lead_workspace_service::http::{App, ServiceOptions, router};
use lead_workspace_service::store::{Db, doctor, keys};
use lead_workspace_service::{Store, Tenant, demo};
use serde_json::Value;
use tower::ServiceExt;

pub struct Service {
    // Dropped before the folder, so that nothing writes to it after its removal.
    pub router: Router,
    pub store: Store,
    pub key: String,
    pub tenant: Tenant,
    pub dir: tempfile::TempDir,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

/// The output of a program that must succeed.
pub fn done(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn locations(&self) -> Vec<Vec<String>> {
        let body = self.json();
        let entries = body["detail"]
            .as_array()
            .unwrap_or_else(|| panic!("{body}"));
        let parts = |entry: &Value| serde_json::from_value(entry["loc"].clone()).unwrap();
        entries.iter().map(parts).collect()
    }
}

impl Service {
    pub async fn empty() -> Self {
        Self::with(&ServiceOptions::default()).await
    }

    pub async fn with(options: &ServiceOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let key = store
            .write(|db| keys::create(db, "test", &["default"]))
            .await
            .unwrap();
        let tenant = store.read(Tenant::default_of).await.unwrap();
        let router = router(App::new(store.clone(), options), options);
        Self {
            router,
            store,
            key: key.text,
            tenant,
            dir,
        }
    }

    pub async fn demo(leads: u64) -> Self {
        let service = Self::empty().await;
        demo::fill(&service.store, service.tenant, leads, 7, |_, _, _| {})
            .await
            .unwrap();
        service
    }

    /// Sends a request unchanged.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    /// Builds a request with the key.
    pub fn request(&self, method: &str, path: &str, body: impl Into<Body>) -> Request<Body> {
        Request::builder()
            .method(Method::from_bytes(method.as_bytes()).unwrap())
            .uri(path)
            .header("host", "127.0.0.1")
            .header("authorization", format!("Bearer {}", self.key))
            .body(body.into())
            .unwrap()
    }

    pub async fn call(&self, method: &str, path: &str, body: Value) -> Answer {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        self.send(self.request(method, path, body)).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, Value::Null).await
    }

    /// Changes rows. The store's own counts are computed anew: only its functions keep them.
    pub async fn sql(&self, sql: &str) {
        let sql = sql.to_owned();
        let change = move |db: Db<'_>| {
            db.sqlite().execute_batch(&sql)?;
            doctor::recount(db)
        };
        self.store.write(change).await.unwrap();
    }

    /// Returns the first value of a query.
    pub async fn value<T: rusqlite::types::FromSql + Send + 'static>(&self, sql: &str) -> T {
        let sql = sql.to_owned();
        self.store
            .read(move |db| Ok(db.sqlite().query_row(&sql, [], |row| row.get(0))?))
            .await
            .unwrap()
    }
}
