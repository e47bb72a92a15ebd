//! A service with its own database, called without a network.
//!
//! The database is a data folder, or a PostgreSQL database on one or several servers if [`ENGINE`] says so.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::Output;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use lead_workspace_service::http::{App, Limits, ServiceOptions, router};
use lead_workspace_service::store::{
    AcrossWorkspaces, Db, Row, SharedDatabase, Target, distribute, keys,
};
use lead_workspace_service::{Store, StoreError, Tenant, demo};
use rusqlite::types::Value as Sql;
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

    /// Has changes fail from now on, such as `UPDATE OF title ON leads`.
    pub async fn refuse(&self, change: &str) {
        let fail = if self.database.is_some() {
            "RAISE 'no'"
        } else {
            "SELECT raise(ABORT, 'no')"
        };
        self.trigger(&format!("BEFORE {change}"), "true", fail)
            .await;
    }

    /// Runs a statement for each row that is changed.
    pub async fn trigger(&self, change: &str, condition: &str, statement: &str) {
        let event = format!("CREATE TRIGGER triggered {change} FOR EACH ROW WHEN ({condition})");
        let statements = if self.database.is_some() {
            vec![
                format!(
                    "CREATE FUNCTION triggered() RETURNS trigger LANGUAGE plpgsql AS
                       $$ BEGIN {statement}; RETURN NULL; END $$"
                ),
                format!("{event} EXECUTE FUNCTION triggered()"),
            ]
        } else {
            vec![format!("{event} BEGIN {statement}; END")]
        };
        self.run(statements).await;
    }

    async fn run(&self, statements: Vec<String>) {
        let change = move |db: Db<'_>| statements.iter().try_for_each(|sql| db.batch(sql));
        self.store.write(change).await.unwrap();
    }

    /// Checks the references and the pages of the database. PostgreSQL does not commit a broken reference, and has no
    /// check of pages.
    pub async fn check_integrity(&self) {
        if self.database.is_none() {
            let broken: Vec<String> = self
                .texts("SELECT \"table\" FROM pragma_foreign_key_check")
                .await;
            assert!(broken.is_empty(), "broken references in {broken:?}");
            assert_eq!(self.texts("PRAGMA integrity_check").await, ["ok"]);
        }
    }

    /// Returns the names of the tables.
    pub async fn tables(&self) -> Vec<String> {
        let sql = if self.database.is_some() {
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
        } else {
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'leads_search%' ORDER BY 1"
        };
        self.texts(sql).await
    }

    /// Returns the rows of a query as text, with the names of the columns.
    pub async fn rows(&self, sql: &str) -> Vec<String> {
        let sql = sql.to_owned();
        let read = |row: &Row<'_>| {
            let names = row.names().into_iter();
            let values = names.map(|name| Ok((name, row.get::<Sql>(name)?)));
            Ok(format!(
                "{:?}",
                values.collect::<Result<BTreeMap<_, _>, StoreError>>()?
            ))
        };
        let rows = move |db: Db<'_>| db.rows(AcrossWorkspaces(&sql), &[], read);
        self.store.read(rows).await.unwrap()
    }

    /// Changes rows.
    pub async fn sql(&self, sql: &str) {
        let mut statements = vec![sql.to_owned()];
        if is_on("citus") {
            // The transaction goes on after a change of a table.
            statements.insert(
                0,
                "SET LOCAL citus.multi_shard_modify_mode = 'sequential'".into(),
            );
        }
        self.run(statements).await;
    }

    /// Returns the first column of a query, whose values are texts.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let sql = sql.to_owned();
        self.store
            .read(move |db| db.rows(AcrossWorkspaces(&sql), &[], |row| row.get(0)))
            .await
            .unwrap()
    }

    /// Returns the first row of a query, as an object of texts and nulls.
    pub async fn record(&self, sql: &str) -> Value {
        let sql = sql.to_owned();
        let read = |row: &Row<'_>| {
            let names = row.names().into_iter();
            let values = names.map(|name| Ok((name.to_owned(), row.get::<Option<String>>(name)?)));
            let values = values.collect::<Result<BTreeMap<_, _>, StoreError>>()?;
            Ok(json!(values))
        };
        let row = move |db: Db<'_>| db.one(AcrossWorkspaces(&sql), &[], read);
        self.store.read(row).await.unwrap()
    }

    /// Returns the first value of a query.
    pub async fn value<T: rusqlite::types::FromSql + Send + 'static>(&self, sql: &str) -> T {
        let sql = sql.to_owned();
        self.store
            .read(move |db| db.value(AcrossWorkspaces(&sql), &[]))
            .await
            .unwrap()
    }
}
