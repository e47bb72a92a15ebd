//! A service and a workspace in memory with the same demo leads.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use lead_workspace_api::{CHANGES_PATH, Input};
use lead_workspace_memory::{Options, Request, Workspace};
use lead_workspace_service::import::ImportOptions;
use serde_json::{Value, json};

use crate::common::{Service, with, without_key};
use crate::event_stream::{Event, Events};
use crate::scoring::worker;
use crate::walk::{Ids, query_string};

/// Members whose values each side makes itself: ids of jobs, and the times of what happened during the test. They are
/// compared only by whether they are there. Everything else must be equal.
const GENERATED: &[&str] = &[
    "job_id",
    "workflow_id",
    "created_at",
    "updated_at",
    "scored_at",
];

/// Later times are of the test: the demo data is older.
const DEMO_END: &str = "2026-05-30";

/// Headers of the response that are compared. `x-request-id` must be there.
const HEADERS: &[&str] = &[
    "content-type",
    "cache-control",
    "www-authenticate",
    "retry-after",
];

/// Fields whose values are numbers.
const NUMBERS: &[&str] = &[
    "connections_count",
    "follower_count",
    "company_founded_year",
    "icp_score",
    "lead_count",
];

/// The seed of [`Service::demo`].
const SEED: u64 = 7;

pub struct Headers {
    /// `KEY` stands for the valid key.
    authorization: Option<&'static str>,
    tenant_id: Option<&'static str>,
}

impl Headers {
    const fn new(authorization: Option<&'static str>, tenant_id: Option<&'static str>) -> Self {
        Self {
            authorization,
            tenant_id,
        }
    }

    pub const VALID: Self = Self::new(Some("bearer  KEY "), Some(" null"));
    pub const REFUSED: &'static [Self] = &[
        Self::new(None, None),
        Self::new(Some("Basic abc"), None),
        Self::new(Some("Bearer"), None),
        Self::new(Some("Bearer "), None),
        Self::new(Some("Bearer wrong"), None),
        Self::new(Some("Bearer KEY"), Some("other")),
    ];
}

/// Filter values, by the name of the field.
pub type Values = BTreeMap<&'static str, Vec<Value>>;

pub struct Both {
    service: Service,
    memory: Workspace,
    /// The ids of the last job on each side.
    job: [String; 2],
    pub values: Values,
    /// Whether each side has made ids of its own, by an import.
    has_own_ids: bool,
}

impl Both {
    pub async fn new(leads: u64) -> Self {
        let service = Service::demo(leads).await;
        let memory = Workspace::new(Options {
            seed: SEED,
            leads,
            now: lead_workspace_service::demo::EXAMPLE_NOW,
            api_key: Some(service.key.clone()),
            tenant_id: "default".into(),
        });
        let mut both = Self {
            service,
            memory,
            job: Default::default(),
            values: Values::new(),
            has_own_ids: false,
        };
        both.read_values().await;
        both
    }

    /// Reads values of every field from the service's tables.
    async fn read_values(&mut self) {
        for (field, sql) in super::random::VALUES {
            let texts = self.column(sql).await;
            let is_number = NUMBERS.contains(field);
            let values = texts.into_iter().map(|text| match text.parse::<i64>() {
                Ok(number) if is_number => json!(number),
                _ => json!(text),
            });
            self.values.insert(*field, values.collect());
        }
    }

    pub async fn ids(&self) -> Ids {
        Ids {
            job: "{job}".into(),
            lead: self
                .service
                .value("SELECT lead_id FROM leads WHERE account IS NOT NULL")
                .await,
            account: self
                .service
                .value("SELECT account_id FROM accounts WHERE is_promoted = 1")
                .await,
        }
    }

    /// Returns the first column of a query, as text.
    pub async fn column(&self, sql: &str) -> Vec<String> {
        let sql = format!("WITH t (v) AS ({sql}) SELECT CAST(v AS TEXT) FROM t");
        self.service.texts(&sql).await
    }

    pub async fn get(&mut self, path: &str) -> Value {
        self.send("GET", path, "", &Headers::VALID).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> Value {
        self.send("POST", path, &body.to_string(), &Headers::VALID)
            .await
    }

    pub async fn call(&mut self, method: &str, path: &str, input: Input, params: &Value) -> Value {
        match input {
            Input::Body => {
                self.send(method, path, &params.to_string(), &Headers::VALID)
                    .await
            }
            Input::Nothing => self.send(method, path, "", &Headers::VALID).await,
            Input::Query => {
                let path = format!("{path}?{}", query_string(params));
                self.send(method, &path, "", &Headers::VALID).await
            }
        }
    }

    /// Opens the stream of changes of both.
    pub async fn streams(&self) -> Streams {
        let mut of_service = Events::open(&self.service, CHANGES_PATH).await;
        of_service.expect("open").await;
        Streams {
            of_service,
            version: self.memory.version(),
        }
    }

    /// Sends a request to both, compares the responses, and returns that of the service.
    pub async fn send(&mut self, method: &str, path: &str, body: &str, headers: &Headers) -> Value {
        let [of_service, of_memory] = &self.job;
        let sent = path.replace("{job}", of_service);
        let mut request = without_key(self.service.request(method, &sent, body.to_owned()));
        let authorization = headers
            .authorization
            .map(|text| text.replace("KEY", &self.service.key));
        if let Some(text) = &authorization {
            request = with(request, "authorization", text);
        }
        if let Some(text) = headers.tenant_id {
            request = with(request, "x-tenant-id", text);
        }
        let expected = self.service.send(request).await;
        let raw = path.replace("{job}", of_memory);
        let (raw_path, query) = raw.split_once('?').unwrap_or((&raw, ""));
        // Ages of signals are counted from the start of a job, so it must be the same on both sides.
        let started: Option<String> = self.service.value("SELECT max(created_at) FROM jobs").await;
        let now = started.filter(|_| raw_path.ends_with("/score"));
        let now = now.map_or_else(Timestamp::now, |started| started.parse().unwrap());
        let request = Request {
            method,
            path: raw_path,
            query,
            body: body.as_bytes(),
            authorization: authorization.as_deref(),
            tenant_id: headers.tenant_id,
            request_id: None,
            last_event_id: None,
        };
        let found = self.memory.handle(&request, now);
        let case = format!(
            "{method} {path} {}",
            body.chars().take(300).collect::<String>()
        );
        let header = |name: &str| {
            let mut headers = found.headers.iter();
            headers
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.as_str())
        };
        for name in HEADERS {
            let expected = expected
                .headers
                .get(*name)
                .map(|value| value.to_str().unwrap());
            assert_eq!(header(name), expected, "{case}: {name}");
        }
        assert!(header("x-request-id").is_some(), "{case}");
        let json = |text: &str| match text {
            "" => Value::Null,
            text => serde_json::from_str(text).unwrap(),
        };
        let (mut expected_body, mut found_body) = (json(&expected.text), json(&found.body));
        if self.has_own_ids {
            mask_ids(&mut expected_body);
            mask_ids(&mut found_body);
        }
        assert_eq!(
            found.status,
            expected.status.as_u16(),
            "{case}: {}",
            found.body
        );
        compare(&case, &expected_body, &found_body, "");
        if expected.status == 202 {
            let id = |body: &Value| body["job_id"].as_str().unwrap().to_owned();
            self.job = [id(&expected_body), id(&found_body)];
        }
        expected_body
    }

    /// Imports a file on both sides, which must do the same with each line.
    pub async fn import(&mut self, text: &'static str) {
        let options = ImportOptions {
            score: true,
            ..crate::import::options("leads.csv")
        };
        let expected = self.service.import(text, options).await.unwrap();
        let found = self.memory.import("leads.csv", text, Timestamp::now());
        let found = found.unwrap();
        assert_eq!(found.counts, expected.counts);
        assert_eq!(found.first_errors, expected.first_errors);
        self.has_own_ids = true;
    }

    /// Runs all jobs on both sides to the end, and compares the last one.
    pub async fn finish_jobs(&mut self) {
        {
            let _worker = worker(&self.service);
            let deadline = Instant::now() + Duration::from_secs(60);
            let waiting = "SELECT count(*) FROM jobs WHERE status <> 'succeeded'";
            while self.service.value::<i64>(waiting).await > 0 {
                assert!(Instant::now() < deadline, "a job does not end");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        while self.memory.run_step(Timestamp::now()) {}
        if !self.job[0].is_empty() {
            self.get("/api/jobs/{job}").await;
        }
    }
}

/// Compares two values member by member.
fn compare(case: &str, expected: &Value, found: &Value, at: &str) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            let names = |object: &serde_json::Map<String, Value>| -> Vec<String> {
                object.keys().cloned().collect()
            };
            let (mut expected_names, mut found_names) = (names(expected), names(found));
            expected_names.sort();
            found_names.sort();
            assert_eq!(found_names, expected_names, "{case}: members of {at}");
            for (name, expected) in expected {
                let (found, at) = (&found[name], format!("{at}.{name}"));
                if !is_generated(name, expected) || !is_generated(name, found) {
                    compare(case, expected, found, &at);
                }
            }
        }
        (Value::Array(expected), Value::Array(found)) => {
            assert_eq!(found.len(), expected.len(), "{case}: items of {at}");
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(case, expected, found, &format!("{at}[{index}]"));
            }
        }
        // The service writes the same number in the same way, but a test reads it again.
        (Value::Number(expected), Value::Number(found)) => {
            assert_eq!(found.as_f64(), expected.as_f64(), "{case}: {at}");
        }
        (Value::String(expected), Value::String(found)) if at.starts_with(".detail") => {
            assert_eq!(
                without_job_ids(found),
                without_job_ids(expected),
                "{case}: {at}"
            );
        }
        _ => assert_eq!(found, expected, "{case}: {at}"),
    }
}

/// Leaves only the noun of each id, such as `lead`.
fn mask_ids(value: &mut Value) {
    match value {
        Value::Object(members) => members.values_mut().for_each(mask_ids),
        Value::Array(items) => items.iter_mut().for_each(mask_ids),
        Value::String(text) => {
            let noun = text.rsplit_once('_').filter(|(_, id)| id.len() == 32);
            if let Some((noun, _)) = noun {
                *text = noun.to_owned();
            }
        }
        _ => {}
    }
}

fn is_generated(name: &str, value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let made_here = text > DEMO_END || text.starts_with("job_") || text.starts_with("workflow_");
    GENERATED.contains(&name) && made_here
}

/// A message about an unknown path or method repeats the path.
fn without_job_ids(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.split_once("job_") {
        Some((before, _)) => format!("{before}job"),
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The streams of changes of both.
pub struct Streams {
    of_service: Events,
    /// The version up to which the workspace in memory has reported.
    version: i64,
}

impl Streams {
    /// Returns the changes of the next event of each.
    pub async fn next(&mut self, both: &Both) -> [Value; 2] {
        let of_service = self.of_service.expect("change").await;
        let part = both.memory.part_after(self.version);
        self.version = part.version;
        let of_memory = Event::of(&part.text).expect("the workspace in memory reports nothing");
        [of_service, of_memory].map(|mut event| event.data["changes"].take())
    }
}
