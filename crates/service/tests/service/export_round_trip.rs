//! What comes back when an export is imported.

use lead_workspace_api::csv_cell::unguarded;
use lead_workspace_api::{LeadQuery, LeadSort};
use lead_workspace_service::StoreError;
use lead_workspace_service::export::{ExportFormat, ExportOptions, export_leads};
use lead_workspace_service::store::{IndexHost, list_of_leads};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value};

use super::common::Service;
use super::export::decided;
use super::import::options;

/// Returns all leads as an export in the order of their names.
async fn exported(service: &Service, format: ExportFormat) -> String {
    let tenant = service.tenant;
    let read = move |db: lead_workspace_service::store::Db<'_>| {
        let query = LeadQuery {
            sort_by: LeadSort::Name.into(),
            ..LeadQuery::default()
        };
        let options = ExportOptions {
            format,
            ..ExportOptions::default()
        };
        let mut all = String::new();
        let list = list_of_leads(db, tenant, &query)?;
        export_leads(
            db,
            &IndexHost::default(),
            tenant,
            &list,
            None,
            &options,
            |_, part: &str| {
                all.push_str(part);
                Ok::<_, StoreError>(())
            },
        )?;
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
            first.import_csv(file).await;
            first
                .sql("UPDATE leads SET approval_status = 'rejected' WHERE approval_status = 'approved'")
                .await;
            let before = content(&first).await;
            prop_assert_eq!(before.len(), lines.len());
            for (format, name) in [(ExportFormat::Csv, "leads.csv"), (ExportFormat::Jsonl, "leads.jsonl")] {
                let second = Service::empty().await;
                second.import(exported(&first, format).await, options(name)).await.unwrap();
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
    service.import_csv(file).await;
    let after = content(&service).await;
    // The decision in the file is older than that in the workspace, which stays.
    let expected: Vec<_> = before
        .iter()
        .map(|lead| lead.replace("\"approved\"", "\"rejected\""))
        .collect();
    assert_eq!(after, expected);
}
