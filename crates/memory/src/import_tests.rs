use jiff::Timestamp;
use lead_workspace_api::import::ImportReport;
use serde_json::{Value, json};

use crate::Workspace;
use crate::test_workspace::{send, workspace};

const CSV: &str = "\
Full name,Title,Company,Website,Profile URL,Email,Tags,Campaign,Status,Budget
Ana Diaz,VP Sales,Acme,acme.example,https://p.example/in/ana,ana@acme.example,Fair,Spring,approved,high
Bo Lind,CFO,Acme,acme.example,,bo@acme.example,,,,
,,,,,,,,,low
";

fn import(workspace: &mut Workspace, text: &str) -> ImportReport {
    workspace
        .import("leads.csv", text, Timestamp::UNIX_EPOCH)
        .unwrap()
}

fn counts(report: &ImportReport) -> [u64; 4] {
    let counts = &report.counts;
    [
        counts.inserted,
        counts.updated,
        counts.unchanged,
        counts.failed,
    ]
}

fn leads(workspace: &mut Workspace, query: &Value) -> Vec<Value> {
    let page = send(workspace, "POST", "/api/leads/query", query);
    page["data"].as_array().unwrap().clone()
}

#[test]
fn leads_of_a_file_are_added_and_scored() {
    let mut workspace = workspace(0);
    let report = import(&mut workspace, CSV);
    assert_eq!(counts(&report), [2, 0, 0, 1]);
    assert_eq!(report.first_errors[0].line, 4);
    let found = leads(
        &mut workspace,
        &json!({"sort_by": "name", "sort_dir": "asc"}),
    );
    let ana = &found[0];
    assert_eq!(ana["name"], "Ana Diaz");
    assert_eq!(ana["approval_status"], "approved");
    assert_eq!(ana["custom_data"]["Budget"], "high");
    assert_eq!(ana["lists"][0]["list_name"], "Fair");
    assert_eq!(ana["campaigns"][0]["campaign_name"], "Spring");
    assert_eq!(ana["current_account"]["name"], "Acme");
    assert!(ana["list_scores"][0]["icp_score"].as_f64().unwrap() > 0.0);
    assert_eq!(found[1]["approval_status"], "pending_approval");
    assert_eq!(
        found[1]["current_account"]["account_id"],
        ana["current_account"]["account_id"]
    );
    let facets = send(&mut workspace, "GET", "/api/leads/facets", &json!({}));
    assert_eq!(facets["import_jobs"][0]["import_job_name"], "leads.csv");
    let accounts = send(&mut workspace, "POST", "/api/accounts/query", &json!({}));
    let acme = accounts["data"].as_array().unwrap();
    let acme = acme.iter().find(|account| account["name"] == "Acme");
    assert_eq!(acme.unwrap()["lead_count"], 2);
}

#[test]
fn a_second_import_changes_no_decision() {
    let mut workspace = workspace(0);
    import(&mut workspace, CSV);
    assert_eq!(counts(&import(&mut workspace, CSV)), [0, 0, 2, 1]);
    let changed = CSV
        .replace("VP Sales", "Chief Revenue Officer")
        .replace("approved", "rejected");
    assert_eq!(counts(&import(&mut workspace, &changed)), [0, 1, 1, 1]);
    let found = leads(&mut workspace, &json!({"search": "ana"}));
    assert_eq!(
        found[0]["current_account"]["title"],
        "Chief Revenue Officer"
    );
    assert_eq!(found[0]["approval_status"], "approved");
}

#[test]
fn json_is_read_and_demo_leads_stay() {
    let mut workspace = workspace(20);
    let report = import(
        &mut workspace,
        r#"[{"name": "Cy", "company": {"name": "Beta"}}]"#,
    );
    assert_eq!(counts(&report), [1, 0, 0, 0]);
    assert_eq!(leads(&mut workspace, &json!({})).len(), 21);
}

#[test]
fn a_file_without_leads_is_refused() {
    let mut workspace = workspace(0);
    for (text, reason) in [
        ("", "the file is empty"),
        ("Budget,City\n1,2\n", "no column contains a name"),
    ] {
        let refused = workspace.import("a", text, Timestamp::UNIX_EPOCH);
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
    assert_eq!(leads(&mut workspace, &json!({})), Vec::<Value>::new());
}
