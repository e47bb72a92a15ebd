//! Files with old line endings: all lines are imported, and none is lost silently.

use std::io::Cursor;

use lead_workspace_service::import;
use serde_json::Value;

use super::common::Service;
use super::import::{counts, options};

async fn names(service: &Service) -> String {
    let sql = "SELECT name || '/' || title FROM leads ORDER BY id";
    service.texts(sql).await.join(" ")
}

#[tokio::test]
async fn a_file_with_carriage_return_endings_is_imported() {
    let service = Service::empty().await;
    let text = "Name,Title,Note\rAna,CEO,\"two\nlines\"\rBo,CTO,\r\rCy,CFO,x\r";
    assert_eq!(counts(&service.import_csv(text).await), [3, 0, 0, 0]);
    assert_eq!(names(&service).await, "Ana/CEO Bo/CTO Cy/CFO");
    let custom: String = service
        .value("SELECT custom_data FROM leads WHERE name = 'Ana'")
        .await;
    let custom: Value = serde_json::from_str(&custom).unwrap();
    assert_eq!(custom["Note"], "two\nlines");
    // Larger than the start of the file that is used for detection, and than the maximum line
    // length.
    let mut text = String::from("Name;Title\r");
    for lead in 0..60_000 {
        text.push_str(&format!("Somebody called {lead};CEO\r"));
    }
    assert!(text.len() > 1 << 20);
    let preview = import::preview(Cursor::new(text.into_bytes()), &options("a.csv")).unwrap();
    assert_eq!(preview.columns.len(), 2);
    assert_eq!(preview.errors, []);
    assert_eq!(preview.leads[0]["name"], "Somebody called 0");
}

#[tokio::test]
async fn a_stray_carriage_return_rejects_only_its_line() {
    let service = Service::empty().await;
    let text = "Name,Title,Company\r\nAna,CEO\rFounder,Acme\r\n\
        Bo,\"CTO\rLead\",Acme\r\nCy,CFO,Acme\r\r\nDi,COO,Acme\n";
    let report = service.import_csv(text).await;
    assert_eq!(counts(&report), [3, 0, 0, 1]);
    assert_eq!(report.first_errors[0].line, 2);
    assert!(
        report.first_errors[0].reason.contains("line break"),
        "{:?}",
        report.first_errors
    );
    assert_eq!(names(&service).await, "Bo/CTO Lead Cy/CFO Di/COO");
}

#[tokio::test]
async fn jsonl_objects_may_end_with_carriage_returns() {
    let service = Service::empty().await;
    let text = "{\"name\": \"Ana\", \"title\": \"CEO\"}\r{\"name\": \"Bo\", \"title\": \"CTO\"}\r";
    assert_eq!(counts(&service.import_csv(text).await), [2, 0, 0, 0]);
    assert_eq!(names(&service).await, "Ana/CEO Bo/CTO");
    let lead: Value = service
        .call("POST", "/api/leads/query", serde_json::json!({}))
        .await
        .json();
    assert_eq!(lead["total"], 2);
}
