//! Two workspaces: every operation with every credential and every workspace header, and what it costs.

mod cost;

use std::collections::BTreeSet;

use http::Request;
use lead_workspace_api::Input;
use lead_workspace_service::Tenant;
use lead_workspace_service::store::keys;
use serde_json::json;

use crate::common::{Answer, Service, fill};
use crate::walk::{Ids, Operation, operations, query_string};

/// The workspaces of the service.
const WORKSPACES: [&str; 2] = ["default", "north"];

/// A credential of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Credential {
    /// A key of the workspace `default`.
    OfDefault,
    /// A key of the workspace `north`.
    OfNorth,
    /// A key of both, of which `default` is the first.
    OfBoth,
    Revoked,
    /// The id of a valid key with the secret of another.
    WrongSecret,
    Unknown,
    /// Not a bearer token.
    Malformed,
    Missing,
}

/// What a request reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reached {
    Workspace(&'static str),
    Refused(u16),
}

const DEFAULT: Reached = Reached::Workspace("default");
const NORTH: Reached = Reached::Workspace("north");
const NO_KEY: Reached = Reached::Refused(401);
const NO_ACCESS: Reached = Reached::Refused(403);

/// The values of `x-tenant-id`.
const HEADERS: [Option<&str>; 4] = [None, Some("default"), Some("north"), Some("nowhere")];

/// What each credential reaches with each of these values. The same for every operation.
const MATRIX: [(Credential, [Reached; 4]); 8] = [
    (
        Credential::OfDefault,
        [DEFAULT, DEFAULT, NO_ACCESS, NO_ACCESS],
    ),
    (Credential::OfNorth, [NORTH, NO_ACCESS, NORTH, NO_ACCESS]),
    (Credential::OfBoth, [DEFAULT, DEFAULT, NORTH, NO_ACCESS]),
    (Credential::Revoked, [NO_KEY; 4]),
    (Credential::WrongSecret, [NO_KEY; 4]),
    (Credential::Unknown, [NO_KEY; 4]),
    (Credential::Malformed, [NO_KEY; 4]),
    (Credential::Missing, [NO_KEY; 4]),
];

/// Operations that are not in the contract's table: name, method, path and body.
const IMPORTS: [(&str, &str, &str, &str); 3] = [
    (
        "import",
        "POST",
        "/import?file_name=new.csv&list=New",
        "Name\nAna\n",
    ),
    ("preview", "POST", "/import/preview", "Name\nAna\n"),
    ("fields", "GET", "/import/fields", ""),
];

struct Workspaces {
    service: Service,
    headers: Vec<(Credential, Option<String>)>,
    ids: Ids,
}

impl Workspaces {
    async fn new() -> Self {
        let service = Service::demo(40).await;
        let store = &service.store;
        let north = store.write(|db| Tenant::ensure(db, "north")).await.unwrap();
        fill(store, north, 25, 9).await;
        let key = async |tenants: &'static [&'static str]| {
            let made = store.write(move |db| keys::create(db, "test", tenants));
            made.await.unwrap().text
        };
        let (of_north, of_both) = (key(&["north"]).await, key(&WORKSPACES).await);
        let revoked = key(&WORKSPACES).await;
        let id = keys::key_id(&revoked).unwrap().to_owned();
        store.write(move |db| keys::revoke(db, &id)).await.unwrap();
        let secret = of_north.rsplit('_').next().unwrap();
        let (id, _) = service.key.rsplit_once('_').unwrap();
        let bearer = |key: &str| Some(format!("Bearer {key}"));
        let headers = vec![
            (Credential::OfDefault, bearer(&service.key)),
            (Credential::OfNorth, bearer(&of_north)),
            (Credential::OfBoth, bearer(&of_both)),
            (Credential::Revoked, bearer(&revoked)),
            (Credential::WrongSecret, bearer(&format!("{id}_{secret}"))),
            (
                Credential::Unknown,
                bearer(&format!("lwk_{}_{secret}", "0".repeat(12))),
            ),
            (Credential::Malformed, Some("Basic YTpi".to_owned())),
            (Credential::Missing, None),
        ];
        let ids = Ids::of(&service).await;
        let mut made = Self {
            service,
            headers,
            ids,
        };
        for workspace in WORKSPACES {
            made.mark(workspace).await;
        }
        made.refresh().await;
        made
    }

    /// Puts the name of the workspace into every name in it.
    async fn mark(&self, workspace: &str) {
        for (table, column) in [
            ("leads", "name"),
            ("leads", "company"),
            ("leads", "title"),
            ("accounts", "name"),
            ("lists", "name"),
            ("campaigns", "name"),
            ("signals", "name"),
        ] {
            self.service
                .sql(&format!(
                    "UPDATE {table} SET {column} = 'only-{workspace} ' || {column} WHERE tenant =
                       (SELECT tenant FROM tenants WHERE tenant_id = '{workspace}')"
                ))
                .await;
        }
    }

    /// Chooses a lead of `default` that still exists.
    async fn refresh(&mut self) {
        let sql = "SELECT l.lead_id FROM leads l JOIN tenants t ON t.tenant = l.tenant
             WHERE t.tenant_id = 'default' AND l.account IS NOT NULL";
        self.ids.lead = self.service.value(sql).await;
        let sql = "SELECT a.account_id FROM accounts a JOIN tenants t ON t.tenant = a.tenant
             WHERE t.tenant_id = 'default' AND a.is_promoted = 1";
        self.ids.account = self.service.value(sql).await;
    }

    /// Returns the ids and the mark of a workspace, none of which another one may show.
    async fn secrets(&self, workspace: &str) -> BTreeSet<String> {
        let of = format!("tenant = (SELECT tenant FROM tenants WHERE tenant_id = '{workspace}')");
        let ids = [
            ("leads", "lead_id"),
            ("accounts", "account_id"),
            ("lists", "list_id"),
            ("campaigns", "campaign_id"),
            ("signals", "signal_id"),
            ("signal_runs", "signal_run_id"),
            ("feed_posts", "feed_post_id"),
            ("jobs", "job_id"),
            ("import_jobs", "import_job_id"),
        ];
        let ids = ids.map(|(table, id)| format!("SELECT {id} FROM {table} WHERE {of}"));
        let mut all = BTreeSet::from([format!("only-{workspace}")]);
        all.extend(self.service.texts(&ids.join(" UNION ALL ")).await);
        all
    }

    /// Returns everything that a request could change in a workspace.
    async fn state(&self, workspace: &str) -> Vec<String> {
        let of = format!("tenant = (SELECT tenant FROM tenants WHERE tenant_id = '{workspace}')");
        let sql = format!(
            "SELECT 'lead ' || lead_id || approval_status FROM leads WHERE {of}
             UNION ALL SELECT 'accounts ' || count(*) FROM accounts WHERE {of}
             UNION ALL SELECT 'lists ' || count(*) FROM lists WHERE {of}
             UNION ALL SELECT 'jobs ' || count(*) FROM jobs WHERE {of}
             UNION ALL SELECT 'imports ' || count(*) FROM import_jobs WHERE {of} ORDER BY 1"
        );
        self.service.texts(&sql).await
    }

    fn request(&self, operation: &Operation) -> (String, String) {
        let (path, params) = (self.ids.fill(operation.path), self.ids.params(operation));
        match operation.input {
            Input::Body => (path, params.to_string()),
            Input::Nothing => (path, String::new()),
            Input::Query => (format!("{path}?{}", query_string(&params)), String::new()),
        }
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        body: &str,
        authorization: Option<&str>,
        tenant: Option<&str>,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1");
        if let Some(value) = authorization {
            request = request.header("authorization", value);
        }
        if let Some(tenant) = tenant {
            request = request.header("x-tenant-id", tenant);
        }
        self.service
            .send(request.body(body.to_owned().into()).unwrap())
            .await
    }
}

/// Checks one request and its effects. `of_default` says whether it names an id of `default`.
async fn cell(
    workspaces: &Workspaces,
    (name, method, path, body): (&str, &str, &str, &str),
    (status, of_default): (u16, bool),
    (credential, authorization): (Credential, Option<&str>),
    (tenant, reached): (Option<&str>, Reached),
) {
    let case = format!("{name}, {credential:?}, {tenant:?}");
    let mut before = Vec::new();
    for workspace in WORKSPACES {
        before.push((workspace, workspaces.state(workspace).await));
    }
    let answer = workspaces
        .send(method, path, body, authorization, tenant)
        .await;
    let text = &answer.text;
    match reached {
        Reached::Workspace("north") if of_default => {
            assert_eq!(answer.status, 404, "{case}: {text}");
            assert!(answer.json()["detail"].is_string(), "{case}: {text}");
        }
        Reached::Workspace(_) => assert_eq!(answer.status, status, "{case}: {text}"),
        Reached::Refused(expected) => {
            assert_eq!(answer.status, expected, "{case}: {text}");
            let body = answer.json();
            let only_detail = body.as_object().is_some_and(|body| body.len() == 1);
            assert!(only_detail && body["detail"].is_string(), "{case}: {text}");
            let challenge = answer.headers.get("www-authenticate");
            assert_eq!(challenge.is_some(), expected == 401, "{case}");
        }
    }
    for (workspace, before) in before {
        if reached == Reached::Workspace(workspace) {
            continue;
        }
        assert_eq!(
            workspaces.state(workspace).await,
            before,
            "{case} changed {workspace}"
        );
        for secret in workspaces.secrets(workspace).await {
            // What the request itself says may be repeated.
            let given = path.contains(&secret) || body.contains(&secret);
            assert!(
                given || !text.contains(&secret),
                "{case} shows {secret}: {text}"
            );
        }
    }
    if (reached, name) == (NORTH, "update_leads") {
        assert_eq!(answer.json(), json!({"updated": 0}), "{case}");
    }
    if let (Reached::Workspace(workspace), "query_leads") = (reached, name) {
        let leads: i64 = workspaces
            .service
            .value(&format!(
                "SELECT count(*) FROM leads WHERE tenant =
                   (SELECT tenant FROM tenants WHERE tenant_id = '{workspace}')"
            ))
            .await;
        assert_eq!(answer.json()["total"], leads, "{case}");
    }
}

#[tokio::test]
async fn each_credential_reaches_its_own_workspaces_and_nothing_else() {
    let mut workspaces = Workspaces::new().await;
    let mut cells = 0;
    for operation in operations() {
        for (credential, reached) in MATRIX {
            for (tenant, reached) in HEADERS.into_iter().zip(reached) {
                workspaces.refresh().await;
                let (path, body) = workspaces.request(&operation);
                let header = workspaces.headers.iter().find(|(of, _)| *of == credential);
                cell(
                    &workspaces,
                    (operation.name, operation.method, &path, &body),
                    (operation.status, operation.path.contains('{')),
                    (credential, header.unwrap().1.as_deref()),
                    (tenant, reached),
                )
                .await;
                cells += 1;
            }
        }
    }
    assert_eq!(cells, 16 * 8 * 4);
}

#[tokio::test]
async fn each_credential_imports_into_its_own_workspaces_only() {
    let workspaces = Workspaces::new().await;
    for import in IMPORTS {
        for (credential, reached) in MATRIX {
            for (tenant, reached) in HEADERS.into_iter().zip(reached) {
                let header = workspaces.headers.iter().find(|(of, _)| *of == credential);
                cell(
                    &workspaces,
                    import,
                    (200, false),
                    (credential, header.unwrap().1.as_deref()),
                    (tenant, reached),
                )
                .await;
            }
        }
    }
}

/// The message must not say which part of the credential is wrong, or which workspaces exist.
#[tokio::test]
async fn refusals_do_not_say_what_exists() {
    let workspaces = Workspaces::new().await;
    let body = |credential, tenant| {
        let header = workspaces.headers.iter().find(|(of, _)| *of == credential);
        let header = header.unwrap().1.clone();
        let workspaces = &workspaces;
        async move {
            let sent = workspaces.send("GET", "/api/leads/facets", "", header.as_deref(), tenant);
            sent.await.text
        }
    };
    let revoked = body(Credential::Revoked, None).await;
    for credential in [Credential::WrongSecret, Credential::Unknown] {
        assert_eq!(body(credential, None).await, revoked, "{credential:?}");
    }
    let existing = body(Credential::OfDefault, Some("north")).await;
    let unknown = body(Credential::OfDefault, Some("nowhere")).await;
    assert_eq!(existing.replace("north", "nowhere"), unknown);
    assert!(unknown.contains("nowhere"), "{unknown}");
}

/// Each facet of the leads, with the sum of its counts, which other workspaces must not change.
#[tokio::test]
async fn facet_counts_are_of_one_workspace() {
    let workspaces = Workspaces::new().await;
    for (credential, workspace) in [
        (Credential::OfDefault, "default"),
        (Credential::OfNorth, "north"),
    ] {
        let header = workspaces.headers.iter().find(|(of, _)| *of == credential);
        let body = json!({"facets": [{"field": "approval_status"}]}).to_string();
        let header = header.unwrap().1.as_deref();
        let answer = workspaces
            .send("POST", "/api/leads/facets", &body, header, None)
            .await
            .json();
        let items = answer["facets"][0]["items"].as_array().unwrap();
        let sum: u64 = items.iter().filter_map(|item| item["count"].as_u64()).sum();
        let expected = if workspace == "default" { 40 } else { 25 };
        assert_eq!(sum, expected, "{answer}");
    }
}
