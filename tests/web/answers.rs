//! Error bodies and Retry-After headers, parsed by Rust and by JavaScript: both must get the same results.

use lead_workspace::api::{Decode, ErrorBody};
use lead_workspace::client::retry_after::{self, Headers};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::random::Random;

#[wasm_bindgen(module = "/src/js/face.js")]
extern "C" {
    // Renamed because the module imports the same functions: the linker would find two definitions.
    #[wasm_bindgen(js_name = explain)]
    fn explain_body(body: &str) -> JsValue;
}

#[wasm_bindgen(module = "/src/js/fetch.js")]
extern "C" {
    #[wasm_bindgen(js_name = wait)]
    fn wait_of(
        milliseconds: Option<&str>,
        seconds: Option<&str>,
        date: Option<&str>,
    ) -> Option<f64>;
}

/// Number of random bodies per shape.
const ROUNDS: u32 = 1_000;

/// Compares the error texts that both sides read. None if the body has no text.
fn compare(body: &str) {
    let told = explain_body(body);
    let javascript = js_sys::Reflect::get(&told, &"said".into()).ok();
    let javascript = javascript.and_then(|said| said.as_string());
    let rust = ErrorBody::decode(body.as_bytes()).ok();
    let rust = rust.map(|body| body.detail.to_string());
    assert_eq!(javascript, rust, "{body}");
}

#[wasm_bindgen_test]
fn the_bodies_of_errors_say_the_same() {
    let entry =
        json!({"loc": ["body", "page", 0], "msg": "no", "type": "x", "input": 0, "ctx": {"ge": 1}});
    let shapes = [
        json!({"detail": [entry, {"msg": "no"}]}),
        json!({"detail": "no", "title": "Bad Request", "status": 400}),
        json!({"detail": {"code": "a", "why": ["b", null, true]}, "message": "no"}),
        json!({"message": "no", "error": {"message": "no, too", "code": 5}}),
        json!({"error": {"message": "no"}, "title": null}),
        json!({"error": "no", "title": "no"}),
    ];
    let mut random = Random::new("errors");
    for shape in shapes {
        compare(&shape.to_string());
        for _ in 0..ROUNDS {
            let mut spoiled = shape.clone();
            random.spoil(&mut spoiled);
            if survives(&spoiled) {
                compare(&spoiled.to_string());
            }
        }
    }
    for body in ["", "null", "[]", "5", "<html>", "{", r#"{"detail": }"#] {
        compare(body);
    }
}

/// Returns whether JavaScript writes the contained numbers as Rust does.
fn survives(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64().is_some_and(|number| number.abs() < 1 << 53),
        Value::Array(items) => items.iter().all(survives),
        Value::Object(members) => members.values().all(survives),
        _ => true,
    }
}

#[wasm_bindgen_test]
fn headers_ask_for_the_same_wait() {
    let texts = [
        None,
        Some(""),
        Some("0"),
        Some("2"),
        Some(" 1.5 "),
        Some("-5"),
        Some("1e3"),
        Some("0x10"),
        Some("soon"),
        Some("99999999999999999999"),
        Some("Sun, 06 Nov 1994 08:49:37 GMT"),
        Some("Sun, 06 Nov 1994 08:49:40 GMT"),
        Some("Sunday, 06-Nov-94 08:50:00 GMT"),
        Some("Sun Nov  6 08:49:50 1994"),
        Some("Sun, 06 Nov 2026 08:49:37 GMT"),
    ];
    for milliseconds in texts {
        for seconds in texts {
            for date in texts {
                let rust = retry_after::wait(Headers {
                    retry_after_ms: milliseconds,
                    retry_after: seconds,
                    date,
                });
                let rust = rust.map(|wait| wait.as_secs_f64() * 1000.0);
                let javascript = wait_of(milliseconds, seconds, date);
                let same = match (rust, javascript) {
                    (Some(rust), Some(javascript)) => (rust - javascript).abs() < 1.0,
                    (rust, javascript) => rust == javascript,
                };
                assert!(
                    same,
                    "{milliseconds:?} {seconds:?} {date:?}: {rust:?}, {javascript:?}"
                );
            }
        }
    }
}
