//! Decisions: shown at once, saved on the server, and rolled back on failure.

use js_sys::Function;
use serde_json::json;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::stage::{Gate, Stage, Turn, body, ok, page, reply, status, three, updated};

const ROW: &str = "[data-lead-id=l2]";
const STATUS: &str = "[data-lead-id=l2] [data-column=status]";

fn status_of(stage: &Stage) -> String {
    stage.attr(ROW, "data-status")
}

#[wasm_bindgen_test]
async fn approve_shows_immediately_and_then_as_saved() {
    let gate = Gate::default();
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.answers({
        let gate = gate.clone();
        move |_| Turn::Hold(gate.clone())
    });
    let others = stage.all("[data-lead-id]:not([data-lead-id=l2])");
    let before: Vec<String> = others.iter().map(|row| row.outer_html()).collect();
    stage.decide("Approve", 2).await;
    stage
        .until("approved", |stage| status_of(stage) == "approved")
        .await;
    // The row under the pointer has buttons.
    let button = || stage.the("[data-lead-id=l2] .yes").text_content().unwrap();
    assert_eq!(button(), "Approved");
    stage
        .until("sent", |stage| !stage.sent("PATCH").is_empty())
        .await;
    let sent = &stage.sent("PATCH")[0];
    assert_eq!(sent.url, "/api/leads/l2");
    assert_eq!(body(sent), json!({"approval_status": "approved"}));
    gate.open(reply(200, &updated(sent)));
    stage
        .until("saved", |stage| {
            stage.attr(ROW, "data-phase") == "confirmed"
        })
        .await;
    assert_eq!(button(), "Approved");
    let after: Vec<String> = others.iter().map(|row| row.outer_html()).collect();
    assert_eq!(before, after, "no other row is touched");
    assert!(stage.says("All saved"));
    assert!(
        stage.find(ROW).is_some(),
        "a decided row stays until the list is reloaded"
    );
}

#[wasm_bindgen_test]
async fn without_idle_callbacks_a_decision_is_sent_after_the_next_frame() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    // As in Safari. The longest wait for an idle period, 200 ms, never ends.
    let lack = Function::new_no_args(
        "const { requestIdleCallback, setTimeout } = globalThis;
         globalThis.requestIdleCallback = undefined;
         globalThis.setTimeout = (run, wait, ...rest) => (wait === 200 ? 0 : setTimeout(run, wait, ...rest));
         return () => Object.assign(globalThis, { requestIdleCallback, setTimeout });",
    );
    let restore: Function = lack.call0(&JsValue::NULL).unwrap().unchecked_into();
    stage.decide("Approve", 2).await;
    stage
        .until("sent", |stage| !stage.sent("PATCH").is_empty())
        .await;
    restore.call0(&JsValue::NULL).unwrap();
}

#[wasm_bindgen_test]
async fn tab_counts_follow_decisions() {
    let stage = Stage::open("/leads", three);
    stage
        .until("counts", |stage| {
            stage.all("[role=tab]")[4].text_content().unwrap() == "All 3"
        })
        .await;
    stage.decide("Reject", 2).await;
    let tab = |stage: &Stage, index: usize| stage.all("[role=tab]")[index].text_content().unwrap();
    stage
        .until("counted", |stage| {
            tab(stage, 0) == "Pending 2" && tab(stage, 2) == "Rejected 4"
        })
        .await;
}

#[wasm_bindgen_test]
async fn an_uncertain_decision_is_shown_and_retry_resends_it() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.answers(|request| match request.method.as_str() {
        "PATCH" => status(500, &json!({"detail": "busy"})),
        _ => three(request),
    });
    stage.decide("Approve", 2).await;
    stage
        .until("failed", |stage| {
            stage.find("[data-lead-id=l2] [role=alert]").is_some()
        })
        .await;
    assert_eq!(stage.attr(ROW, "data-phase"), "uncertain");
    assert_eq!(stage.attr(STATUS, "data-mark"), "uncertain");
    assert!(stage.says("Not confirmed. The service failed (500: busy)."));
    assert!(stage.says("1 decision not confirmed"));
    stage.answers(three);
    stage.press("Retry");
    stage
        .until("approved", |stage| status_of(stage) == "approved")
        .await;
    stage.until("saved", |stage| stage.says("All saved")).await;
    assert_eq!(
        stage.sent("PATCH").len(),
        4,
        "three attempts and the manual retry"
    );
}

#[wasm_bindgen_test]
async fn a_decision_is_resent_automatically_after_an_outage() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.answers(|request| match request.method.as_str() {
        "PATCH" => status(503, &json!({"detail": "busy"})),
        _ => three(request),
    });
    stage.decide("Approve", 2).await;
    stage
        .until("the message", |stage| {
            stage.says("1 decision not saved yet, retrying in ")
        })
        .await;
    assert_eq!(stage.attr(ROW, "data-phase"), "retrying");
    assert_eq!(status_of(&stage), "approved");
    assert!(stage.find("[data-lead-id=l2] [role=alert]").is_none());
    stage.answers(three);
    stage.until("saved", |stage| stage.says("All saved")).await;
    assert!(!stage.says("not saved"));
}

#[wasm_bindgen_test]
async fn revert_discards_a_failed_decision() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.answers(|request| match request.method.as_str() {
        "PATCH" => status(409, &json!({"detail": "locked"})),
        _ => three(request),
    });
    stage.decide("Reject", 2).await;
    stage
        .until("failed", |stage| stage.says("Not rejected"))
        .await;
    assert!(!stage.says("Undo"), "a failed decision cannot be undone");
    stage.press("Show them");
    stage
        .until("the dialog", |stage| {
            stage.find("dialog[open] .acts").is_some()
        })
        .await;
    stage.press("Revert");
    stage
        .until("the message to close", |stage| !stage.says("Not rejected"))
        .await;
    assert_eq!(status_of(&stage), "pending_approval");
    assert_eq!(stage.sent("PATCH").len(), 1);
}

#[wasm_bindgen_test]
async fn undo_names_the_lead_and_reverts_the_decision() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.decide("Reject", 2).await;
    stage
        .until("notice", |stage| stage.says("Rejected Lead 2"))
        .await;
    stage.press("Undo");
    stage
        .until("the old status", |stage| {
            status_of(stage) == "pending_approval"
        })
        .await;
    stage
        .until("as before", |stage| stage.attr(ROW, "data-phase") == "idle")
        .await;
    let sent = stage.sent("PATCH");
    assert_eq!(
        body(&sent[1]),
        json!({"approval_status": "pending_approval"})
    );
}

#[wasm_bindgen_test]
async fn a_rejected_key_opens_the_dialog_and_a_new_key_resumes() {
    let stage = Stage::open("/leads?q=ada", three);
    stage.loaded().await;
    stage.answers(|request| match request.method.as_str() {
        "PATCH" => status(401, &json!({"detail": "unknown key"})),
        _ => three(request),
    });
    stage.decide("Approve", 2).await;
    stage
        .until("the key dialog", |stage| {
            stage.find("dialog[open]").is_some()
        })
        .await;
    stage.type_in("dialog input", "a key");
    stage.press("Use this key");
    stage
        .until("the error", |stage| stage.says("Copy it again"))
        .await;
    stage.answers(|request| {
        let mut page = page(1..4, 3);
        page["data"][1]["approval_status"] = json!("approved");
        match request.method.as_str() {
            "PATCH" => ok(&updated(request)),
            _ => ok(&page),
        }
    });
    stage.type_in("dialog input", "lwk_2_second");
    stage.press("Use this key");
    stage
        .until("closed", |stage| stage.find("dialog[open]").is_none())
        .await;
    stage
        .until("approved", |stage| {
            status_of(stage) == "approved" && stage.sent("PATCH").len() == 2
        })
        .await;
    let sent = stage.sent("PATCH");
    let key = ("authorization", "Bearer lwk_2_second".to_owned());
    assert!(sent.last().unwrap().headers.contains(&key));
    let queries = stage.sent("POST");
    let mut queries = queries.iter().map(body);
    // Others only count.
    let list = queries.rfind(|query| query["page_size"] == 50);
    assert_eq!(list.unwrap()["search"], "ada", "the view is kept");
}
