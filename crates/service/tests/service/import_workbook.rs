//! Excel workbooks and JSON arrays.

use serde_json::{Value, json};

use crate::common::{Answer, Service, done};
use crate::import::fixture;
use crate::program::run;

async fn post(service: &Service, path: &str, file: &[u8]) -> Answer {
    service
        .send(service.request("POST", path, file.to_vec()))
        .await
}

fn workbook() -> Vec<u8> {
    std::fs::read(fixture("leads.xlsx")).unwrap()
}

/// Its first sheet has notes, its second one a note above the header.
#[tokio::test]
async fn a_workbook_is_previewed_and_imported_as_its_sheet_shows_it() {
    let service = Service::empty().await;
    let path = "/import/preview?file_name=leads.xlsx&format=xlsx";
    let preview = post(&service, path, &workbook()).await.json();
    assert_eq!(preview["format"], "xlsx");
    assert_eq!(preview["sheets"], json!(["Notes", "Leads", "Customers"]));
    assert_eq!(preview["sheet"], "Leads");
    let columns = preview["columns"].as_array().unwrap();
    let values = |at: usize| columns[at]["values"].clone();
    assert_eq!(columns[3]["use"], "email");
    assert_eq!(values(4), json!(["2025-12-31", "2025-02-01 08:30:00"]));
    assert_eq!(values(5), json!(["1,234", "51", "7"]));
    assert_eq!(values(6), json!(["01067", "10115", "80331"]));
    assert_eq!(values(7), json!(["25.0%", "50.0%", "30.0%"]));
    assert_eq!(values(8), json!(["4915112345678"]));
    assert_eq!(preview["errors"][0]["line"], 6);

    let answer = post(&service, "/import?file_name=leads.xlsx", &workbook()).await;
    let last: Value = serde_json::from_str(answer.text.trim().lines().last().unwrap()).unwrap();
    let counts = json!({"inserted": 3, "updated": 0, "unchanged": 0, "failed": 1});
    assert_eq!(last["counts"], counts, "{}", answer.text);
    let leads = "SELECT concat_ws('/', name, title, company, email, substr(created_at, 1, 10),
                   is_premium, company_size) FROM leads ORDER BY id LIMIT 2";
    assert_eq!(
        service.texts(leads).await,
        [
            "Ingrid Vasquez/VP Operations/Halvorsen Marine/ingrid@halvorsen.example/2025-12-31/1/1001-5000",
            "Tomás Okafor/Head of Procurement/Quarry Lane Foods/tomas@quarrylane.example/2025-02-01/0/51-200",
        ]
    );
    let again = post(&service, "/import", &workbook()).await;
    assert!(again.text.contains("\"unchanged\":3"), "{}", again.text);
}

#[tokio::test]
async fn a_sheet_can_be_chosen() {
    let service = Service::empty().await;
    let preview = post(
        &service,
        "/import/preview?format=xlsx&sheet=Customers",
        &workbook(),
    )
    .await;
    assert_eq!(
        preview.json()["columns"][0]["values"],
        json!(["Cleo Silva", "Dan Novak"])
    );
    let answer = post(&service, "/import/preview?sheet=Nobody", &workbook()).await;
    assert_eq!(answer.status, 422);
    assert!(
        answer
            .text
            .contains("its sheets are Notes, Leads, Customers"),
        "{}",
        answer.text
    );
    post(&service, "/import?sheet=Customers", &workbook()).await;
    assert_eq!(
        service.texts("SELECT name FROM leads ORDER BY id").await,
        ["Cleo Silva", "Dan Novak"]
    );
}

#[test]
fn the_program_imports_a_sheet() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("leads.xlsx");
    let import = ["import", file.to_str().unwrap()];
    let import = |options: &[&str]| done(&run(&[&import, options].concat(), dir.path()));
    let dry = import(&["--dry-run"]);
    assert!(
        dry.contains("Sheet: Leads (of Notes, Leads, Customers)"),
        "{dry}"
    );
    let imported = import(&["--sheet", "Customers"]);
    assert!(
        imported.starts_with("2 new, 0 updated, 0 unchanged, 0 failed."),
        "{imported}"
    );
}

#[tokio::test]
async fn a_json_array_is_imported_like_jsonl() {
    let service = Service::empty().await;
    let text = json!([
        {"name": "Ana", "at": {"title": "CEO"}},
        ["Bo"],
        {"name": "Cleo", "current_account": {"name": "Acme"}},
    ]);
    let text = serde_json::to_string_pretty(&text).unwrap();
    let answer = post(&service, "/import?file_name=a.json", text.as_bytes()).await;
    assert!(
        answer.text.contains("{\"event\":\"failed\",\"line\":2,"),
        "{}",
        answer.text
    );
    let leads = "SELECT concat_ws('/', name, company) FROM leads ORDER BY id";
    assert_eq!(service.texts(leads).await, ["Ana", "Cleo/Acme"]);
}

#[tokio::test]
async fn a_preview_says_which_dates_are_not_read() {
    let service = Service::empty().await;
    let text = b"Name,Created\nAna,01/02/2025\nBo,02/03/2025\n";
    let preview = post(&service, "/import/preview", text).await.json();
    let note = preview["notes"][0].as_str().unwrap();
    assert!(note.contains("such as 01/02/2025"), "{note}");
    let clear = b"Name,Created\nAna,01/02/2025\nBo,31/03/2025\n";
    let preview = post(&service, "/import/preview", clear).await.json();
    assert_eq!(preview["notes"], json!([]));
}
