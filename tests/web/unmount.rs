//! Unmounting a review leaves nothing behind and loses no decision.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gloo_timers::future::TimeoutFuture;
use js_sys::Function;
use lead_workspace::client::HttpResponse;
use lead_workspace::embed::{HostOptions, LeadReview};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use crate::embed::{Guest, with_key};
use crate::stage::{Gate, Turn, ok, reply, three, updated};

#[wasm_bindgen]
extern "C" {
    pub type Watch;
    #[wasm_bindgen(method, getter)]
    pub fn listeners(this: &Watch) -> u32;
    #[wasm_bindgen(method, getter)]
    pub fn timers(this: &Watch) -> u32;
    #[wasm_bindgen(method)]
    pub async fn settled(this: &Watch);
    #[wasm_bindgen(method)]
    pub fn end(this: &Watch);
}

/// Counts the listeners of the window and the document, and the timers that still run.
const WATCH: &str = r#"
  const open = { listeners: new Set(), timers: new Set() };
  const undo = [];
  const swap = (owner, name, make) => {
    const real = owner[name];
    const own = Object.hasOwn(owner, name);
    owner[name] = make(real);
    undo.push(() => (own ? (owner[name] = real) : delete owner[name]));
  };
  for (const target of [window, document]) {
    const key = (type, listener) => [...keys].find((k) => k.type === type && k.listener === listener);
    const keys = new Set();
    swap(target, "addEventListener", (real) => function (type, listener, ...rest) {
      const entry = { type, listener };
      keys.add(entry);
      open.listeners.add(entry);
      return real.call(target, type, listener, ...rest);
    });
    swap(target, "removeEventListener", (real) => function (type, listener, ...rest) {
      const entry = key(type, listener);
      keys.delete(entry);
      open.listeners.delete(entry);
      return real.call(target, type, listener, ...rest);
    });
  }
  for (const kind of ["Timeout", "Interval"]) {
    swap(window, `set${kind}`, (real) => (run, ...rest) => {
      const id = real(() => {
        if (kind === "Timeout") open.timers.delete(id);
        run();
      }, ...rest);
      open.timers.add(id);
      return id;
    });
    swap(window, `clear${kind}`, (real) => (id) => {
      open.timers.delete(id);
      real(id);
    });
  }
  return {
    get listeners() { return open.listeners.size; },
    get timers() { return open.timers.size; },
    // A message comes after everything that was to be done at once.
    settled: () => new Promise((go) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { port1.close(); go(); };
      port2.postMessage(null);
    }),
    end() { for (const back of undo) back(); },
  };
"#;

pub fn watch() -> Watch {
    let watch = Function::new_no_args(WATCH).call0(&JsValue::NULL);
    watch.unwrap().unchecked_into()
}

fn press_key(node: &Element, key: &str) {
    let press = Function::new_with_args(
        "node, key",
        "node.focus();
         const options = { key, bubbles: true, composed: true, cancelable: true };
         node.dispatchEvent(new KeyboardEvent('keydown', options));",
    );
    press.call2(&JsValue::NULL, node, &key.into()).unwrap();
}

#[wasm_bindgen_test]
async fn a_navigation_listener_may_unmount_the_review() {
    let slot: Rc<RefCell<Option<Rc<LeadReview>>>> = Rc::default();
    let taken = Rc::clone(&slot);
    let host = HostOptions {
        on_decision: Some(Rc::new(move |_| {
            if let Some(review) = taken.borrow_mut().take() {
                review.unmount();
            }
        })),
        ..with_key("leads")
    };
    let guest = Guest::open_as(host, three);
    *slot.borrow_mut() = Some(Rc::clone(&guest.shown));
    guest.loaded().await;
    guest.decide("Approve", 2).await;
    guest
        .until("the unmount", |guest| !guest.root.is_connected())
        .await;
}

#[wasm_bindgen_test]
async fn unmount_removes_everything() {
    let watch = watch();
    let held = Gate::default();
    let guest = Guest::open("leads", three);
    guest.loaded().await;
    guest.until("counted", |guest| guest.says("All 3")).await;
    assert!(watch.listeners() > 0, "the observer sees nothing");
    guest.answers({
        let held = held.clone();
        move |_| Turn::Hold(held.clone())
    });
    let before = guest.sent("POST").len();
    guest.press("Refresh");
    guest
        .until("the request", |guest| guest.sent("POST").len() > before)
        .await;
    guest.type_in("[role=searchbox]", "still typing");
    assert!(watch.timers() > 0, "the observer sees nothing");
    guest.shown.unmount();
    assert_eq!(watch.listeners(), 0);
    watch.settled().await;
    assert!(held.is_dropped());
    assert_eq!(watch.timers(), 0);
    watch.end();
    assert_eq!(guest.root().child_element_count(), 0);
    guest.shown.unmount();
    assert!(guest.shown.navigate("leads").is_err());
    assert!(guest.shown.set_theme("dark").is_err());
}

#[wasm_bindgen_test]
async fn unmounting_right_after_mounting_is_safe() {
    let watch = watch();
    let guest = Guest::open("leads", three);
    guest.shown.unmount();
    watch.settled().await;
    let counts = (watch.listeners(), watch.timers());
    watch.end();
    assert_eq!(counts, (0, 0));
    let next = Guest::open("leads", three);
    next.loaded().await;
}

#[wasm_bindgen_test]
async fn a_decision_in_flight_is_still_delivered() {
    let held = Gate::default();
    let guest = Guest::open("leads", three);
    guest.loaded().await;
    guest.answers({
        let held = held.clone();
        move |_| Turn::Hold(held.clone())
    });
    guest.decide("Approve", 2).await;
    guest
        .until("sent", |guest| guest.sent("PATCH").len() == 1)
        .await;
    guest.shown.unmount();
    guest
        .until("the unmount", |guest| !guest.root.is_connected())
        .await;
    assert!(!held.is_dropped());
    held.open(reply(200, &updated(&guest.sent("PATCH")[0])));
    guest.until("the response", |_| held.is_dropped()).await;
}

#[wasm_bindgen_test]
async fn queued_decisions_are_still_delivered() {
    let (first, second) = (Gate::default(), Gate::default());
    let guest = Guest::open("leads", three);
    guest.loaded().await;
    guest.answers({
        let (first, second) = (first.clone(), second.clone());
        let was_held = AtomicBool::new(false);
        move |request| match &request.url {
            url if url.ends_with("l1") && !was_held.swap(true, Ordering::Relaxed) => {
                Turn::Hold(first.clone())
            }
            url if url.ends_with("l2") => Turn::Hold(second.clone()),
            url if url.ends_with("l1") => ok(&updated(request)),
            _ => three(request),
        }
    });
    guest.decide("Approve", 1).await;
    guest.decide("Reject", 2).await;
    guest
        .until("sent", |guest| guest.sent("PATCH").len() == 2)
        .await;
    guest.decide("Approve", 3).await;
    guest.shown.unmount();
    let sent = guest.sent("PATCH");
    assert_eq!(sent.len(), 2, "at most two requests at a time");
    // After a rate limit, the request is sent again, and then the rest.
    first.open(Ok(HttpResponse {
        retry_after: Some(Duration::from_secs(1)),
        ..reply(429, &json!({"detail": "busy"})).unwrap()
    }));
    guest
        .until("the rest", |guest| {
            let sent = guest.sent("PATCH");
            sent.iter().any(|request| request.url.ends_with("l3"))
        })
        .await;
    second.open(reply(200, &updated(&sent[1])));
}

#[wasm_bindgen_test]
async fn a_confirmed_deletion_is_sent_and_may_fail() {
    let held = Gate::default();
    let guest = Guest::open("leads", three);
    guest.loaded().await;
    guest.answers({
        let held = held.clone();
        move |request| match request.method.as_str() {
            "DELETE" => Turn::Hold(held.clone()),
            _ => three(request),
        }
    });
    let grid = guest.the("[role=grid]");
    press_key(&grid, "j");
    press_key(&grid, "Delete");
    guest
        .until("the confirmation", |guest| {
            guest.find("[role=alertdialog] .danger").is_some()
        })
        .await;
    guest.click("[role=alertdialog] .danger");
    guest
        .until("the deletion", |guest| {
            guest.all("[data-lead-id]").len() == 2
        })
        .await;
    assert!(guest.sent("DELETE").is_empty(), "it can be cancelled");
    guest.shown.unmount();
    guest
        .until("sent", |guest| guest.sent("DELETE").len() == 1)
        .await;
    held.open(reply(409, &json!({"detail": "in use"})));
    guest.until("the response", |_| held.is_dropped()).await;
    // A panic would have surfaced by now.
    TimeoutFuture::new(50).await;
    let next = Guest::open("leads", three);
    next.loaded().await;
    assert!(next.find("#stopped").is_none());
}
