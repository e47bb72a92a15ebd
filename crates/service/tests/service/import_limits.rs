//! Small files that would need many resources: refused immediately, with a message.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::common::{Answer, Service};

async fn post(service: &Service, path: &str, text: impl Into<Vec<u8>>) -> Answer {
    let request = service.request("POST", path, text.into());
    service.send(request).await
}

fn message(answer: &Answer) -> String {
    let text = &answer.json()["detail"][0]["msg"];
    text.as_str()
        .unwrap_or_else(|| panic!("{}", answer.text))
        .to_owned()
}

fn last_event(answer: &Answer) -> Value {
    serde_json::from_str(answer.text.trim().lines().last().unwrap()).unwrap()
}

#[tokio::test]
async fn a_header_with_too_many_columns_is_rejected() {
    let service = Service::empty().await;
    let same = "a,".repeat(20_000);
    let empty = format!("{}x", ",".repeat(20_000));
    let different = (0..20_000).fold(String::new(), |mut text, number| {
        let _ = write!(text, "c{number},");
        text
    });
    for header in [same, empty, different] {
        let file = format!("{header}\nAna\n");
        let answer = post(&service, "/import/preview", file.clone()).await;
        assert_eq!(answer.status, 422);
        let reply = message(&answer);
        assert!(reply.contains("the limit is 1000"), "{reply}");
        let event = last_event(&post(&service, "/import", file).await);
        assert_eq!(event["event"], "error");
        let reply = event["message"].as_str().unwrap();
        assert!(reply.contains("the limit is 1000"), "{reply}");
    }
}

#[tokio::test]
async fn a_long_key_around_many_members_rejects_only_its_line() {
    let service = Service::empty().await;
    let members: serde_json::Map<_, _> = (0..20_000)
        .map(|number| (number.to_string(), json!(1)))
        .collect();
    let line = json!({"k".repeat(100_000): members});
    for file in [
        format!("{line}\n{{\"name\": \"Ana\"}}\n"),
        format!("{{\"name\": \"Ana\"}}\n{line}\n"),
    ] {
        let answer = post(&service, "/import/preview", file.clone()).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(answer.text.len() < 2_000, "{} bytes", answer.text.len());
        let reply = answer.json();
        assert_eq!(reply["leads"][0]["name"], "Ana");
        let reason = reply["errors"][0]["reason"].as_str().unwrap();
        assert!(reason.contains("longer than 200 characters"), "{reason}");
        let done = last_event(&post(&service, "/import", file).await);
        assert_eq!(done["event"], "done", "{done}");
        assert_eq!(done["counts"]["failed"], 1);
    }
    let alone = post(&service, "/import/preview", format!("{line}\n")).await;
    assert_eq!(alone.status, 422);
    let reply = message(&alone);
    assert!(reply.contains("Line 1: "), "{reply}");
    let later = format!("{}{{\"name\": \"Ana\"}}\n", format!("{line}\n").repeat(5));
    assert_eq!(post(&service, "/import/preview", later).await.status, 200);
}

#[tokio::test]
async fn parameters_over_their_limits_are_rejected_by_name() {
    let service = Service::empty().await;
    let maps = vec!["map=Name%3Dname"; 101].join("&");
    let list = format!("list={}", "x".repeat(201));
    for path in ["/import", "/import/preview"] {
        for (query, name, words) in [
            (&maps, "map", "the limit is 100"),
            (&list, "list", "longer than 200 characters"),
        ] {
            let answer = post(&service, &format!("{path}?{query}"), "Name\nAna\n").await;
            assert_eq!(answer.status, 422, "{path} {name}");
            assert_eq!(answer.locations(), [["query", name]]);
            assert!(message(&answer).contains(words), "{}", answer.text);
        }
        let name = "n".repeat(5_000);
        let answer = post(&service, &format!("{path}?file_name={name}"), "Name\nAna\n").await;
        assert_eq!(
            answer.status, 200,
            "a long file name was rejected: {}",
            answer.text
        );
    }
    let stored: i64 = service
        .value("SELECT max(length(file_name)) FROM import_jobs")
        .await;
    assert_eq!(stored, 200);
}

#[tokio::test]
async fn a_preview_counts_as_a_concurrent_import() {
    let service = Service::empty().await;
    let mut running = Vec::new();
    loop {
        // The body never ends, so the import keeps its slot.
        let body = axum::body::Body::from_stream(futures_util::stream::pending::<
            std::io::Result<Vec<u8>>,
        >());
        let request = service.request("POST", "/import", body);
        let answer = tower::ServiceExt::oneshot(service.router.clone(), request)
            .await
            .unwrap();
        if answer.status() != 200 {
            break;
        }
        running.push(answer);
    }
    let answer = post(&service, "/import/preview", "Name\nAna\n").await;
    assert_eq!(answer.status, 429, "{}", answer.text);
    let other = Service::empty().await;
    for _ in 0..2 * running.len() {
        let answer = post(&other, "/import/preview", "Name\nAna\n").await;
        assert_eq!(answer.status, 200, "an import slot was not released");
    }
}
