//! Error bodies, as servers send them.

use lead_workspace_api::{Decode, Detail, ErrorBody};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::models::any_json;

fn read(json: Value) -> Detail {
    serde_json::from_value::<ErrorBody>(json).unwrap().detail
}

#[test]
fn a_location_may_contain_integers() {
    let Detail::Entries(entries) = read(json!({"detail": [{
        "loc": ["body", "filters", 0, "field"], "msg": "unknown", "type": "enum", "input": "x", "ctx": {"expected": "a"},
    }]})) else {
        panic!("entries");
    };
    assert_eq!(entries[0].loc, ["body", "filters", "0", "field"]);
    assert_eq!(entries[0].to_string(), "filters.0.field: unknown");
    let written = serde_json::to_value(&entries[0]).unwrap();
    assert_eq!(written["loc"], json!(["body", "filters", "0", "field"]));
    assert_eq!(written["ctx"], json!({"expected": "a"}));
    assert_eq!(Detail::Entries(entries).to_value(), json!([written]));
}

#[test]
fn ctx_and_input_are_optional() {
    for ctx in [
        json!({"loc": ["body"], "msg": "m"}),
        json!({"loc": ["body"], "msg": "m", "ctx": null}),
    ] {
        let Detail::Entries(entries) = read(json!({"detail": [ctx]})) else {
            panic!("entries")
        };
        assert_eq!(entries[0].to_string(), "m");
    }
}

#[test]
fn detail_is_a_text_or_any_other_json() {
    assert_eq!(
        read(json!({"detail": "Not Found"})),
        Detail::Text("Not Found".into())
    );
    let Detail::Other(raw) = read(json!({"detail": {"code": 7}})) else {
        panic!("other")
    };
    assert_eq!(raw, json!({"code": 7}));
}

proptest! {
    #[test]
    fn any_detail_round_trips(detail in any_json()) {
        let is_empty = detail.is_null() || detail.as_str() == Some("");
        let Ok(body) = serde_json::from_value::<ErrorBody>(json!({"detail": detail})) else {
            prop_assert!(is_empty, "{detail}");
            return Ok(());
        };
        prop_assert!(!is_empty);
        prop_assert_eq!(body.detail.to_value(), serde_json::to_value(&body.detail).unwrap());
        let _ = body.detail.to_string();
        let text = serde_json::to_string(&body).unwrap();
        prop_assert_eq!(serde_json::from_str::<ErrorBody>(&text).unwrap(), body);
    }
}

#[test]
fn errors_of_other_server_kinds_are_read() {
    let decoded =
        |body: &str| ErrorBody::decode(body.as_bytes()).map(|body| body.detail.to_string());
    for body in [
        r#"{"detail": null, "message": "no"}"#,
        r#"{"detail": "", "error": {"message": "no"}}"#,
        r#"{"error": {"code": 5, "message": "no"}}"#,
        r#"{"type": "about:blank", "title": "no", "status": 400}"#,
        r#"{"title": "Bad Request", "detail": "no"}"#,
    ] {
        assert_eq!(decoded(body).unwrap(), "no", "{body}");
    }
    assert_eq!(
        decoded(r#"{"detail":[[]]}"#).unwrap(),
        "[]",
        "a list is not an entry"
    );
    for nothing in [r#"{"detail": null}"#, r#"{"error": "x"}"#, "{}", "5", "[]"] {
        assert!(decoded(nothing).is_err(), "{nothing}");
    }
}

#[test]
fn of_many_messages_the_first_that_differ_are_shown_and_all_can_be_copied() {
    let entries = |msg: &dyn Fn(usize) -> String| {
        let entries: Vec<_> = (0..10_000)
            .map(
                |index| json!({"loc": ["body", "lead_ids", index], "msg": msg(index), "type": "x"}),
            )
            .collect();
        read(json!({"detail": entries}))
    };
    let different = entries(&|_| "too short".into());
    assert_eq!(
        different.to_string(),
        "lead_ids.0: too short; lead_ids.1: too short; lead_ids.2: too short; lead_ids.3: too short; \
         lead_ids.4: too short, and 9,995 more"
    );
    let all = different.all_messages().unwrap();
    assert_eq!(all.lines().count(), 10_000);
    assert!(all.ends_with("\nlead_ids.9999: too short"));

    let few = read(
        json!({"detail": [{"loc": ["body", "a"], "msg": "x"}, {"loc": ["body", "b"], "msg": "y"}]}),
    );
    assert_eq!(few.to_string(), "a: x; b: y");
    assert_eq!(few.all_messages(), None);

    // The same message many times, then others, also as a list of texts.
    let texts: Vec<_> = (0..1_000)
        .map(|index| if index < 997 { 0 } else { index }.to_string())
        .collect();
    let texts = read(json!({"detail": texts}));
    assert_eq!(
        texts.to_string(),
        r#""0"; "997"; "998"; "999", and 996 more"#
    );
    assert_eq!(texts.all_messages().unwrap().lines().count(), 1_000);
}

#[test]
fn no_message_is_longer_than_people_read() {
    let long = "word ".repeat(100_000);
    for detail in [json!(long), json!({"code": long}), json!([long])] {
        let text = read(json!({"detail": detail})).to_string();
        assert!(text.chars().count() <= 301 && text.ends_with('…'), "{text}");
    }
    let entries: Vec<_> = (0..9)
        .map(|index| json!({"loc": ["body"], "msg": format!("{index} {long}")}))
        .collect();
    let text = read(json!({"detail": entries})).to_string();
    assert!(
        text.chars().count() < 1_600 && text.ends_with("…, and 4 more"),
        "{text}"
    );
}
