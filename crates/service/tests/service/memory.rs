//! The workspace in memory against the service: both get the same requests, and must give the same responses.

mod both;
mod changes;
mod custom_fields;
mod random;

use lead_workspace_api::{
    AccountField, AccountSort, Input, LeadField, LeadSort, Operator, SortDir,
};
use serde_json::{Value, json};

use crate::walk::{breaks, operations, query_string};
use both::{Both, Headers};
use random::Random;

#[tokio::test]
async fn every_operation_answers_the_same() {
    let mut both = Both::new(60).await;
    both.post("/api/leads/score", json!({"lead_ids": []})).await;
    let ids = both.ids().await;
    let mut walk = operations();
    // DELETE comes last, because it removes the lead.
    walk.sort_by_key(|operation| operation.method == "DELETE");
    for operation in &walk {
        let (path, valid) = (ids.fill(operation.path), ids.params(operation));
        let (before, id) = operation
            .path
            .split_once('{')
            .unwrap_or((operation.path, ""));
        let after = id.split_once('}').map_or("", |(_, after)| after);
        for unknown in [
            "nobody",
            "%F0%9F%A6%80",
            "a%2Fb",
            "%27%20OR%201=1%20--",
            "%FF",
            "a/b",
            "",
        ] {
            let path = format!("{before}{unknown}{after}");
            let answer = both.call(operation.method, &path, operation.input, &valid);
            let answer = answer.await;
            assert!(
                id.is_empty() || !answer["detail"].is_null(),
                "{path}: {answer}"
            );
        }
        for param in &operation.params {
            for wrong in breaks(param, operation.input) {
                let mut params = valid.clone();
                params[param.name] = wrong;
                both.call(operation.method, &path, operation.input, &params)
                    .await;
            }
        }
        both.call(operation.method, &path, operation.input, &json!({}))
            .await;
        for method in ["GET", "POST", "PATCH", "PUT", "DELETE"] {
            if !walk
                .iter()
                .any(|one| (one.method, one.path) == (method, operation.path))
            {
                both.call(method, &path, operation.input, &valid).await;
            }
        }
        for headers in Headers::REFUSED {
            let body = valid.to_string();
            both.send(operation.method, &path, &body, headers).await;
        }
        both.call(operation.method, &path, operation.input, &valid)
            .await;
    }
}

#[tokio::test]
async fn a_malformed_request_is_refused_the_same() {
    let mut both = Both::new(20).await;
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"page\": 1, \"page\": 2}",
        "{\"search\": \"\\ud800\"}",
    ] {
        both.send("POST", "/api/leads/query", body, &Headers::VALID)
            .await;
    }
    let large = format!("{{\"search\": \"{}\"}}", "x".repeat(1 << 20));
    both.send("POST", "/api/leads/query", &large, &Headers::VALID)
        .await;
    let values = json!({"lead_ids": vec!["x"; 60_000]}).to_string();
    both.send("PATCH", "/api/leads", &values, &Headers::VALID)
        .await;
    for query in [
        "field=title&field=name",
        "field=title&selected=a&selected=b",
        "field=nothing",
        "field=title&limit=0",
        "field=title&limit=&q=",
        "field=company&selected=%5B%22a%22",
        "field=created_at",
        "unknown=1",
        "",
    ] {
        let path = format!("/api/leads/facets/search?{query}");
        both.send("GET", &path, "", &Headers::VALID).await;
    }
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/leads/a/b",
        "/api/leads/",
    ] {
        both.send("GET", path, "", &Headers::VALID).await;
    }
}

#[tokio::test]
async fn every_sort_and_every_page_is_the_same() {
    let mut both = Both::new(230).await;
    for dir in SortDir::ALL {
        for sort_by in LeadSort::ALL {
            for page in 1..=4 {
                let query =
                    json!({"sort_by": sort_by, "sort_dir": dir, "page": page, "page_size": 75});
                both.post("/api/leads/query", query).await;
            }
        }
        for sort_by in AccountSort::ALL {
            for include_unpromoted in [false, true] {
                let query = json!({"sort_by": sort_by, "sort_dir": dir, "page_size": 100,
                    "include_unpromoted": include_unpromoted});
                both.post("/api/accounts/query", query).await;
            }
        }
    }
    both.post(
        "/api/leads/query",
        json!({"page": u32::MAX, "page_size": 100}),
    )
    .await;
}

#[tokio::test]
async fn every_filter_is_the_same() {
    let mut both = Both::new(120).await;
    let mut random = Random::new(1);
    let (mut some, mut all) = (0, 0);
    for operator in Operator::ALL {
        for field in LeadField::ALL {
            for _ in 0..2 {
                let filter = random.filter(&both.values, field.as_str(), field.kind(), *operator);
                let query = json!({"filters": [filter], "page_size": 100});
                let page = both.post("/api/leads/query", query).await;
                some += usize::from(
                    page["total"]
                        .as_u64()
                        .is_some_and(|total| total > 0 && total < 120),
                );
                all += 1;
            }
        }
        for field in AccountField::ALL {
            let filter = random.filter(&both.values, field.as_str(), field.kind(), *operator);
            both.post("/api/accounts/query", json!({"filters": [filter]}))
                .await;
        }
    }
    assert!(
        some > all / 4,
        "{some} of {all} filters match some of the leads"
    );
}

#[tokio::test]
async fn every_lead_and_account_is_the_same() {
    let mut both = Both::new(400).await;
    for lead in both.column("SELECT lead_id FROM leads").await {
        both.get(&format!("/api/leads/{lead}")).await;
    }
    let accounts = both.column("SELECT account_id FROM accounts").await;
    for account in accounts {
        for path in ["", "?include_unpromoted=true", "/pulse"] {
            both.get(&format!("/api/accounts/{account}{path}")).await;
        }
    }
}

#[tokio::test]
async fn scoring_is_the_same() {
    let mut both = Both::new(450).await;
    let lists = both.column("SELECT list_id FROM lists").await;
    let leads = both.column("SELECT lead_id FROM leads LIMIT 9").await;
    let accounts = both.column("SELECT account_id FROM accounts LIMIT 9").await;
    let starts = [
        ("leads", json!({})),
        (
            "leads",
            json!({"lead_ids": leads, "lead_list_ids": [lists[0], "nothing"]}),
        ),
        ("leads", json!({"lead_ids": ["nobody", leads[0], leads[0]]})),
        ("accounts", json!({})),
        (
            "accounts",
            json!({"account_ids": accounts, "lead_list_id": lists[1]}),
        ),
        ("accounts", json!({"lead_list_id": "nothing"})),
        ("accounts", json!({"lead_list_id": lists[16]})),
    ];
    for (at, (noun, body)) in starts.into_iter().enumerate() {
        both.post(&format!("/api/{noun}/score"), body).await;
        // It is a target of the first two jobs, and gone before they run.
        if at < 2 {
            both.call(
                "DELETE",
                &format!("/api/leads/{}", leads[at + 1]),
                Input::Nothing,
                &json!({}),
            )
            .await;
        }
        both.finish_jobs().await;
        for page in 1..=5 {
            both.post("/api/leads/query", json!({"page": page, "page_size": 100}))
                .await;
            let query = json!({"page": page, "page_size": 100, "include_unpromoted": true});
            both.post("/api/accounts/query", query).await;
        }
    }
}

#[tokio::test]
async fn too_many_jobs_are_refused_the_same() {
    let mut both = Both::new(5).await;
    let mut answer = Value::Null;
    for _ in 0..102 {
        answer = both.post("/api/leads/score", json!({"lead_ids": []})).await;
    }
    assert!(answer.to_string().contains("the limit is 100"), "{answer}");
}

#[tokio::test]
async fn random_sessions_are_the_same() {
    for seed in 0..3 {
        let mut both = Both::new(140).await;
        let mut random = Random::new(seed);
        for _ in 0..160 {
            session_step(&mut both, &mut random).await;
        }
        both.finish_jobs().await;
        for noun in ["leads", "accounts"] {
            both.post(&format!("/api/{noun}/query"), json!({"page_size": 100}))
                .await;
        }
    }
}

/// A new company and a known one, a repeated lead, one of the demo's lists and a new one, two decisions, a line without
/// a lead. Each lead is on one list at most, because lists are in the order of their ids.
const FILE: &str = "\
Full name,Title,Company,Website,Company URL,# Employees,Location,Profile URL,Email,Tags,Campaign,Status,Created at,Budget
Ana Diaz,VP Sales,Acme,acme.example,,137,\"Bern, Switzerland\",https://p.example/in/ana,ana@acme.example,Fair,Spring,approved,31/12/2025,high
Bo Lind,CFO,ACME,,,,,,bo@acme.example,Trade fair spring,,,13/01/2026,
Cy Pell,,,,,,,,,fair,spring,,,
Ana D.,,,,,,,http://www.p.example/in/ana/?from=mail,,,,rejected,,
Di Marsh,Head of Sales,Beta,www.beta.example,https://n.example/company/beta,11-50,,https://p.example/in/di,,,,,,low
,,,,,,,,,,,,,
Edo Ray,CEO,Beta,,,,,,bo@acme.example,,,filtered,,
,Clerk,Beta,,,,,,,,,,,
";

#[tokio::test]
async fn a_file_is_imported_the_same() {
    let mut both = Both::new(20).await;
    both.import(FILE).await;
    both.import(FILE).await;
    both.finish_jobs().await;
    for dir in SortDir::ALL {
        let query = json!({"sort_by": "name", "sort_dir": dir, "page_size": 100});
        both.post("/api/leads/query", query.clone()).await;
        both.post("/api/accounts/query", query).await;
    }
    for field in LeadField::ALL {
        for operator in [Operator::IsSet, Operator::IsNotSet] {
            let filters = json!([{"field": field, "operator": operator}]);
            both.post(
                "/api/leads/query",
                json!({"filters": filters, "sort_by": "name"}),
            )
            .await;
        }
    }
    both.get("/api/leads/facets").await;
}

async fn session_step(both: &mut Both, random: &mut Random) {
    let lead = random.id(&both.values, "lead_id");
    let account = random.id(&both.values, "account_id");
    match random.index(14) {
        0..=2 => {
            _ = both
                .post("/api/leads/query", random.lead_query(&both.values))
                .await
        }
        3 => {
            _ = both
                .post("/api/accounts/query", random.account_query(&both.values))
                .await;
            let query = random.account_facet_query(&both.values);
            _ = both.post("/api/accounts/facets", query).await
        }
        4 => {
            let path = format!(
                "/api/leads/facets?{}",
                query_string(&random.context(&both.values))
            );
            both.get(&path).await;
        }
        5 => {
            let search = random.facet_search(&both.values);
            let path = format!("/api/leads/facets/search?{}", query_string(&search));
            both.get(&path).await;
        }
        6 => {
            _ = both
                .post("/api/leads/facets", random.facet_query(&both.values))
                .await
        }
        7 => _ = both.get(&format!("/api/leads/{lead}")).await,
        8 => {
            let body = json!({"approval_status": random.status()});
            both.call("PATCH", &format!("/api/leads/{lead}"), Input::Body, &body)
                .await;
        }
        9 => {
            let ids: Vec<String> = (0..random.index(12))
                .map(|_| random.id(&both.values, "lead_id"))
                .collect();
            let mut body = json!({"lead_ids": ids});
            match random.index(6) {
                0 => {}
                1 => body["approval_status"] = Value::Null,
                _ => body["approval_status"] = json!(random.status()),
            }
            both.call("PATCH", "/api/leads", Input::Body, &body).await;
        }
        10 => {
            _ = both
                .call(
                    "DELETE",
                    &format!("/api/leads/{lead}"),
                    Input::Nothing,
                    &json!({}),
                )
                .await
        }
        11 => {
            _ = both
                .get(&format!("/api/accounts/{account}?include_unpromoted=true"))
                .await
        }
        12 => _ = both.get(&format!("/api/accounts/{account}/pulse")).await,
        _ => {
            let (noun, ids, id) = match random.index(2) {
                0 => ("leads", "lead_ids", lead),
                _ => ("accounts", "account_ids", account),
            };
            let body = match random.index(2) {
                0 => json!({}),
                _ => json!({ids: [id]}),
            };
            both.post(&format!("/api/{noun}/score"), body).await;
            both.finish_jobs().await;
        }
    }
}
