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
        "[[]]",
        "a list is not an entry"
    );
    for nothing in [r#"{"detail": null}"#, r#"{"error": "x"}"#, "{}", "5", "[]"] {
        assert!(decoded(nothing).is_err(), "{nothing}");
    }
}
