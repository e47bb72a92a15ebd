//! The account pulse embedded in a host page: what it shows, the events it sends, and that unmounting leaves nothing
//! behind.

use std::cell::RefCell;
use std::rc::Rc;

use lead_workspace::app::state::session::Connection;
use lead_workspace::client::HttpRequest;
use lead_workspace::embed::{AccountPulse, HostOptions};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::embed::{Guest, page_state, with_key};
use crate::hosted::Hosted;
use crate::stage::{Gate, Turn, ok, status, three};
use crate::unmount::watch;

/// A pulse embedded in a host page.
type Beat = Hosted<AccountPulse>;

fn going(request: &HttpRequest) -> Turn {
    let of = request.url.split('/').nth(3).unwrap_or_default();
    ok(&json!({
        "total_leads": 8, "leads_with_conversations": 4, "leads_replied": 1,
        "classification_counts": {"interested": 1},
        "best_signal": {"lead_id": "l1", "lead_name": format!("Ada of {of}"), "classification": "interested"},
        "campaigns": [{"campaign_id": "c1", "campaign_name": "Ports", "lead_count": 1}],
        "lead_campaigns": {"l7": ["c1"]},
    }))
}

#[wasm_bindgen_test]
async fn it_shows_the_account_and_emits_lead_events() {
    let before = page_state();
    let events: Rc<RefCell<Vec<String>>> = Rc::default();
    let sink = Rc::clone(&events);
    let host = HostOptions {
        on_navigate: Some(Rc::new(move |view| sink.borrow_mut().push(view.into()))),
        ..with_key("accounts?account=a1")
    };
    let beat = Beat::open_as(host, |request| match request.url.ends_with("/pulse") {
        true => going(request),
        false => ok(&json!({"name": "Halden", "leads": [{"lead_id": "l7", "name": "Cy Moreau"}]})),
    });
    let stage = &beat.stage;
    stage
        .until("the pulse", |stage| stage.says("Ada of a1"))
        .await;
    assert_eq!(
        stage.attr("svg[role=img]", "aria-label"),
        "Funnel: Leads 8, In conversation 4 (50% of leads), Replied 1 (25% of conversations)."
    );
    assert!(stage.find(".bar").is_none(), "only the pulse");
    stage.click("a.signal");
    stage
        .until("an event", |_| !events.borrow().is_empty())
        .await;
    assert_eq!(*events.borrow(), ["leads?lead=l1"]);
    assert!(stage.says("Ada of a1"), "it stays where it is");

    // The leads of a campaign are requested only when it is opened.
    assert_eq!(stage.sent("GET").len(), 1);
    stage.click("summary");
    stage
        .until("the name", |stage| stage.says("Cy Moreau"))
        .await;

    assert!(beat.shown.show("a2").is_ok());
    stage
        .until("another", |stage| stage.says("Ada of a2"))
        .await;
    assert_eq!(
        events.borrow().len(),
        1,
        "its own navigation emits no event"
    );
    assert_eq!(page_state(), before);
}

#[wasm_bindgen_test]
async fn unmount_removes_everything() {
    let watch = watch();
    let held = Gate::default();
    let holds = held.clone();
    let beat = Beat::open_as(with_key("accounts?account=a1"), move |_| {
        Turn::Hold(holds.clone())
    });
    beat.stage
        .until("the request", |stage| stage.sent("GET").len() == 1)
        .await;
    assert_eq!(beat.stage.attr("[role=region]", "aria-busy"), "true");
    assert!(watch.listeners() > 0, "the observer sees nothing");
    beat.shown.unmount();
    assert_eq!(watch.listeners(), 0);
    watch.settled().await;
    assert!(held.is_dropped());
    assert_eq!(watch.timers(), 0);
    watch.end();
    let root = beat.root();
    assert_eq!(root.child_element_count(), 0);
    beat.shown.unmount();
    assert!(beat.shown.show("a2").is_err());
    assert!(beat.shown.set_theme("dark").is_err());
}

#[wasm_bindgen_test]
async fn a_lead_listener_may_unmount_the_pulse() {
    let slot: Rc<RefCell<Option<Rc<AccountPulse>>>> = Rc::default();
    let taken = Rc::clone(&slot);
    let host = HostOptions {
        on_navigate: Some(Rc::new(move |_| {
            if let Some(pulse) = taken.borrow_mut().take() {
                pulse.unmount();
            }
        })),
        ..with_key("accounts?account=a1")
    };
    let beat = Beat::open_as(host, going);
    *slot.borrow_mut() = Some(Rc::clone(&beat.shown));
    beat.stage
        .until("the pulse", |stage| stage.says("Ada of a1"))
        .await;
    beat.stage.click("a.signal");
    beat.stage
        .until("the unmount", |stage| !stage.root.is_connected())
        .await;
}

#[wasm_bindgen_test]
async fn several_pulses_on_a_page_are_independent() {
    let one = Beat::open_as(with_key("accounts?account=a1"), going);
    let other = Beat::open_as(with_key("accounts?account=a2"), |_| {
        status(500, &json!({"detail": "out of order"}))
    });
    let review = Guest::open("leads", three);
    review.loaded().await;
    one.stage
        .until("the pulse", |stage| stage.says("Ada of a1"))
        .await;
    other
        .stage
        .until("the failure", |stage| stage.says("The service failed"))
        .await;
    one.stage.press("Show as table");
    one.stage
        .until("the table", |stage| stage.find("table").is_some())
        .await;
    other.stage.answers(going);
    other.stage.press("Retry");
    other
        .stage
        .until("the pulse", |stage| stage.says("Ada of a2"))
        .await;
    assert!(other.stage.find("table").is_none());
    one.shown.unmount();
    assert!(other.stage.says("Ada of a2") && review.says("Lead 2"));
}

#[wasm_bindgen_test]
async fn a_missing_key_or_account_is_reported() {
    let host = HostOptions {
        connection: Connection::default(),
        ..with_key("accounts?account=a1")
    };
    let beat = Beat::open_as(host, going);
    let stage = &beat.stage;
    stage
        .until("alert", |stage| stage.says("Not connected yet"))
        .await;
    assert!(stage.find("dialog[open]").is_none());
    stage.press("Enter the key");
    stage
        .until("dialog", |stage| stage.find("dialog:modal").is_some())
        .await;
    stage.type_in("dialog input", "lwk_1_typed");
    stage.press("Use this key");
    stage
        .until("the pulse", |stage| stage.says("Ada of a1"))
        .await;

    let beat = Beat::open_as(with_key("accounts"), going);
    beat.stage
        .until("alert", |stage| stage.says("No account chosen"))
        .await;
    assert!(beat.stage.sent("GET").is_empty());
}
