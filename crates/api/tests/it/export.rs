//! The columns of exports.

use std::collections::BTreeSet;

use lead_workspace_api::export::{
    ColumnChoice, Columns, ExportedLead, LEAD_COLUMNS, UnknownColumn, custom_key, is_export,
};
use lead_workspace_api::{Account, Decode, LeadListItem};

const LEAD: &str = r#"{
    "lead_id": "l-1", "name": "=Ada", "approval_status": "approved",
    "profile_data": {"title": "CTO", "first_name": "Ada", "connections_count": 500},
    "custom_data": {"Email": "ada@acme.example", "name": "Countess", "Plan": {"a": 1}, "custom_data.x": true},
    "current_account": {"name": "Acme, Ltd", "founded_year": 1843},
    "intent": {"event_type": "job_change", "created_at": "2026-01-31T00:00:00.000Z"},
    "lists": [{"list_name": "Fair, Berlin"}],
    "campaigns": [{"campaign_name": "Spring"}, {"campaign_name": "Autumn"}],
    "list_scores": [{"icp_score": 87.0, "icp_tier": "A", "icp_reasoning": "Size 16/25: 51-200 people"}]
}"#;

fn lead() -> ExportedLead {
    ExportedLead {
        lead: LeadListItem::decode(LEAD.as_bytes()).unwrap(),
        decided_at: Some("2026-02-01T00:00:00.000Z".into()),
        decided_by: Some("Desk".into()),
        ..ExportedLead::default()
    }
}

fn columns(list: &[&str], only: bool) -> Columns<ExportedLead> {
    let custom = ["Email", "Plan", "custom_data.x", "name"];
    let custom: BTreeSet<String> = custom.map(String::from).into();
    Columns::new(&choice(list, only), custom).unwrap()
}

fn choice(list: &[&str], only: bool) -> ColumnChoice {
    let list = list.iter().map(|column| (*column).to_owned());
    ColumnChoice {
        list: list.collect(),
        only,
    }
}

const LAST: [&str; 6] = [
    "approval_status",
    "decided_at",
    "decided_by",
    "icp_score",
    "icp_tier",
    "icp_reason",
];

#[test]
fn everything_begins_with_the_list_and_ends_with_the_users_columns_and_the_decision() {
    let list = ["company", "fit", "name", "signal", "approval_status"];
    let columns = columns(&list, false);
    let headers = columns.headers();
    let start = [
        "lead_id",
        "company",
        "name",
        "last_signal",
        "last_signal_at",
        "title",
    ];
    assert_eq!(headers[..6], start);
    let custom = [
        "Email",
        "Plan",
        "custom_data.custom_data.x",
        "custom_data.name",
    ];
    let end = [&custom[..], &LAST[..]].concat();
    assert_eq!(headers[headers.len() - 10..], end);
    assert_eq!(headers.iter().collect::<BTreeSet<_>>().len(), headers.len());
    assert_eq!(headers.len(), LEAD_COLUMNS.len() + custom.len());
    for (header, key) in custom
        .iter()
        .zip(["Email", "Plan", "custom_data.x", "name"])
    {
        assert_eq!(custom_key(header), key);
    }
}

#[test]
fn only_what_the_list_shows_is_followed_by_the_decision() {
    let columns = columns(&["name", "Email", "icp_score"], true);
    let mut text = String::new();
    columns.csv_head(&mut text);
    columns.csv_line(&mut text, &lead());
    assert_eq!(
        text,
        "\u{feff}lead_id,name,Email,approval_status,decided_at,decided_by,icp_score,icp_tier,icp_reason\r\n\
         l-1,'=Ada,ada@acme.example,approved,2026-02-01T00:00:00.000Z,Desk,87,A,Size 16/25: 51-200 people\r\n"
    );
    let unknown = Columns::<Account>::new(&choice(&["shoe"], true), BTreeSet::new());
    assert_eq!(unknown.err(), Some(UnknownColumn("shoe".into())));
    assert!(!choice(&["name", "fit"], true).has_custom::<ExportedLead>());
    assert!(choice(&["Email"], true).has_custom::<ExportedLead>());
}

#[test]
fn a_custom_field_is_chosen_by_its_key_or_its_name() {
    let chosen = columns(
        &["custom_data.Plan", "Email", "Plan", "custom_data.x"],
        true,
    );
    assert_eq!(
        chosen.headers()[1..5],
        [
            "Plan",
            "Email",
            "custom_data.custom_data.x",
            "approval_status"
        ]
    );
}

#[test]
fn cells_are_in_the_form_that_an_import_reads() {
    let cell = |header: &str| {
        let columns = columns(&[header], true);
        let mut text = String::new();
        columns.json_line(&mut text, &lead());
        let lead: serde_json::Value = serde_json::from_str(&text).unwrap();
        lead[header].clone()
    };
    assert_eq!(cell("title"), "CTO");
    assert_eq!(cell("connections_count"), 500);
    assert_eq!(cell("company_founded_year"), 1843);
    assert_eq!(cell("lists"), "Fair, Berlin;");
    assert_eq!(cell("campaign"), "Spring");
    assert_eq!(cell("Plan"), serde_json::json!({"a": 1}));
    assert!(cell("summary").is_null());
}

#[test]
fn the_headers_of_an_export_are_recognized() {
    let columns = columns(&["name"], true);
    let mut headers = columns.headers();
    headers.reverse();
    assert!(is_export(headers.iter().copied()));
    headers.pop();
    assert!(!is_export(headers.iter().copied()));
    assert!(!is_export(
        ["lead_id", "name", "icp_score", "approval_status"].into_iter()
    ));
}
