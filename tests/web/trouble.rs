//! Empty and error states: each reason has its text and its suggested action.

use std::time::Duration;

use lead_workspace::client::{HttpResponse, TransportError};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::stage::{Stage, Turn, body, ok, page, status, three};

/// The field for the key.
const KEY: &str = ".ask input[name=key]";

#[wasm_bindgen_test]
async fn without_a_key_it_asks_for_one_and_sends_nothing() {
    let stage = Stage::open_as("/leads", three);
    stage
        .until("the key field", |stage| stage.find(KEY).is_some())
        .await;
    assert!(stage.sent("POST").is_empty());
    stage.type_in(KEY, "lwk_1_x\n");
    // A build for host pages has a dialog, ours a page.
    stage.press(match cfg!(feature = "embed") {
        true => "Use this key",
        false => "Open the workspace",
    });
    stage.loaded().await;
}

#[wasm_bindgen_test]
async fn a_failed_first_load_can_be_retried() {
    let stage = Stage::open("/leads", |_| {
        Turn::Answer(Err(TransportError::Network("down".into())))
    });
    stage
        .until("failed", |stage| stage.says("The server cannot be reached"))
        .await;
    stage.answers(three);
    stage.press("Retry");
    stage.loaded().await;
    assert!(!stage.says("cannot be reached"));
}

#[wasm_bindgen_test]
async fn a_later_failure_keeps_the_rows() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.answers(|_| Turn::Answer(Err(TransportError::Timeout)));
    stage.press("Refresh");
    stage
        .until("strip", |stage| stage.says("did not respond within 10 s"))
        .await;
    assert_eq!(stage.all("[data-lead-id]").len(), 3);
}

#[wasm_bindgen_test]
async fn too_many_requests_shows_a_countdown_and_continues() {
    let stage = Stage::open("/leads", |_| {
        Turn::Answer(Ok(HttpResponse {
            status: 429,
            retry_after: Some(Duration::from_secs(1)),
            ..HttpResponse::default()
        }))
    });
    stage.until("countdown", |stage| stage.says("1 s")).await;
    assert!(
        !stage.says("Try again in"),
        "the countdown already shows it"
    );
    stage.answers(three);
    stage.loaded().await;
}

#[wasm_bindgen_test]
async fn errors_name_their_cause() {
    let entry = json!({"loc": ["body", "search"], "msg": "too long", "type": "x", "input": null, "ctx": {}});
    let stage = Stage::open("/leads", move |_| status(422, &json!({"detail": [entry]})));
    stage
        .until("422", |stage| {
            stage.says("This search isn't accepted: too long")
        })
        .await;
    drop(stage);
    let stage = Stage::open("/leads", |_| status(403, &json!({"detail": "no"})));
    stage
        .until("403", |stage| stage.says("This key doesn't have access"))
        .await;
    stage.press("Enter another key");
    stage
        .until("the key dialog", |stage| {
            stage.find("dialog[open] input").is_some()
        })
        .await;
}

#[wasm_bindgen_test]
async fn an_empty_workspace_names_the_command() {
    let stage = Stage::open("/leads", |_| ok(&page(0..0, 0)));
    stage
        .until("command", |stage| {
            stage.says("lead-workspace import leads.csv")
        })
        .await;
}

#[wasm_bindgen_test]
async fn a_search_without_matches_shows_the_search() {
    let stage = Stage::open("/leads?q=nobody", |request| {
        if body(request)["search"] == "nobody" {
            ok(&page(0..0, 0))
        } else {
            three(request)
        }
    });
    stage
        .until("named", |stage| {
            stage.says("No pending leads match “nobody”")
        })
        .await;
    stage.press("Clear the search");
    stage.loaded().await;
}

#[wasm_bindgen_test]
async fn unreadable_rows_are_counted() {
    let stage = Stage::open("/leads", |_| {
        let mut page = page(1..4, 3);
        page["data"][1]["lead_id"] = json!(7);
        ok(&page)
    });
    stage.loaded().await;
    assert_eq!(stage.all("[data-lead-id]").len(), 2);
    assert!(stage.says("1 row of this page could not be read"));
}

#[wasm_bindgen_test]
async fn the_form_says_where_the_key_is_stored() {
    let stage = Stage::open_as("/leads?base=https://elsewhere.example", three);
    stage
        .until("the key field", |stage| stage.find(KEY).is_some())
        .await;
    assert!(
        stage.says("is sent to https://elsewhere.example only, which is not this page's server")
    );
    drop(stage);
    let stage = Stage::open_as("/leads", three);
    stage
        .until("the key field", |stage| stage.find(KEY).is_some())
        .await;
    assert!(stage.says("is sent to this server only"));
}
