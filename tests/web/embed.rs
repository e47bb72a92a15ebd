//! The review embedded in a host page: what it shows, the events it sends, and what it leaves behind.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Function;
use lead_workspace::app::components::crash_screen::stopped;
use lead_workspace::app::model::route::Route;
use lead_workspace::app::state::decisions::events::SavedDecision;
use lead_workspace::app::state::session::Connection;
use lead_workspace::client::HttpRequest;
use lead_workspace::embed::{HostOptions, LeadReview};
use serde_json::json;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, window};

use crate::hosted::Hosted;
use crate::stage::{Turn, body, ok, page, status, three};

/// A review embedded in a host page.
pub type Guest = Hosted<LeadReview>;

impl Guest {
    pub fn open(view: &str, script: impl Fn(&HttpRequest) -> Turn + Send + Sync + 'static) -> Self {
        Self::open_as(with_key(view), script)
    }
}

pub fn with_key(view: &str) -> HostOptions {
    HostOptions {
        connection: Connection {
            key: Some("lwk_1_host".into()),
            ..Connection::default()
        },
        view: Route::from_view(view).unwrap(),
        ..HostOptions::default()
    }
}

/// Returns the state of the page apart from its content.
pub fn page_state() -> String {
    let read = Function::new_no_args(
        "return JSON.stringify([
             location.href, history.length, history.state, document.title, { ...localStorage }, { ...sessionStorage },
             [...document.documentElement.attributes].map((attribute) => attribute.name),
             [...document.head.children].length,
         ]);",
    );
    let state = read.call0(&JsValue::NULL).unwrap();
    state.as_string().unwrap()
}

#[wasm_bindgen_test]
async fn the_host_page_is_not_changed() {
    let before = page_state();
    let guest = Guest::open("leads?tab=all", three);
    guest.loaded().await;
    assert!(
        body(&guest.sent("POST")[0])["filters"]
            .as_array()
            .is_none_or(Vec::is_empty)
    );
    guest.press("Name");
    guest.click("[role=tab]");
    guest.type_in("[role=searchbox]", "ada");
    guest
        .until("searched", |guest| {
            let searches = |request: &HttpRequest| body(request)["search"] == "ada";
            guest.sent("POST").iter().any(searches)
        })
        .await;
    guest.loaded().await;
    guest.decide("Approve", 2).await;
    guest.until("saved", |guest| guest.says("All saved")).await;
    guest.press("Accounts");
    guest
        .until("accounts", |guest| {
            guest.find("[aria-label='Search accounts']").is_some()
        })
        .await;
    assert_eq!(page_state(), before);
    drop(guest);
    assert_eq!(page_state(), before);
}

#[wasm_bindgen_test]
async fn the_browser_asks_before_a_page_with_unsaved_decisions_is_left() {
    let asks = || {
        let script = "return !dispatchEvent(new Event('beforeunload', {cancelable: true}))";
        let asks = Function::new_no_args(script).call0(&JsValue::NULL);
        asks.unwrap().as_bool().unwrap()
    };
    let guest = Guest::open("leads", |request| match request.method.as_str() {
        "PATCH" => status(403, &json!({"detail": "no"})),
        _ => three(request),
    });
    guest.loaded().await;
    assert!(!asks());
    guest.decide("Approve", 1).await;
    guest
        .until("refused", |guest| guest.says("wasn't accepted"))
        .await;
    assert!(asks());
    drop(guest);
    assert!(!asks());
}

#[wasm_bindgen_test]
async fn the_language_and_direction_of_the_page_are_its_own() {
    let root = window().unwrap().document().unwrap().document_element();
    let root = root.unwrap();
    root.set_attribute("dir", "rtl").unwrap();
    let guest = Guest::open("leads", three);
    guest.loaded().await;
    root.remove_attribute("dir").unwrap();
    let around = guest.find("[dir=ltr][lang=en] .app, [dir=ltr][lang=en].app");
    assert!(around.is_some());
}

#[wasm_bindgen_test]
async fn the_page_gets_events_for_saved_decisions() {
    let received: Rc<RefCell<Vec<SavedDecision>>> = Rc::default();
    let sink = Rc::clone(&received);
    let host = HostOptions {
        on_decision: Some(Rc::new(move |kept| sink.borrow_mut().push(kept))),
        ..with_key("leads")
    };
    let guest = Guest::open_as(host, |request| match request.method.as_str() {
        "PATCH" if request.url.ends_with("l1") => status(500, &json!({"detail": "busy"})),
        _ => three(request),
    });
    guest.loaded().await;
    guest.decide("Approve", 1).await;
    guest
        .until("failed", |guest| guest.says("1 decision not confirmed"))
        .await;
    guest.decide("Reject", 2).await;
    guest
        .until("saved", |_| !received.borrow().is_empty())
        .await;
    guest.press("Undo");
    guest
        .until("undone", |_| received.borrow().len() == 2)
        .await;
    let kept = |status: &str, previous: &str| SavedDecision {
        lead_id: "l2".into(),
        status: status.into(),
        previous: previous.into(),
    };
    let wanted = [
        kept("rejected", "pending_approval"),
        kept("pending_approval", "rejected"),
    ];
    assert_eq!(
        *received.borrow(),
        wanted,
        "unsaved decisions emit no event"
    );
}

#[wasm_bindgen_test]
async fn the_page_gets_navigation_events_and_can_navigate() {
    let received: Rc<RefCell<Vec<String>>> = Rc::default();
    let sink = Rc::clone(&received);
    let host = HostOptions {
        on_navigate: Some(Rc::new(move |view| sink.borrow_mut().push(view.into()))),
        ..with_key("leads?tab=all")
    };
    let guest = Guest::open_as(host, three);
    guest.loaded().await;
    guest.press("Name");
    guest
        .until("an event", |_| !received.borrow().is_empty())
        .await;
    assert_eq!(*received.borrow(), ["leads?tab=all&sort=name"]);
    assert!(guest.shown.navigate("accounts").is_ok());
    guest
        .until("accounts", |guest| {
            guest.find("[aria-label='Search accounts']").is_some()
        })
        .await;
    guest.press("Leads");
    guest
        .until("an event", |_| received.borrow().len() == 2)
        .await;
    assert_eq!(
        received.borrow()[1],
        "leads",
        "its own navigation emits no event"
    );
    assert!(guest.shown.navigate("nowhere").is_err());
}

#[wasm_bindgen_test]
async fn two_reviews_on_a_page_are_independent() {
    let left = Guest::open("leads?q=left", three);
    let right = Guest::open("accounts", |request| {
        if request.url.contains("accounts") {
            ok(&json!({"total": 1, "data": [{"id": "a1", "name": "Halden"}]}))
        } else {
            ok(&page(5..6, 1))
        }
    });
    left.loaded().await;
    right.until("accounts", |right| right.says("Halden")).await;
    left.decide("Approve", 2).await;
    left.until("saved", |left| left.says("All saved")).await;
    right.press("Leads");
    right.loaded().await;
    assert!(right.find("[data-lead-id=l5]").is_some());
    assert_eq!(left.all("[data-lead-id]").len(), 3);
    right.shown.unmount();
    left.press("Name");
    left.until("sorted", |left| {
        left.sent("POST")
            .iter()
            .any(|request| body(request)["sort_by"] == "name")
    })
    .await;
    assert!(
        left.sent("POST")
            .iter()
            .all(|request| !request.url.contains("accounts"))
    );
}

#[wasm_bindgen_test]
async fn no_dialog_opens_over_the_page_unasked() {
    let before = page_state();
    let host = HostOptions {
        connection: Connection::default(),
        ..with_key("leads")
    };
    let guest = Guest::open_as(host, three);
    guest
        .until("alert", |guest| guest.says("Not connected yet"))
        .await;
    assert!(guest.find("dialog[open]").is_none());
    guest.press("Enter the key");
    guest
        .until("dialog", |guest| guest.find("dialog:modal").is_some())
        .await;
    guest.type_in("dialog input", "lwk_1_typed");
    guest.press("Use this key");
    guest.loaded().await;
    let key = ("authorization", "Bearer lwk_1_typed".to_owned());
    assert!(guest.sent("POST")[0].headers.contains(&key));
    guest.answers(|_| status(401, &json!({"detail": "unknown key"})));
    guest.press("Refresh");
    guest
        .until("the error", |guest| guest.says("does not accept this key"))
        .await;
    assert!(guest.find("dialog[open]").is_none());
    assert_eq!(page_state(), before, "no key is stored");
}

#[wasm_bindgen_test]
async fn the_given_connection_is_used() {
    let connection = |key: &str| Connection {
        base: "https://workspace.example/".into(),
        key: Some(key.into()),
        tenant: Some("t1".into()),
        ..Connection::default()
    };
    let host = |key: &str| HostOptions {
        connection: connection(key),
        ..with_key("leads")
    };
    let guest = Guest::open_as(host("lwk_1_x"), three);
    guest.loaded().await;
    let sent = &guest.sent("POST")[0];
    assert_eq!(sent.url, "https://workspace.example/api/leads/query");
    assert!(sent.headers.contains(&("x-tenant-id", "t1".into())));
    let guest = Guest::open_as(host("two words"), three);
    guest
        .until("the error", |guest| guest.says("The key contains a space"))
        .await;
    assert!(guest.sent("POST").is_empty());
}

#[wasm_bindgen_test]
async fn a_fatal_error_covers_the_reviews_but_not_the_page() {
    let guests = [Guest::open("leads", three), Guest::open("leads", three)];
    stopped("a fault");
    stopped("another");
    for guest in &guests {
        assert_eq!(guest.all("#stopped").len(), 1);
        assert!(guest.says("a fault"));
        assert!(
            guest.find("#stopped a").is_none(),
            "a review must not reload its host page"
        );
    }
    let document = window().unwrap().document().unwrap();
    assert!(document.get_element_by_id("stopped").is_none());
}

#[wasm_bindgen_test]
async fn the_search_key_works_in_the_shadow_tree() {
    let theirs: HtmlElement = {
        let document = window().unwrap().document().unwrap();
        let input: HtmlElement = document.create_element("input").unwrap().unchecked_into();
        input.set_attribute("role", "searchbox").unwrap();
        document
            .body()
            .unwrap()
            .prepend_with_node_1(&input)
            .unwrap();
        input
    };
    let guest = Guest::open("leads", three);
    guest.loaded().await;
    let grid = guest.the("[role=grid]");
    grid.unchecked_ref::<HtmlElement>().focus().unwrap();
    crate::grid::key(&grid, "/");
    guest
        .until("the search", |_| {
            let active = guest.root().active_element();
            active.is_some_and(|active| active.matches("[role=searchbox]").unwrap())
        })
        .await;
    theirs.remove();
}
