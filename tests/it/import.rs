//! File import: the corrections that are sent, and how responses are parsed.

use lead_workspace::app::model::filters::Facet;
use lead_workspace::app::model::import_columns::{known_columns, past_imports, sample};
use lead_workspace::app::model::import_report::{
    ColumnMapping, Report, fields, is_of_company, label, list_name, refusal, size,
};
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace_api::Raw;
use lead_workspace_api::import::{CUSTOM, SKIP};

const LOOK: &str = r#"{"format": "csv", "columns": [
    {"header": "Who", "use": "custom", "values": ["Ana", "Bo"]},
    {"header": "Firm = Co", "use": "company", "values": ["Acme"]},
    {"header": "Note", "use": "custom", "values": []}
  ], "leads": [{"line": 2}], "errors": [{"line": 3, "reason": "nobody"}]}"#;

#[test]
fn only_corrected_columns_are_sent() {
    let mut mapping = ColumnMapping::read(LOOK).unwrap();
    assert_eq!(mapping.columns[0].values, ["Ana", "Bo"]);
    assert_eq!(mapping.errors[0].line, 3);
    assert_eq!(mapping.query("a b.csv", " "), "file_name=a+b.csv");
    mapping.set(0, "name");
    mapping.set(1, SKIP);
    mapping.set(2, "title");
    mapping.set(2, CUSTOM);
    mapping.set(9, "name");
    assert_eq!(
        mapping.query("a.csv", " Fair & more "),
        "file_name=a.csv&list=Fair+%26+more&map=Who%3Dname&map=Firm+%3D+Co%3Dskip"
    );
}

#[test]
fn the_sheet_of_a_workbook_is_sent() {
    let text = LOOK.replace(
        "\"csv\"",
        r#""xlsx", "sheets": ["A", "B"], "sheet": "B", "notes": ["odd dates"]"#,
    );
    let mapping = ColumnMapping::read(&text).unwrap();
    assert_eq!((mapping.sheets.len(), &*mapping.notes[0]), (2, "odd dates"));
    assert_eq!(
        mapping.query("a.XLSX", ""),
        "file_name=a.XLSX&format=xlsx&sheet=B"
    );
    let first = ColumnMapping::default();
    assert_eq!(first.query("a.xlsx", ""), "file_name=a.xlsx&format=xlsx");
}

#[test]
fn a_file_without_identity_columns_cannot_be_imported() {
    let mut mapping = ColumnMapping::read(LOOK).unwrap();
    assert!(
        mapping
            .problem()
            .unwrap()
            .contains("No column identifies the lead")
    );
    for to in ["name", "first_name", "last_name", "profile_url", "email"] {
        mapping.set(2, to);
        assert_eq!(mapping.problem(), None, "{to}");
    }
    mapping.set(2, "title");
    assert!(mapping.problem().is_some());
    let empty = r#"{"columns": [{"header": "Name", "use": "name", "values": []}], "leads": [], "errors": []}"#;
    let empty = ColumnMapping::read(empty).unwrap();
    assert!(empty.problem().unwrap().contains("no data lines"));
    assert_eq!(ColumnMapping::read("<html>"), None);
    assert_eq!(ColumnMapping::read("{}"), None);
}

const TOLD: &str = r#"{"event":"mapping","columns":[["Name","name"]]}
{"event":"failed","line":7,"reason":"=no \"name\", no address"}
{"event":"progress","bytes":10,"counts":{"inserted":3,"updated":0,"unchanged":0,"failed":1}}
"#;

#[test]
fn an_import_result_is_counted_and_linked() {
    let done = r#"{"event":"done","import_job_id":"import_1","list_id":null,"counts":{"inserted":4,"updated":2,"unchanged":0,"failed":1},"first_errors":[]}"#;
    let report = Report::read(&[TOLD, done, "\n"].concat()).unwrap();
    assert_eq!(
        report.labeled_counts(),
        [(4, "added"), (2, "updated"), (1, "refused")]
    );
    assert_eq!(report.stopped, None);
    let view = report.view().unwrap();
    assert_eq!(view.tab, Tab::Pending);
    assert_eq!(view.filters.values(Facet::ImportJob), ["import_1"]);
    assert_eq!(
        report.errors_file(),
        "\u{feff}line,reason\r\n7,\"'=no \"\"name\"\", no address\"\r\n"
    );
    let listed = done.replace("\"list_id\":null", "\"list_id\":\"list_1\"");
    let view = Report::read(&listed).unwrap().view().unwrap();
    assert_eq!(view.filters.values(Facet::List), ["list_1"]);
    assert!(view.filters.values(Facet::ImportJob).is_empty());
    let nothing = r#"{"event":"done","import_job_id":null,"counts":{"inserted":0,"updated":0,"unchanged":5,"failed":0},"first_errors":[]}"#;
    let nothing = Report::read(nothing).unwrap();
    assert_eq!(nothing.labeled_counts(), [(0, "added"), (5, "unchanged")]);
    assert_eq!(nothing.view(), None);
}

#[test]
fn an_import_without_a_final_event_is_incomplete() {
    assert_eq!(Report::read(TOLD), None);
    assert_eq!(Report::read(""), None);
    assert_eq!(Report::read("{\"event\":\"do"), None);
    let newer = Report::read(
        &[
            TOLD,
            r#"{"event":"paused"}
{"event":"done","more":1}"#,
        ]
        .concat(),
    );
    assert_eq!(newer.unwrap().labeled_counts(), [(0, "added")]);
    let stopped = [TOLD, r#"{"event":"error","message":"the disk is full"}"#].concat();
    let report = Report::read(&stopped).unwrap();
    assert_eq!(report.stopped.as_deref(), Some("the disk is full"));
    assert_eq!(report.counts.inserted, 3);
}

#[test]
fn a_rejection_is_shown_as_a_sentence() {
    for (body, expected) in [
        (
            r#"{"detail": "the disk is full"}"#,
            Some("The disk is full."),
        ),
        (
            r#"{"detail": [{"msg": "it is empty. Try again"}]}"#,
            Some("It is empty. Try again."),
        ),
        (r#"{"detail": "Done."}"#, Some("Done.")),
        ("", None),
        ("{}", None),
        ("<html>", None),
    ] {
        assert_eq!(refusal(body).as_deref(), expected, "{body}");
    }
}

#[test]
fn readable_labels() {
    assert_eq!(label("first_name"), "First name");
    assert_eq!(label("company_founded_year"), "Company founded year");
    assert_eq!(label("profile_url"), "Profile URL");
    assert_eq!(label(""), "");
    assert!(is_of_company("industry") && is_of_company("company") && !is_of_company("title"));
    assert_eq!(list_name("Fair 2026.v2.csv"), "Fair 2026.v2");
    assert_eq!(list_name("leads"), "leads");
    for (bytes, expected) in [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (1_250, "1.2 kB"),
        (123_456, "123 kB"),
        (200_000_000, "200 MB"),
        (2_500_000_000, "2.5 GB"),
    ] {
        assert_eq!(size(bytes), expected);
    }
    assert_eq!(
        fields(r#"{"fields": ["name", "email"]}"#).unwrap().fields,
        ["name", "email"]
    );
    assert_eq!(fields("<html>"), None);
}

#[test]
fn known_columns_are_those_of_the_service_with_their_other_names() {
    let fields = fields(
        r#"{"fields": ["name", "title", "shoe_size"],
            "headers": [{"field": "title", "headers": ["title", "job title", "role", "position", "cargo"]}]}"#,
    );
    let columns = known_columns(&fields.unwrap());
    let shown: Vec<_> = columns
        .iter()
        .map(|column| (column.header, &*column.others, column.identifies))
        .collect();
    assert_eq!(
        shown,
        [
            ("Name", "", true),
            ("Job title", "title, role, position", false)
        ]
    );
}

#[test]
fn the_sample_has_the_usual_columns_and_a_value_for_each() {
    let text = sample();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let header = "Name,Company,Job title,Profile URL,Email,Location,Company size,Industry";
    assert_eq!(lines.next(), Some(header));
    for line in lines.by_ref().take(2) {
        assert!(!line.contains(",,") && line.contains('@'), "{line}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn past_imports_are_read_from_the_facet() {
    let facet = r#"[{"import_job_id": "i1", "file_name": "a.csv", "count": 3, "created_at": "2026-05-18T12:00:00Z"},
        {"import_job_id": "i2"}, 7]"#;
    let facet: Vec<Raw> = serde_json::from_str(facet).unwrap();
    let imports = past_imports(Some(facet));
    assert_eq!(imports[0].id, "i1");
    assert_eq!(imports[0].when.as_deref(), Some("2026-05-18T12:00:00Z"));
    assert_eq!(past_imports(None), []);
}
