//! A service with its own database, called without a network.
//!
//! The database is a data folder, or a PostgreSQL database on one or several servers if [`ENGINE`] says so.

mod rows;

use std::ffi::OsString;
use std::process::Output;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use lead_workspace_service::http::{App, Limits, ServiceOptions, router};
use lead_workspace_service::store::{SharedDatabase, Target, distribute, keys};
use lead_workspace_service::{Store, Tenant, demo};
use serde_json::{Value, json};
use tower::ServiceExt;

/// The environment variable with the engine that the tests run on: `postgres`, `citus` for PostgreSQL on several servers,
/// or a data folder without it.
const ENGINE: &str = "LEAD_WORKSPACE_TEST_ENGINE";

#[cfg(unix)]
use lead_workspace_test_postgres::Database;

/// The tests start PostgreSQL on Unix only.
#[cfg(not(unix))]
pub enum Database {}

#[cfg(not(unix))]
impl Database {
    pub fn url(&self) -> String {
        match *self {}
    }
}

pub struct Service {
    // Dropped before the folder, so that nothing writes to it after its removal.
    pub router: Router,
    pub store: Store,
    pub key: String,
    pub tenant: Tenant,
    pub dir: tempfile::TempDir,
    pub database: Option<Database>,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

pub fn is_on_postgres() -> bool {
    is_on("postgres") || is_on("citus")
}

fn is_on(name: &str) -> bool {
    std::env::var_os(ENGINE).is_some_and(|engine| engine == name)
}

fn target(url: &str) -> Target {
    Target::of_url(url).unwrap()
}

/// Returns a database for one test, if the tests run on PostgreSQL.
#[cfg(unix)]
fn database() -> Option<Database> {
    use lead_workspace_test_postgres::{Cluster, Server};
    // Makes the tables in the database that those of all tests are copied from.
    let on_one = |url: &str| {
        let url = url.to_owned();
        on_thread(move || SharedDatabase::of_server(target(&url)).map(drop).unwrap());
    };
    match is_on_postgres() {
        true if is_on("citus") => Some(Cluster::shared().database(on_several)),
        true => Some(Server::shared().database(on_one)),
        false => None,
    }
}

/// Makes the tables in a database on several servers.
#[cfg(unix)]
pub fn on_several(url: &str) {
    let url = url.to_owned();
    on_thread(move || distribute(&target(&url)).map(drop).unwrap());
}

#[cfg(not(unix))]
fn database() -> Option<Database> {
    assert!(!is_on_postgres(), "the tests start PostgreSQL on Unix only");
    None
}

/// Runs something that blocks, which a thread of a runtime must not do.
pub fn on_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::spawn(run).join().unwrap()
}

/// The options of a service with limits.
pub fn limited(limits: Limits) -> ServiceOptions {
    ServiceOptions {
        limits,
        ..ServiceOptions::default()
    }
}

/// Fills a workspace with the demo data of a seed.
pub async fn fill(store: &Store, tenant: Tenant, leads: u64, seed: u64) {
    let filled = demo::fill(store, tenant, leads, seed, demo::EXAMPLE_NOW, |_, _, _| {});
    filled.await.unwrap();
}

/// Asks until there is an answer. On PostgreSQL, a process takes a key for valid for a second after it was.
pub async fn eventually<T>(ask: impl AsyncFn() -> Option<T>) -> T {
    let answered = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let answered = tokio::time::timeout(Duration::from_secs(60), answered);
    answered.await.expect("there is no answer")
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

/// The errors of a program that must fail.
pub fn failed(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The text of a body, which is empty for null.
pub fn body_of(body: &Value) -> String {
    match body {
        Value::Null => String::new(),
        body => body.to_string(),
    }
}

/// A request with a header, instead of the one it has.
pub fn with(mut request: Request<Body>, header: &'static str, value: &str) -> Request<Body> {
    request.headers_mut().insert(header, value.parse().unwrap());
    request
}

/// A request with another key.
pub fn with_key(request: Request<Body>, key: &str) -> Request<Body> {
    with(request, "authorization", &format!("Bearer {key}"))
}

pub fn without_key(mut request: Request<Body>) -> Request<Body> {
    request.headers_mut().remove("authorization");
    request
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The message of an error.
    pub fn detail(&self) -> String {
        let body = self.json();
        let detail = body["detail"].as_str();
        detail.unwrap_or_else(|| panic!("{body}")).to_owned()
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
        Self::on(database(), options).await
    }

    /// Starts a service on a database, or on a data folder without one.
    pub async fn on(database: Option<Database>, options: &ServiceOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = match &database {
            None => Store::open(dir.path()).unwrap(),
            Some(database) => {
                let url = database.url();
                on_thread(move || Store::open_database(target(&url), None).unwrap())
            }
        };
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
            database,
        }
    }

    /// Opens the database as a command does.
    pub fn as_command(&self) -> SharedDatabase {
        match &self.database {
            None => SharedDatabase::of_folder(self.dir.path()).unwrap(),
            Some(database) => {
                let url = database.url();
                on_thread(move || SharedDatabase::of_server(target(&url)).unwrap())
            }
        }
    }

    /// Returns the options of a command of the program that names the database.
    pub fn database_options(&self) -> [OsString; 2] {
        match &self.database {
            None => ["--data".into(), self.dir.path().into()],
            Some(database) => ["--database".into(), database.url().into()],
        }
    }

    pub async fn demo(leads: u64) -> Self {
        let service = Self::empty().await;
        fill(&service.store, service.tenant, leads, 7).await;
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
        self.send(self.request(method, path, body_of(&body))).await
    }

    pub async fn decide(&self, lead: &str, status: &str) {
        let body = json!({"approval_status": status});
        let path = format!("/api/leads/{lead}");
        let answer = self.call("PATCH", &path, body).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, Value::Null).await
    }
}
