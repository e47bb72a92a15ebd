//! Exports of leads and accounts: columns, rows and order.

use std::process::Output;

use serde_json::{Value, json};

use super::common::{Service, done, failed};
use super::import::options;

fn command(service: &Service, arguments: &[&str]) -> Output {
    service.program(&[&["export"], arguments].concat())
}

/// Returns the header and the lines of an export by the command.
fn csv_export(service: &Service, arguments: &[&str]) -> (Vec<String>, Vec<Vec<String>>) {
    let text = done(&command(service, arguments));
    let text = text.strip_prefix('\u{feff}').expect("no byte order mark");
    assert!(text.ends_with("\r\n"));
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let header = texts(csv.headers().unwrap());
    let lines = csv.records().map(|record| texts(&record.unwrap()));
    (header, lines.collect())
}

const FILE: &str = "Full Name,Email,Company,Segment,Formula,Phone\n\
    Ana,Ana@acme.example,Acme,North,=1+1,+49 30 1\n\
    Bo,bo@acme.example,Acme,South,'=2+2,\n\
    Chi,chi@blue.example,Blue,,\"two\nlines, \"\"x\"\"\",-\n";

/// Imports the file, and approves Ana over the API.
pub(super) async fn decided() -> Service {
    let service = Service::empty().await;
    service.import_csv(FILE).await;
    let ana = service
        .texts("SELECT lead_id FROM leads WHERE name = 'Ana'")
        .await;
    service.decide(&ana[0], "approved").await;
    service
}

#[tokio::test]
async fn the_users_columns_come_back_with_the_decision() {
    let service = decided().await;
    let (header, lines) = csv_export(&service, &["--sort", "name:asc"]);
    let at = |name: &str| {
        let at = header.iter().position(|header| header == name);
        at.unwrap_or_else(|| panic!("no column {name}: {header:?}"))
    };
    assert_eq!(header[..3], ["lead_id", "name", "title"]);
    // The user's own columns, then the decision and the score.
    let own = ["Email", "Formula", "Phone", "Segment"];
    assert_eq!(header[at("Email")..at("Email") + 4], own);
    let last = [
        "approval_status",
        "decided_at",
        "decided_by",
        "icp_score",
        "icp_tier",
        "icp_reason",
    ];
    assert_eq!(header[at("Segment") + 1..], last);
    let cells = |line: &[String]| own.map(|name| line[at(name)].clone());
    assert_eq!(
        cells(&lines[0]),
        ["Ana@acme.example", "'=1+1", "'+49 30 1", "North"]
    );
    assert_eq!(cells(&lines[1]), ["bo@acme.example", "''=2+2", "", "South"]);
    assert_eq!(
        cells(&lines[2]),
        ["chi@blue.example", "two\nlines, \"x\"", "'-", ""]
    );
    assert_eq!(lines[0][at("approval_status")], "approved");
    assert_eq!(lines[0][at("decided_by")], "test");
    assert!(lines[0][at("decided_at")].ends_with('Z'));
    assert_eq!(
        lines[1][at("approval_status")..at("icp_score")],
        ["pending_approval", "", ""]
    );
}

#[tokio::test]
async fn status_search_and_columns_are_chosen() {
    let service = decided().await;
    let names = |arguments: &[&str]| {
        let (header, lines) = csv_export(&service, arguments);
        let at = header.iter().position(|header| header == "name").unwrap();
        let names = lines.iter().map(|line| line[at].clone());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&["--status", "approved"]), "Ana");
    let pending = [
        "--status",
        "pending_approval",
        "--status",
        "rejected",
        "--sort",
        "name:asc",
    ];
    assert_eq!(names(&pending), "Bo Chi");
    assert_eq!(names(&["--search", "acme", "--sort", "name"]), "Bo Ana");
    let filter = r#"[{"field":"company","operator":"eq","value":"Blue"}]"#;
    assert_eq!(names(&["--filter", filter]), "Chi");
    let (header, _) = csv_export(
        &service,
        &["--columns", "Segment,signal,name,approval_status"],
    );
    assert_eq!(
        header,
        [
            "lead_id",
            "Segment",
            "last_signal",
            "last_signal_at",
            "name",
            "approval_status",
            "decided_at",
            "decided_by",
            "icp_score",
            "icp_tier",
            "icp_reason"
        ]
    );
}

#[tokio::test]
async fn what_does_not_exist_is_refused() {
    let service = decided().await;
    failed(&command(&service, &["--status", "shoe"]));
    for (arguments, reason) in [
        (["--columns", "Nothing"], "there is no column \"Nothing\""),
        (["--sort", "shoe"], "sort_by: "),
        (["--filter", "{"], "--filter {: "),
        (
            ["--filter", r#"{"field":"shoe","operator":"eq","value":1}"#],
            "the field must be one of",
        ),
        (["--tenant", "other"], "there is no workspace \"other\""),
    ] {
        let output = command(&service, &arguments);
        let message = failed(&output);
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(message.contains(reason), "{message}");
        assert!(message.contains("Nothing was exported"), "{message}");
    }
}

#[tokio::test]
async fn rows_and_order_are_those_of_the_list() {
    let service = Service::demo(1300).await;
    for sort in ["icp_score", "name", "company"] {
        let mut ids = Vec::new();
        for page in 1.. {
            let query = json!({"sort_by": sort, "sort_dir": "asc", "page": page, "page_size": 100});
            let page = service.call("POST", "/api/leads/query", query).await.json();
            let rows = page["data"].as_array().unwrap();
            ids.extend(
                rows.iter()
                    .map(|row| row["lead_id"].as_str().unwrap().to_owned()),
            );
            if page["has_more"] == false {
                break;
            }
        }
        let (_, lines) = csv_export(&service, &["--sort", &format!("{sort}:asc")]);
        let exported: Vec<_> = lines
            .into_iter()
            .map(|mut line| line.swap_remove(0))
            .collect();
        assert!(exported == ids && ids.len() == 1300, "{sort}");
    }
    let (header, lines) = csv_export(&service, &["--accounts", "--sort", "name:asc"]);
    assert_eq!(header[..2], ["account_id", "name"]);
    assert_eq!(
        header[header.len() - 3..],
        ["icp_score", "icp_tier", "icp_reason"]
    );
    let query = json!({"sort_by": "name", "sort_dir": "asc", "page_size": 100});
    let page = service
        .call("POST", "/api/accounts/query", query)
        .await
        .json();
    assert_eq!(page["total"], lines.len());
    for (row, line) in page["data"].as_array().unwrap().iter().zip(&lines) {
        assert_eq!(row["id"], line[0]);
    }
}

#[tokio::test]
async fn the_browser_gets_the_same_file() {
    let service = decided().await;
    let body = json!({"sort_by": "name", "sort_dir": "asc"});
    let answer = service.call("POST", "/export/leads", body).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.headers["x-exported-rows"]),
        (200, &"3".parse().unwrap())
    );
    assert_eq!(answer.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(
        answer.text,
        done(&command(&service, &["--sort", "name:asc"]))
    );

    let ids = service
        .texts("SELECT lead_id FROM leads WHERE name <> 'Bo'")
        .await;
    let some = json!({"ids": ids, "columns": ["title", "fit"], "only": true});
    let answer = service.call("POST", "/export/leads", some).await;
    assert!(
        answer
            .text
            .starts_with("\u{feff}lead_id,title,approval_status,"),
        "{}",
        answer.text
    );
    assert_eq!(answer.text.lines().count(), 3);

    let answer = service.call("POST", "/export/accounts", json!({})).await;
    assert_eq!(answer.text, done(&command(&service, &["--accounts"])));
    for wrong in [json!({"columns": ["Nothing"]}), json!({"sort_by": "shoe"})] {
        let answer = service.call("POST", "/export/leads", wrong).await;
        assert!(answer.status.is_client_error(), "{}", answer.status);
    }
}

#[tokio::test]
async fn jsonl_has_the_same_columns_and_keeps_types() {
    let service = Service::empty().await;
    let line = r#"{"name":"Ana","Budget":1.5,"Tags 2":["a","b"],"Open":true}"#;
    service.import(line, options("leads.jsonl")).await.unwrap();
    let text = done(&command(&service, &["--format", "jsonl"]));
    let exported: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (
            &exported["name"],
            &exported["Budget"],
            &exported["Tags 2"],
            &exported["Open"]
        ),
        (&json!("Ana"), &json!(1.5), &json!(["a", "b"]), &json!(true))
    );
}
