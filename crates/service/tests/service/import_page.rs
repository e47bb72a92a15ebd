//! Requests of the UI's import page.

use serde_json::{Value, json};

use crate::common::{Answer, Service, without_key};

async fn preview(service: &Service, query: &str, text: &[u8]) -> Answer {
    let path = format!("/import/preview?{query}");
    let answer = service
        .send(service.request("POST", &path, text.to_vec()))
        .await;
    let leads: i64 = service.value("SELECT count(*) FROM leads").await;
    assert_eq!(leads, 0, "the preview imported leads");
    answer
}

#[tokio::test]
async fn a_preview_shows_columns_values_and_unusable_lines() {
    let service = Service::empty().await;
    let text = "Who,E-Mail,Shoe size\nAna,ana@a.example,38\n,,\nBo,bo@b.example,\nno name,,44\n";
    let answer = preview(&service, "file_name=a.csv&map=Who%3Dname", text.as_bytes()).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let reply = answer.json();
    assert_eq!(reply["format"], "csv");
    assert_eq!(
        reply["columns"],
        json!([
            {"header": "Who", "use": "name", "values": ["Ana", "Bo", "no name"]},
            {"header": "E-Mail", "use": "email", "values": ["ana@a.example", "bo@b.example"]},
            {"header": "Shoe size", "use": "custom", "key": "Shoe size", "values": ["38", "44"]},
        ])
    );
    assert_eq!(reply["leads"][0]["name"], "Ana");
    let long = format!("Name\n{}\n", "x".repeat(5000));
    let answer = preview(&service, "", long.as_bytes()).await.json();
    assert_eq!(
        answer["columns"][0]["values"][0]
            .as_str()
            .unwrap()
            .chars()
            .count(),
        121
    );
}

/// A user may still assign the columns.
#[tokio::test]
async fn a_file_without_identity_columns_can_be_previewed() {
    let service = Service::empty().await;
    let answer = preview(&service, "", b"Wer,Was\nAna,Chef\n").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let reply = answer.json();
    assert_eq!(reply["columns"][0]["values"], json!(["Ana"]));
    assert_eq!(reply["errors"][0]["line"], 2);
    let objects = preview(
        &service,
        "",
        b"{\"who\": \"Ana\", \"at\": {\"firm\": \"Acme\"}}\n",
    )
    .await;
    let reply = objects.json();
    assert_eq!(reply["format"], "jsonl");
    assert_eq!(reply["columns"][0]["header"], "at.firm");
}

#[tokio::test]
async fn an_invalid_file_is_rejected_with_a_message() {
    let service = Service::empty().await;
    for (text, words) in [
        (&b""[..], "the file is empty"),
        (b"PK\x03\x04rest", "a damaged ZIP archive"),
        (b"N\0a\0m\0e\0", "UTF-16 without a byte order mark"),
        (
            b"\xD0\xCF\x11\xE0rest",
            "an Excel workbook of the old format",
        ),
    ] {
        let answer = preview(&service, "", text).await;
        assert_eq!(answer.status, 422);
        let reply = answer.json()["detail"][0]["msg"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            reply.contains(words) && reply.contains("Nothing was imported"),
            "{reply}"
        );
    }
    assert_eq!(
        preview(&service, "format=xls", b"Name\nAna\n").await.status,
        422
    );
}

#[tokio::test]
async fn the_report_names_the_list_when_nothing_is_new() {
    let service = Service::empty().await;
    let mut ids = Vec::new();
    for list in ["Fair", "fair", ""] {
        let path = format!("/import?list={list}");
        let request = service.request("POST", &path, "Name,Email\nAna,a@a.example\n");
        let answer = service.send(request).await;
        let last = answer.text.trim().lines().last().unwrap();
        let done: Value = serde_json::from_str(last).unwrap();
        assert_eq!(done["event"], "done");
        ids.push(done["list_id"].clone());
    }
    let stored: String = service.value("SELECT list_id FROM lists").await;
    assert_eq!(ids, [json!(stored), json!(stored), Value::Null]);
}

#[tokio::test]
async fn import_endpoints_list_fields_and_need_a_key() {
    let service = Service::empty().await;
    let reply = service.get("/import/fields").await.json();
    let fields = reply["fields"].as_array().unwrap();
    assert!(fields.contains(&json!("name")) && fields.contains(&json!("profile_url")));
    let headers = reply["headers"].as_array().unwrap();
    assert_eq!(headers.len(), fields.len());
    let title = headers.iter().find(|known| known["field"] == "title");
    assert!(
        title.unwrap()["headers"]
            .as_array()
            .unwrap()
            .contains(&json!("job title"))
    );
    for (method, path) in [
        ("GET", "/import/fields"),
        ("POST", "/import/preview"),
        ("POST", "/import"),
    ] {
        let request = without_key(service.request(method, path, "Name\nAna\n"));
        assert_eq!(service.send(request).await.status, 401, "{path}");
    }
}
