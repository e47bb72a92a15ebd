//! Values of the user's own data, and the keys that are known.

use lead_workspace::app::model::custom_fields::{CustomField, fields_of, queried, with_named};
use lead_workspace::app::model::custom_value::CustomValue::{self, Flag, List, Nothing, Object};
use lead_workspace::app::model::lead::LeadItem;
use lead_workspace_api::{FieldKind, LeadFields, LeadListItem, Raw};
use proptest::prelude::*;
use serde_json::json;

fn read(value: serde_json::Value) -> CustomValue {
    CustomValue::from_raw(&Raw::from(value))
}

fn number(text: &str) -> CustomValue {
    CustomValue::Number(text.to_owned())
}

fn text(text: &str) -> CustomValue {
    CustomValue::Text {
        text: text.to_owned(),
        is_cut: false,
    }
}

fn link(href: &str, label: &str) -> CustomValue {
    CustomValue::Link {
        href: href.to_owned(),
        label: label.to_owned(),
    }
}

#[test]
fn a_value_is_what_it_looks_like() {
    let cases = [
        (json!(null), Nothing),
        (json!("  "), Nothing),
        (json!([]), Nothing),
        (json!({}), Nothing),
        (json!(50_000), number("50000")),
        (json!("50000"), number("50000")),
        (json!("-12.50"), number("-12.50")),
        (json!("1,234,567.8"), text("1,234,567.8")),
        (json!("0"), number("0")),
        (json!("0.5"), number("0.5")),
        (json!("01234"), text("01234")),
        (json!("+49 30 1234"), text("+49 30 1234")),
        (json!("12,34"), text("12,34")),
        (json!("1.2.3"), text("1.2.3")),
        (json!("1e5"), text("1e5")),
        (json!("-"), text("-")),
        (json!("12345678901234567890"), text("12345678901234567890")),
        (json!(true), Flag(true)),
        (json!("FALSE"), Flag(false)),
        (json!("yes"), text("yes")),
        (json!("2026-03-04"), CustomValue::Time("2026-03-04".into())),
        (
            json!("https://www.halden.example/"),
            link("https://www.halden.example/", "halden.example"),
        ),
        (
            json!("ada@halden.example"),
            link("mailto:ada@halden.example", "ada@halden.example"),
        ),
        (json!({"a": 1, "b": {"c": 2}}), Object(2)),
        (json!([1, 2, 3]), List(3)),
    ];
    for (value, wanted) in cases {
        assert_eq!(read(value.clone()), wanted, "{value}");
    }
}

#[test]
fn only_safe_links_are_links() {
    for hostile in [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://user@evil.example",
        "ada@halden.example?cc=other@evil.example",
        "ada@halden.example,eve@evil.example",
        "ada%0abcc@halden.example",
        "<a@b.c>",
        "ada@",
        "@halden.example",
        "ada@localhost",
        "a da@halden.example",
    ] {
        assert_eq!(read(json!(hostile)), text(hostile));
    }
}

#[test]
fn a_long_text_is_cut_between_characters() {
    let CustomValue::Text { text, is_cut } = read(json!("ä".repeat(5_000))) else {
        panic!("not a text");
    };
    assert!(is_cut);
    assert_eq!(text.chars().count(), 201);
}

fn lead(custom_data: serde_json::Value) -> LeadItem {
    LeadItem::new(LeadListItem {
        custom_data: Some(Raw::from(custom_data)),
        ..LeadListItem::default()
    })
}

fn rows() -> Vec<LeadItem> {
    [
        json!({"Deal size": "50000", "Notes": "", "Region": "North"}),
        json!({"Region": "South", "Deal size": 7, "Closed": true}),
        json!({"Deal size": null}),
        json!("not an object"),
        json!(["neither"]),
    ]
    .map(lead)
    .into()
}

fn field(key: &str, number: bool) -> CustomField {
    CustomField {
        key: key.to_owned(),
        number,
        is_queried: false,
    }
}

#[test]
fn the_keys_of_rows_are_known_in_their_order() {
    let rows = rows();
    let fields = fields_of(rows.iter());
    // Without a value nothing is known to be a number.
    let wanted = [
        ("Deal size", true),
        ("Notes", false),
        ("Region", false),
        ("Closed", false),
    ];
    assert_eq!(fields, wanted.map(|(key, number)| field(key, number)));
}

#[test]
fn a_server_names_the_others() {
    let rows = rows();
    let response = json!({"fields": [
        {"key": "Budget", "kind": "number", "leads": 3, "values": 3},
        {"key": "Deal size", "kind": "text", "leads": 3, "values": 3},
        {"key": "", "kind": "text"},
        {"key": "Since"},
        {"key": "Team", "kind": "other", "leads": 2},
        {"key": "Id", "kind": "text", "leads": 9, "values": 1_001},
    ]});
    let response = serde_json::from_value(response).unwrap();
    let fields = with_named(fields_of(rows.iter()), &response);
    let keys: Vec<_> = fields
        .iter()
        .map(|field| (&*field.key, field.number, field.is_queried))
        .collect();
    assert_eq!(
        keys,
        [
            ("Deal size", false, true),
            ("Notes", false, false),
            ("Region", false, false),
            ("Closed", false, false),
            ("Budget", true, true),
            ("Since", false, false),
            ("Team", false, false),
            ("Id", false, true),
        ]
    );
    let queried: Vec<_> = queried(&response)
        .iter()
        .map(|field| (field.name.key(), field.kind, field.has_facet))
        .collect();
    assert_eq!(
        queried,
        [
            ("Budget", FieldKind::Number, true),
            ("Deal size", FieldKind::Text, true),
            ("Id", FieldKind::Text, false),
        ]
    );
    let none = LeadFields::default();
    assert_eq!(
        with_named(fields_of(rows.iter()), &none),
        fields_of(rows.iter())
    );
}

#[test]
fn at_most_500_keys_are_offered() {
    let many: serde_json::Map<_, _> = (0..2_000).map(|at| (at.to_string(), json!(at))).collect();
    let many = [lead(serde_json::Value::Object(many))];
    assert_eq!(fields_of(many.iter()).len(), 500);
}

proptest! {
    #[test]
    fn no_text_becomes_another_scheme(value in ".{0,60}") {
        if let CustomValue::Link { href, .. } = read(json!(value)) {
            prop_assert!(["http:", "https:", "mailto:"].iter().any(|scheme| href.to_ascii_lowercase().starts_with(scheme)));
        }
    }
}
