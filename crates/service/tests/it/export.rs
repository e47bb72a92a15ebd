//! Exports of leads and accounts: columns, rows and order, and the way back by an import.

use std::io::Cursor;
use std::process::{Command, Output};

use lead_workspace_api::csv_cell::unguarded;
use lead_workspace_api::{LeadQuery, LeadSort};
use lead_workspace_service::StoreError;
use lead_workspace_service::export::{ExportFormat, ExportOptions, export_leads};
use lead_workspace_service::import::{self, Format, ImportOptions};
use lead_workspace_service::store::Filters;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};

use super::common::{Service, done};

fn command(service: &Service, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lead-workspace"));
    command
        .arg("export")
        .args(arguments)
        .args(service.database_options());
    command.output().unwrap()
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

async fn import(service: &Service, text: impl Into<Vec<u8>>, format: Format) {
    let options = ImportOptions {
        file_name: "leads".into(),
        format: Some(format),
        ..ImportOptions::default()
    };
    let source = Cursor::new(text.into());
    import::run(&service.store, service.tenant, source, options, |_| {})
        .await
        .unwrap();
}

const FILE: &str = "Full Name,Email,Company,Segment,Formula,Phone\n\
    Ana,Ana@acme.example,Acme,North,=1+1,+49 30 1\n\
    Bo,bo@acme.example,Acme,South,'=2+2,\n\
    Chi,chi@blue.example,Blue,,\"two\nlines, \"\"x\"\"\",-\n";

/// Imports the file, and approves Ana over the API.
async fn decided() -> Service {
    let service = Service::empty().await;
    import(&service, FILE, Format::Csv).await;
    let ana = service
        .texts("SELECT lead_id FROM leads WHERE name = 'Ana'")
        .await;
    let approved = json!({"approval_status": "approved"});
    let answer = service
        .call("PATCH", &format!("/api/leads/{}", ana[0]), approved)
        .await;
    assert_eq!(answer.status, 200);
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
    assert!(!command(&service, &["--status", "shoe"]).status.success());
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
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{arguments:?}"
        );
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
    import(&service, line, Format::Jsonl).await;
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

/// Returns all leads as an export in the order of their names.
async fn exported(service: &Service, format: ExportFormat) -> String {
    let tenant = service.tenant;
    let read = move |db: lead_workspace_service::store::Db<'_>| {
        let query = LeadQuery {
            sort_by: LeadSort::Name,
            ..LeadQuery::default()
        };
        let options = ExportOptions {
            format,
            ..ExportOptions::default()
        };
        let mut all = String::new();
        let list = (Filters::default(), &query);
        export_leads(db, tenant, list, None, &options, |_, part: &str| {
            all.push_str(part);
            Ok::<_, StoreError>(())
        })?;
        Ok(all)
    };
    service.store.read(read).await.unwrap()
}

/// Returns all that an import can set.
async fn content(service: &Service) -> Vec<String> {
    let text = exported(service, ExportFormat::Jsonl).await;
    let leads = text.lines().map(|line| {
        let mut lead: Map<String, Value> = serde_json::from_str(line).unwrap();
        for column in ["lead_id", "decided_at", "decided_by"] {
            lead.remove(column).unwrap();
        }
        Value::from(lead).to_string()
    });
    let mut leads: Vec<_> = leads.collect();
    leads.sort();
    leads
}

const HEADERS: [&str; 44] = [
    "Full Name",
    "Name",
    "name",
    "Fullname",
    "First Name",
    "Last Name",
    "Headline",
    "Title",
    "Position",
    "Company",
    "Organization",
    "company",
    "Company Website",
    "Employees",
    "Company Size",
    "Industry",
    "Sector",
    "Founded",
    "City",
    "Country",
    "Location",
    "Email",
    "Work Email",
    "E-Mail",
    "Profile URL",
    "LinkedIn",
    "Status",
    "Decision",
    "Created",
    "created_at",
    "Tags",
    "Campaign",
    "Premium",
    "Followers",
    "Phone",
    "Notes",
    "lead_id",
    "icp_score",
    "decided_by",
    "custom_data.name",
    "=cmd",
    "'=x",
    "Größe, \"netto\"",
    "two\nlines",
];

const VALUES: [&str; 30] = [
    "",
    "",
    "Ana",
    "Bo Li",
    "=1+1",
    "'=1+1",
    "''@x",
    "'plain",
    "+49 30 1",
    "-",
    "@",
    "approved",
    "no",
    "Working",
    "2026-01-31",
    "31.01.2026",
    "soon",
    "137",
    "51-200",
    "yes",
    "Acme",
    "Blue, Ltd",
    "a, b",
    "a; b",
    "x|y; z",
    "line\nbreak",
    "say \"hi\"",
    "ä€😀",
    "1,234",
    "https://site.example/page",
];

#[test]
fn an_import_of_an_export_restores_all_that_the_user_brought() {
    let headers = proptest::sample::subsequence(HEADERS.to_vec(), 3..30).prop_shuffle();
    let file = (
        headers,
        prop::collection::vec(
            prop::collection::vec(prop::sample::select(VALUES.to_vec()), 30),
            1..8,
        ),
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config {
        cases: 40,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let run = runner.run(&file, |(headers, lines)| {
        let mut csv = csv::WriterBuilder::new();
        let mut csv = csv.quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
        csv.write_record(["Profile"].iter().chain(&headers)).unwrap();
        for (number, line) in lines.iter().enumerate() {
            let address = format!("https://people.example/{number}");
            let cells = headers.iter().zip(line).map(|(header, cell)| match *header {
                "Email" | "Work Email" | "E-Mail" if !cell.is_empty() => {
                    format!("{}{number}@mail.example", header.replace(' ', ""))
                }
                _ => (*cell).to_owned(),
            });
            csv.write_record([address].into_iter().chain(cells)).unwrap();
        }
        let file = csv.into_inner().unwrap();
        runtime.block_on(async {
            let first = Service::empty().await;
            import(&first, file, Format::Csv).await;
            first
                .sql("UPDATE leads SET approval_status = 'rejected' WHERE approval_status = 'approved'")
                .await;
            let before = content(&first).await;
            prop_assert_eq!(before.len(), lines.len());
            for (format, form) in [(ExportFormat::Csv, Format::Csv), (ExportFormat::Jsonl, Format::Jsonl)] {
                let second = Service::empty().await;
                import(&second, exported(&first, format).await, form).await;
                prop_assert_eq!(&content(&second).await, &before);
            }
            Ok(())
        })
    });
    run.unwrap();
}

#[tokio::test]
async fn a_cell_that_looks_guarded_is_the_users_own() {
    let service = decided().await;
    let custom = service
        .texts("SELECT custom_data FROM leads WHERE name = 'Bo'")
        .await;
    assert!(custom[0].contains(r#""Formula":"'=2+2""#), "{custom:?}");
    assert_eq!(unguarded("''=2+2"), "'=2+2");
}

#[tokio::test]
async fn an_export_imported_again_changes_nothing() {
    let service = decided().await;
    let before = content(&service).await;
    let file = exported(&service, ExportFormat::Csv).await;
    service
        .sql("UPDATE leads SET approval_status = 'rejected' WHERE name = 'Ana'")
        .await;
    import(&service, file, Format::Csv).await;
    let after = content(&service).await;
    // The decision in the file is older than that in the workspace, which stays.
    let expected: Vec<_> = before
        .iter()
        .map(|lead| lead.replace("\"approved\"", "\"rejected\""))
        .collect();
    assert_eq!(after, expected);
}
