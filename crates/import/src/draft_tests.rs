use serde_json::{Value, json};

use super::Draft;
use crate::mapping::Mapping;

/// Drafts one line, with values as in a CSV file.
fn line(cells: &[(&str, &str)]) -> Result<Draft, String> {
    let headers: Vec<_> = cells
        .iter()
        .map(|(header, _)| (*header).to_owned())
        .collect();
    let values: Vec<_> = cells
        .iter()
        .map(|(_, value)| (!value.is_empty()).then(|| Value::from(*value)))
        .collect();
    super::draft(2, &Mapping::new(&headers, &[]).unwrap(), &values)
}

#[test]
fn a_typical_export_line_is_read() {
    let draft = line(&[
        ("First Name", "Ana"),
        ("Last Name", "García-Núñez"),
        ("Title", "Head of Sales"),
        ("Company", "Acme, S.A."),
        ("# Employees", "137"),
        ("Industry", "Software"),
        ("Website", "https://www.acme.example/es"),
        (
            "Company Linkedin Url",
            "http://www.linkedin.com/company/acme/",
        ),
        ("Person Linkedin Url", "http://www.linkedin.com/in/ana"),
        ("Email", "Ana@Acme.example"),
        ("City", "Madrid"),
        ("Country", "Spain"),
        ("Lists", "Iberia; Webinar"),
        ("Phone", "+34 555 0100"),
        ("Connections", "500+"),
    ])
    .unwrap();
    assert_eq!(draft.lead.name.as_deref(), Some("Ana García-Núñez"));
    assert_eq!(draft.lead.identity.as_deref(), Some("linkedin.com/in/ana"));
    assert_eq!(draft.lead.email.as_deref(), Some("ana@acme.example"));
    assert_eq!(draft.lead.location.as_deref(), Some("Madrid, Spain"));
    assert_eq!(draft.lists, ["Iberia", "Webinar"]);
    assert_eq!(
        Value::Object(draft.custom_data),
        // What the lead has in another form only is also kept as typed.
        json!({"# Employees": "137", "Email": "Ana@Acme.example", "City": "Madrid", "Country": "Spain",
            "Phone": "+34 555 0100"})
    );
    assert_eq!(
        Value::Object(draft.profile_data),
        json!({"first_name": "Ana", "last_name": "García-Núñez", "title": "Head of Sales",
            "location": "Madrid, Spain", "connections_count": 500})
    );
    let company = draft.company.unwrap();
    assert_eq!(company.name.as_deref(), Some("Acme, S.A."));
    assert_eq!(company.domain.as_deref(), Some("acme.example"));
    assert_eq!(
        company.identity.as_deref(),
        Some("linkedin.com/company/acme")
    );
    assert_eq!(company.staff_count_range.as_deref(), Some("51-200"));
}

#[test]
fn first_and_last_names_are_joined() {
    let name = |cells: &[(&str, &str)]| line(cells).unwrap().lead.name.unwrap();
    assert_eq!(
        name(&[("Name", "Bo Li"), ("First Name", "Bo"), ("Last Name", "Li")]),
        "Bo Li"
    );
    assert_eq!(
        name(&[("Name", ""), ("First Name", "Bo"), ("Last Name", "Li")]),
        "Bo Li"
    );
    assert_eq!(
        name(&[("Vorname", "Jörg"), ("Name", "Käfer")]),
        "Jörg Käfer"
    );
    assert_eq!(name(&[("First Name", "Bo"), ("Name", "Bo Li")]), "Bo Li");
    assert_eq!(name(&[("First Name", "Bo")]), "Bo");
}

#[test]
fn unreadable_values_are_kept() {
    let draft = line(&[
        ("Name", "Ana"),
        ("Profile URL", "not an address"),
        ("Status", "Working"),
        ("Followers", "many"),
        ("Created At", "1/2/2026"),
        ("Work Email", "broken"),
        ("Personal Email", "ana@home.example"),
        ("Industry", "Software"),
        ("", "nameless"),
    ])
    .unwrap();
    assert_eq!(draft.lead.email.as_deref(), Some("ana@home.example"));
    assert_eq!(
        (draft.lead.identity, draft.status, draft.lead.created_at),
        (None, None, String::new())
    );
    assert_eq!(draft.company, None);
    assert_eq!(
        Value::Object(draft.custom_data),
        json!({"Profile URL": "not an address", "Status": "Working", "Followers": "many",
            "Created At": "1/2/2026", "Work Email": "broken", "Personal Email": "ana@home.example",
            "Industry": "Software", "Column 9": "nameless"})
    );
}

#[test]
fn lists_per_line_and_name_lengths_are_limited() {
    let most: Vec<_> = (0..100).map(|number| number.to_string()).collect();
    let draft = line(&[("Name", "Ana"), ("Lists", &most.join(";"))]).unwrap();
    assert_eq!(draft.lists.len(), 100);
    let error = line(&[
        ("Name", "Ana"),
        ("Lists", &format!("{};more", most.join(";"))),
    ]);
    assert_eq!(
        error.unwrap_err(),
        "the line has 101 lists; the limit is 100"
    );
    let long = "x".repeat(201);
    for (header, what) in [("Lists", "list"), ("Campaign", "campaign")] {
        let error = line(&[("Name", "Ana"), (header, &long)]).unwrap_err();
        assert!(
            error.starts_with(&format!("the name of the {what} \"xxx")),
            "{error}"
        );
        assert!(error.ends_with("is longer than 200 characters"), "{error}");
    }
}

#[test]
fn an_array_names_each_list() {
    let headers = ["name".to_owned(), "lists".to_owned()];
    let lists = |value| {
        let values = [Some(json!("Ana")), Some(value)];
        super::draft(2, &Mapping::new(&headers, &[]).unwrap(), &values)
            .unwrap()
            .lists
    };
    assert_eq!(
        lists(json!(["Sales; EU", "R&D, Berlin", " "])),
        ["Sales; EU", "R&D, Berlin"]
    );
    assert_eq!(lists(json!("Sales; EU")), ["Sales", "EU"]);
}

#[test]
fn what_leads_are_found_by_is_limited() {
    let long = |length: usize| "x".repeat(length);
    for (header, value) in [
        ("Name", long(1_001)),
        // Folded, each is eleven times as long.
        ("Name", "\u{fdfa}".repeat(40)),
        ("Email", format!("{}@a.example", long(2_000))),
        ("Profile URL", format!("https://a.example/{}", long(2_000))),
        ("Company", long(1_001)),
        (
            "Company LinkedIn URL",
            format!("https://a.example/{}", long(2_000)),
        ),
    ] {
        let error = line(&[("First Name", "Ana"), (header, &value)]).unwrap_err();
        assert!(error.contains("is longer than"), "{header}: {error}");
    }
    assert!(line(&[("Name", &long(1_000)), ("Company", &long(1_000))]).is_ok());
}

#[test]
fn names_have_no_invisible_characters_but_paragraphs_stay() {
    let draft = line(&[
        ("Name", "An\u{200b}a  Diaz"),
        ("Headline", "\u{feff}Runs\tsales"),
        ("Summary", "One  line\nand another"),
        ("Company", "Ac\u{ad}me\u{a0} Ltd"),
        ("Email", "ana@acme.example\u{200b}"),
    ])
    .unwrap();
    assert_eq!(draft.lead.name.as_deref(), Some("Ana Diaz"));
    assert_eq!(draft.lead.headline.as_deref(), Some("Runs sales"));
    assert_eq!(draft.lead.email.as_deref(), Some("ana@acme.example"));
    assert_eq!(draft.profile_data["summary"], "One  line\nand another");
    assert_eq!(draft.company.unwrap().name.as_deref(), Some("Acme Ltd"));
    assert!(line(&[("Name", "\u{200b}"), ("Title", "CEO")]).is_err());
}

#[test]
fn a_line_without_identity_is_an_error() {
    let error = line(&[("Name", ""), ("Title", "CEO"), ("Company", "Acme")]).unwrap_err();
    assert_eq!(error, "no name, profile URL or e-mail address");
}
