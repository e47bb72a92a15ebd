//! Where clients send their requests: the program, or a service in this process.

use std::io;
use std::path::Path;

use axum::Router;
use axum::body::Body;
use http::Request;
use http_body_util::BodyExt;
use lead_workspace_service::http::{App, ServiceOptions, router};
use lead_workspace_service::scoring::spawn_worker;
use lead_workspace_service::store::keys;
use lead_workspace_service::{Store, StoreError};
use tokio::runtime::Runtime;
use tower::ServiceExt;

use crate::program::Running;

/// A service that may end at any time.
pub trait Server: Sync {
    /// Sends a request, and returns the status and the body. An error means that nothing was
    /// acknowledged.
    fn try_send(&self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)>;
}

impl Server for Running {
    fn try_send(&self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        Self::try_send(self, method, path, body)
    }
}

/// A service in this process, with its worker.
pub struct Local {
    // Dropped in this order. The runtime waits for all tasks, so that then the store is closed.
    router: Router,
    pub store: Store,
    pub runtime: Runtime,
    key: String,
}

impl Local {
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let store = Store::open(folder)?;
        let create = store.write(|db| keys::create(db, "test", &["default"]));
        let key = runtime.block_on(create)?.text;
        let options = ServiceOptions::default();
        let router = router(App::new(store.clone(), &options), &options);
        {
            let _context = runtime.enter();
            spawn_worker(store.clone(), std::future::pending());
        }
        Ok(Self {
            router,
            store,
            key,
            runtime,
        })
    }
}

impl Server for Local {
    fn try_send(&self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1")
            .header("authorization", format!("Bearer {}", self.key))
            .body(Body::from(body.to_owned()))
            .unwrap();
        let router = self.router.clone();
        let answered = self.runtime.block_on(async {
            let response = router.oneshot(request).await.unwrap();
            let status = response.status().as_u16();
            let body = response.into_body().collect().await;
            body.map(|body| (status, body.to_bytes()))
        });
        let (status, body) = answered.map_err(io::Error::other)?;
        let body = String::from_utf8_lossy(&body).into_owned();
        // The answers of a service that can no longer write.
        if status >= 500 || body.contains(r#""event":"error""#) {
            return Err(io::Error::other(body));
        }
        Ok((status, body))
    }
}
