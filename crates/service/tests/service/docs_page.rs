//! The page with the reference of the API.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Answer, Service, without_key};
use crate::event_stream::Events;

async fn page(service: &Service, path: &str) -> Answer {
    let request = without_key(service.request("GET", path, ""));
    let answer = service.send(request).await;
    assert_eq!(answer.status, 200);
    answer
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let parts = text.split(start).skip(1);
    parts.map(|part| part.split(end).next().unwrap()).collect()
}

fn plain(html: &str) -> String {
    let text = html.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

#[tokio::test]
async fn the_page_has_every_operation_and_type_and_nothing_from_elsewhere() {
    let service = Service::empty().await;
    let html = page(&service, "/docs").await;
    assert_eq!(html.headers["content-type"], "text/html; charset=utf-8");
    let html = html.text;
    let document: Value = page(&service, "/openapi.json").await.json();
    let ids: BTreeSet<_> = between(&html, " id=\"", "\"").into_iter().collect();
    for methods in document["paths"].as_object().unwrap().values() {
        for operation in methods.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(ids.contains(name), "{name}");
        }
    }
    for name in document["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
    {
        assert!(ids.contains(format!("schema-{name}").as_str()), "{name}");
    }
    let links = between(&html, " href=\"", "\"");
    for target in links.iter().filter_map(|link| link.strip_prefix('#')) {
        assert!(ids.contains(target), "{target}");
    }
    // What the Content-Security-Policy would refuse, and other servers.
    for refused in ["<script", "<style", " style=", " on", "https:", "src="] {
        let tags = between(&html, "<", ">").join(">");
        assert!(!format!("<{tags}").contains(refused), "{refused}");
    }
    let style = links.iter().find(|link| link.ends_with(".css")).unwrap();
    let css = page(&service, style).await;
    assert_eq!(css.headers["content-type"], "text/css; charset=utf-8");
    assert!(!css.text.contains("url(") && !css.text.contains("@import"));
}

/// What curl would send for a command of the page, with ids that exist.
fn parsed(command: &str, ids: &[(&str, &str)]) -> (String, String, String) {
    let mut command = command.replace(" \\\n ", "");
    for (name, id) in ids {
        command = command.replace(name, id);
    }
    let body = command
        .split("-d '")
        .nth(1)
        .map(|rest| rest.trim_end_matches('\''));
    let method = command
        .split("-X ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let default = if body.is_some() { "POST" } else { "GET" };
    let path = between(&command, "\"$URL", "\"")[0];
    (
        method.unwrap_or(default).to_owned(),
        path.to_owned(),
        body.unwrap_or_default().to_owned(),
    )
}

#[tokio::test]
async fn each_request_on_the_page_succeeds() {
    let service = Service::demo(20).await;
    let lead: String = service.value("SELECT lead_id FROM leads LIMIT 1").await;
    let one = serde_json::json!({"page_size": 1});
    let accounts = service
        .call("POST", "/api/accounts/query", one)
        .await
        .json();
    let account = accounts["data"][0]["id"].as_str().unwrap();
    let started = service
        .call("POST", "/api/leads/score", serde_json::json!({}))
        .await;
    let job = started.json()["job_id"].as_str().unwrap().to_owned();
    let ids = [
        ("LEAD_ID", &*lead),
        ("ACCOUNT_ID", account),
        ("JOB_ID", &job),
    ];
    let html = page(&service, "/docs").await.text;
    let mut requests: Vec<_> = between(&html, "<pre><code>", "</code>")
        .into_iter()
        .map(plain)
        .filter(|command| command.starts_with("curl "))
        .collect();
    assert_eq!(requests.len(), 17);
    // The lead is deleted last.
    requests.sort_by_key(|command| command.contains("DELETE"));
    for command in requests {
        let (method, path, body) = parsed(&command, &ids);
        let request = service.request(&method, &path, body);
        if path == "/api/leads/changes" {
            Events::of(&service, request).await.expect("open").await;
            continue;
        }
        let answer = service.send(request).await;
        assert!(answer.status.is_success(), "{command}: {}", answer.text);
    }
}
