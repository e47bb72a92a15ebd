use std::collections::BTreeSet;

use lead_workspace_api::limits::CUSTOM_KEYS;
use lead_workspace_api::{CustomField, CustomKind, FilterSpec, LeadField, custom_field, filter};
use serde_json::{Value as Json, json};

use super::summary::Summary;
use super::{
    CustomValue, KINDS, Member, Summaries, TEXT_CHARACTERS, add_keys, kind_of, members, new_keys,
    section, text_of,
};
use crate::filter::{Filter, Form, Predicate, Value, read};

fn value(json: &Json) -> Option<CustomValue> {
    CustomValue::of(&Member::from(json))
}

fn number(number: f64) -> Option<CustomValue> {
    Some(CustomValue::Number(number))
}

fn text(text: &str) -> Option<CustomValue> {
    Some(CustomValue::Text(text.to_owned()))
}

fn time(text: &str) -> Option<CustomValue> {
    Some(CustomValue::Time(text.to_owned()))
}

#[test]
fn a_value_is_what_it_looks_like() {
    for (json, expected) in [
        (json!(50_000), number(50_000.0)),
        (json!("50000"), number(50_000.0)),
        (json!(" -12.50 "), number(-12.5)),
        (json!(-0.0), number(0.0)),
        (json!("0"), number(0.0)),
        (json!("0.5"), number(0.5)),
        (json!("3.3000000000000003"), number(3.300_000_000_000_000_3)),
        (json!("999999999999999"), number(999_999_999_999_999.0)),
        // Ids and postal codes.
        (json!("1000000000000000"), text("1000000000000000")),
        (json!(1_000_000_000_000_001_i64), text("1000000000000001")),
        (json!(1e15), text("1000000000000000")),
        (json!(1e20), text("100000000000000000000")),
        (json!("007"), text("007")),
        (json!("00.5"), text("00.5")),
        // The same number can be written in several ways.
        (json!("1,200"), text("1,200")),
        (json!("1e3"), text("1e3")),
        (json!("+5"), text("+5")),
        (json!("5."), text("5.")),
        (json!(".5"), text(".5")),
        (json!("-"), text("-")),
        (json!("inf"), text("inf")),
        (json!("2026-01-31"), time("2026-01-31T00:00:00.000Z")),
        (
            json!("2026-01-31T10:00+01:00"),
            time("2026-01-31T09:00:00.000Z"),
        ),
        (
            json!("2026-01-31 10:00:00"),
            time("2026-01-31T10:00:00.000Z"),
        ),
        (json!("9999-12-31"), time("9999-12-31T00:00:00.000Z")),
        (json!("2026-02-30"), text("2026-02-30")),
        (json!("2026-01-31 or later"), text("2026-01-31 or later")),
        (json!("31/01/2026"), text("31/01/2026")),
        (json!("20260131T100000Z"), text("20260131t100000z")),
        (json!(true), Some(CustomValue::Flag(true))),
        (json!("FALSE"), Some(CustomValue::Flag(false))),
        (json!("yes"), text("yes")),
        (json!("  Zoë\u{200b}  Ångström "), text("zoe angstrom")),
        (json!("x".repeat(300)), text(&"x".repeat(TEXT_CHARACTERS))),
        (json!(" \u{200b}\n"), None),
        (json!(""), None),
        (json!(null), None),
        (json!(["a"]), None),
        (json!({"a": 1}), None),
    ] {
        assert_eq!(value(&json), expected, "{json}");
    }
}

#[test]
fn values_are_ordered_by_kind() {
    let ordered = [
        json!(-3),
        json!("7"),
        json!(50_000),
        json!(false),
        json!("true"),
        json!("1999-12-31"),
        json!("2026-01-31"),
        json!("#"),
        json!("ana"),
        json!("Zoë"),
    ];
    let stored = ordered.each_ref().map(|json| value(json).unwrap().stored());
    for (one, next) in stored.iter().zip(&stored[1..]) {
        assert!(one.order(next).is_lt(), "{one:?} {next:?}");
    }
    for (json, stored) in ordered.iter().zip(&stored) {
        let kind = value(json).unwrap().kind();
        for section_of in KINDS {
            let within = Predicate::Within(vec![section(section_of)]);
            assert_eq!(
                within.holds(Form::Custom, stored),
                section_of == kind,
                "{json} {section_of}"
            );
        }
    }
    let texts = stored.each_ref().map(text_of);
    assert_eq!(texts[2..5], ["50000", "false", "true"]);
    assert_eq!(
        texts[5..8],
        ["1999-12-31t00:00:00.000z", "2026-01-31t00:00:00.000z", "#"]
    );
}

#[test]
fn values_of_several_kinds_are_text() {
    use CustomKind::{Boolean, Number, Text};
    assert_eq!(kind_of([]), None);
    assert_eq!(kind_of([Number]), Some(Number));
    assert_eq!(kind_of([Boolean, Boolean]), Some(Boolean));
    assert_eq!(kind_of([Number, Boolean]), Some(Text));
    assert_eq!(kind_of([Text, Number]), Some(Text));
}

fn filters(spec: FilterSpec) -> Filter<LeadField> {
    read::<LeadField>(&[spec]).unwrap().remove(0)
}

#[test]
fn filters_compare_with_values_of_the_same_kind() {
    let all = [
        "50",
        "50.0",
        "TRUE",
        "2026-01-31",
        "2026-01-31T23:59",
        "2026-02-01",
        "Ana",
        "n/a",
    ];
    let on = || filter(custom_field("Any"));
    for (spec, found) in [
        (on().eq("50"), &["50", "50.0"][..]),
        (on().eq(50), &["50", "50.0"]),
        (on().eq("anA"), &["Ana"]),
        (
            on().neq("anA"),
            &[
                "50",
                "50.0",
                "TRUE",
                "2026-01-31",
                "2026-01-31T23:59",
                "2026-02-01",
                "n/a",
            ],
        ),
        (on().eq(true), &["TRUE"]),
        (on().eq(""), &[]),
        (
            on().is_in(["2026-01-31", "50"]),
            &["50", "50.0", "2026-01-31", "2026-01-31T23:59"],
        ),
        (on().gt("2026-01-31"), &all[5..]),
        (on().contains("A"), &["Ana", "n/a"]),
        (on().contains("5"), &["50", "50.0", "2026-01-31T23:59"]),
        (on().starts_with("50"), &["50", "50.0"]),
        (
            on().starts_with("2026-01"),
            &["2026-01-31", "2026-01-31T23:59"],
        ),
        (on().is_set(), &all),
    ] {
        let filter = filters(spec);
        let holds = |text: &&str| filter.holds(&[value(&json!(text)).unwrap().stored()]);
        let matching: Vec<&str> = all.into_iter().filter(holds).collect();
        assert_eq!(matching, found, "{:?}", filter.predicate);
    }
}

#[test]
fn bounds_are_of_the_kind_of_the_field() {
    let bounded = |spec| filters(spec).bounded.unwrap();
    let on = || filter(custom_field("Deal size"));
    let example = |json: Json| {
        let value = value(&json).unwrap();
        (value.kind(), value.stored())
    };
    let (size, note) = (example(json!(50_000)), example(json!("N/A")));
    assert_eq!(bounded(on().gte(1)).problem(&[]), None);
    assert_eq!(
        bounded(on().gte("1")).problem(std::slice::from_ref(&size)),
        None
    );
    let both = [size.clone(), note];
    assert_eq!(bounded(on().gte("m")).problem(&both), None);
    let problem = bounded(on().between(1, 2)).problem(&both).unwrap();
    assert_eq!(problem.loc, ["body", "filters", "0", "value"]);
    assert_eq!(problem.ctx["example"], "\"n/a\"");
    assert_eq!(problem.ctx["expected"], "text");
    assert_eq!(
        problem.msg,
        "\"Deal size\" has values that are not numbers, such as \"n/a\"; compare it with a text"
    );
    let problem = bounded(on().between(1, "many")).problem(&[size]).unwrap();
    assert!(
        problem
            .msg
            .ends_with("not texts, such as 50000; compare it with a number")
    );
    assert!(filters(on().eq(1)).bounded.is_none());
    // A long text with quotation marks and control characters, as it may come from a file.
    let hostile = example(json!(format!("<b>\"{}", "y".repeat(200))));
    let problem = bounded(on().lt(1)).problem(&[hostile]).unwrap();
    assert!(
        problem.msg.contains(r#"such as "<b>\"yyy"#),
        "{}",
        problem.msg
    );
    assert!(problem.msg.len() < 200);
}

#[test]
fn members_are_read_one_by_one() {
    let read = |text: &str| {
        let mut found = Vec::new();
        members(text, |key, member| found.push(format!("{key}={member:?}")));
        found
    };
    assert_eq!(
        read(
            r#"{"a":1,"b\n":"x\ty","c":null,"d":[1,{"e":2}],"f":{"g":[]},"h":true,"i":-2.5,"a":2}"#
        ),
        [
            "a=Number(1.0)",
            "b\n=Text(\"x\\ty\")",
            "c=Nothing",
            "d=Deep",
            "f=Deep",
            "h=Flag(true)",
            "i=Number(-2.5)",
            "a=Number(2.0)",
        ]
    );
    for text in ["", "null", "[1]", "7", "{", "no"] {
        assert_eq!(read(text), [""; 0], "{text}");
    }
    assert_eq!(read(r#"{"a":1,"b":"#), ["a=Number(1.0)"]);
}

#[test]
fn a_summary_says_what_leads_have() {
    let of = |values: &[Json]| {
        let mut summary = Summary::default();
        for value in values {
            summary.add(&Member::from(value));
        }
        summary.field("Key")
    };
    let field = |kind: &str, leads, values| {
        Some(CustomField {
            key: Some("Key".into()),
            kind: Some(kind.into()),
            leads: Some(leads),
            values: Some(values),
        })
    };
    assert_eq!(of(&[json!(null), json!(" ")]), None);
    assert_eq!(
        of(&[json!(5), json!("5.0"), json!(7)]),
        field("number", 3, 2)
    );
    assert_eq!(of(&[json!(5), json!([5])]), field("number", 1, 1));
    assert_eq!(
        of(&[json!(5), json!("Ana"), json!("ANA")]),
        field("text", 3, 2)
    );
    assert_eq!(of(&[json!("2026-01-31"), json!(null)]), field("date", 1, 1));
    assert_eq!(of(&[json!("True")]), field("boolean", 1, 1));
    assert_eq!(of(&[json!([]), json!({})]), field("other", 2, 0));
    let many: Vec<Json> = (0..2_000).map(Json::from).collect();
    assert_eq!(of(&many), field("number", 2_000, 1_001));
}

#[test]
fn keys_without_a_name_are_no_fields() {
    let mut keys = BTreeSet::from(["b".to_owned()]);
    add_keys(r#"{"a": 1, "b": 2, "": 3}"#, &mut keys);
    assert_eq!(keys, BTreeSet::from(["a".to_owned(), "b".to_owned()]));
}

#[test]
fn as_many_keys_become_fields_as_a_workspace_can_have() {
    let keys = |texts: &[&str]| -> BTreeSet<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    };
    let (long, longest) = ("ü".repeat(201), "ü".repeat(200));
    let found = keys(&["b", "a", "", &long, &longest]);
    let new: Vec<&str> = new_keys(&found, |key| key == "a", 1).collect();
    assert_eq!(new, ["b", &longest]);
    assert_eq!(new_keys(&found, |_| false, CUSTOM_KEYS - 1).count(), 1);
    assert_eq!(new_keys(&found, |_| false, CUSTOM_KEYS).count(), 0);
}

#[test]
fn a_value_has_the_text_of_a_filter_value() {
    for (json, text) in [
        (json!(1.5), Some("1.5")),
        (json!(50_000.0), Some("50000")),
        (json!(true), Some("true")),
        (json!("1.50"), Some("1.50")),
        (json!([1]), None),
    ] {
        let member = Member::from(&json);
        assert_eq!(member.text().as_deref(), text);
        if let Some(text) = text {
            assert_eq!(
                CustomValue::of(&member),
                CustomValue::of(&Member::Text(text.into()))
            );
        }
    }
    assert_eq!(
        value(&json!(7)).unwrap().stored().order(&Value::Integer(7)),
        std::cmp::Ordering::Equal
    );
}

#[test]
fn fields_are_listed_by_key() {
    let mut summaries = Summaries::new(["b", "Ä", "unused"]);
    for lead in [r#"{"b": 1, "x": 2}"#, r#"{"Ä": "z", "b": "one"}"#, "broken"] {
        summaries.add(lead);
    }
    let fields = summaries.fields().fields.unwrap();
    let shown = fields
        .iter()
        .map(|field| (field.key.as_deref().unwrap(), field.leads.unwrap()));
    assert_eq!(shown.collect::<Vec<_>>(), [("b", 2), ("Ä", 1)]);
    assert_eq!(fields[0].known_kind(), Some(CustomKind::Text));
}
