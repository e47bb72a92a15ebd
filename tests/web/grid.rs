//! The grid: the markup that other code relies on, and the requests that clicks send.

use gloo_timers::future::TimeoutFuture;
use js_sys::Function;
use serde_json::json;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, window};

use crate::stage::{Gate, Stage, Turn, address, body, ok, page, reply, three};

#[wasm_bindgen_test]
fn the_first_query_is_sent_before_the_page_is_rendered() {
    let stage = Stage::open("/leads", |_| Turn::Hold(Gate::default()));
    assert_eq!(stage.sent("POST").len(), 1);
}

#[wasm_bindgen_test]
async fn the_grid_has_the_documented_structure() {
    let stage = Stage::open("/leads", |_| ok(&page(1..51, 120)));
    stage.loaded().await;
    assert_eq!(stage.attr("[role=grid]", "aria-label"), "Leads");
    assert_eq!(stage.attr("[role=grid]", "aria-rowcount"), "121");
    let rows = stage.all("[role=row][data-lead-id]").len();
    assert!((20..=60).contains(&rows), "{rows}");
    let row = "[role=row][data-lead-id=l1]";
    assert_eq!(stage.attr(row, "aria-rowindex"), "2");
    assert_eq!(stage.attr(row, "data-status"), "pending_approval");
    let cells = stage.all(&format!("{row} [role=gridcell]"));
    assert!(
        cells[0]
            .query_selector("input[type=checkbox]")
            .unwrap()
            .is_some()
    );
    let texts = cells.iter().map(|cell| cell.text_content().unwrap());
    let texts: Vec<String> = texts.collect();
    assert_eq!(texts[1..4], ["80", "Lead 1", "Title 1"]);
    let names = cells
        .iter()
        .map(|cell| cell.get_attribute("data-column").unwrap());
    let names: Vec<String> = names.collect();
    assert_eq!(
        names.join(","),
        "select,fit,name,title,company,signal,status"
    );
    let headers: Vec<String> = stage
        .all("[role=columnheader]:not(:has(input))")
        .iter()
        .map(|button| button.text_content().unwrap())
        .collect();
    let wanted = "Fit,Name,Title,Company,Why now,Status";
    assert_eq!(headers.join(","), wanted);
    assert!(stage.find("[data-lead-id] button").is_none());
    stage.point_at("l1").await;
    assert!(stage.find("button[aria-label='Approve Lead 1']").is_some());
    assert!(stage.find("button[aria-label='Reject Lead 1']").is_some());
    assert!(
        stage
            .find("[role=searchbox][aria-label='Search leads']")
            .is_some()
    );
    let tabs: Vec<String> = stage
        .all("[role=tab]")
        .iter()
        .map(|tab| tab.text_content().unwrap())
        .collect();
    for (tab, word) in tabs
        .iter()
        .zip(["Pending", "Approved", "Rejected", "Filtered", "All"])
    {
        assert!(tab.starts_with(word), "{tab}");
    }
}

#[wasm_bindgen_test]
async fn the_key_is_removed_from_the_address_at_once() {
    let stage = Stage::open("/leads?tab=all", three);
    assert_eq!(address(), "/leads?tab=all");
    stage.loaded().await;
    let sent = &stage.sent("POST")[0];
    assert!(
        sent.headers
            .contains(&("authorization", "Bearer lwk_1_first".into()))
    );
    assert!(!sent.url.contains("lwk"));
}

#[wasm_bindgen_test]
async fn a_header_sorts_and_updates_the_address() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.press("Name");
    stage
        .until("sorted", |stage| {
            stage
                .sent("POST")
                .iter()
                .any(|request| body(request)["sort_by"] == "name")
        })
        .await;
    assert_eq!(address(), "/leads?sort=name");
    let name = stage.all("[role=columnheader]").swap_remove(2);
    assert_eq!(name.get_attribute("aria-sort").unwrap(), "ascending");
    window().unwrap().history().unwrap().back().unwrap();
    stage.until("the address", |_| address() == "/leads").await;
    stage
        .until("unsorted", |_| {
            name.get_attribute("aria-sort").unwrap() == "none"
        })
        .await;
}

#[wasm_bindgen_test]
async fn old_rows_are_busy_until_new_rows_arrive() {
    let gate = Gate::default();
    let stage = Stage::open("/leads", |_| ok(&page(1..51, 50)));
    stage.loaded().await;
    stage.answers({
        let gate = gate.clone();
        // The tab counts may be requested only now.
        move |request| match body(request)["sort_by"] == "name" {
            true => Turn::Hold(gate.clone()),
            false => ok(&page(1..51, 50)),
        }
    });
    stage.press("Name");
    stage
        .until("busy", |stage| {
            stage.attr("[role=grid]", "aria-busy") == "true"
        })
        .await;
    assert!(stage.find("[data-lead-id=l1]").is_some());
    gate.open(reply(200, &page(51..101, 50)));
    stage
        .until("the answer", |stage| {
            stage.find("[data-lead-id=l51]").is_some()
        })
        .await;
    assert_eq!(stage.attr("[role=grid]", "aria-busy"), "false");
    assert_eq!(stage.attr("[data-lead-id=l51]", "aria-rowindex"), "2");
}

#[wasm_bindgen_test]
async fn the_next_page_is_requested_before_it_is_reached() {
    let stage = Stage::open("/leads", |request| {
        let first = body(request)["page"].as_u64().unwrap_or(1) * 50 - 49;
        ok(&page(first..first + 50, 1000))
    });
    stage.loaded().await;
    let requested = |stage: &Stage, number: u64| {
        let sent = stage.sent("POST");
        sent.iter()
            .filter(|request| body(request)["page"] == number && body(request)["page_size"] == 50)
            .count()
    };
    stage
        .until("the next page", |stage| requested(stage, 2) == 1)
        .await;
    TimeoutFuture::new(50).await;
    assert_eq!(
        requested(&stage, 4),
        0,
        "not more than one page beyond the rows drawn"
    );
    assert_eq!(
        requested(&stage, 1),
        1,
        "loaded pages are not requested again"
    );
    let rows = stage.all("[role=row]").len();
    assert!(rows <= 61, "{rows}");
}

#[wasm_bindgen_test]
async fn a_late_response_is_ignored() {
    let late = Gate::default();
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    stage.answers({
        let late = late.clone();
        move |request| match body(request)["search"].as_str() {
            Some("slow") => Turn::Hold(late.clone()),
            Some("fast") => ok(&page(7..8, 1)),
            _ => three(request),
        }
    });
    stage.type_in("[role=searchbox]", "slow");
    stage
        .until("the request", |stage| {
            stage
                .sent("POST")
                .iter()
                .any(|request| body(request)["search"] == "slow")
        })
        .await;
    stage.type_in("[role=searchbox]", "fast");
    stage
        .until("found", |stage| stage.find("[data-lead-id=l7]").is_some())
        .await;
    assert!(late.is_dropped(), "the older request is aborted");
    late.open(reply(200, &page(9..10, 1)));
    TimeoutFuture::new(30).await;
    assert!(stage.find("[data-lead-id=l9]").is_none());
    assert_eq!(address(), "/leads?q=fast");
}

#[wasm_bindgen_test]
async fn rows_reuse_their_nodes() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    let before = stage.all("[data-lead-id]");
    stage.answers(|_| {
        let mut page = page(1..4, 3);
        page["data"][1]["name"] = json!("Renamed");
        ok(&page)
    });
    stage.press("Refresh");
    stage.until("renamed", |stage| stage.says("Renamed")).await;
    let after = stage.all("[data-lead-id]");
    assert_eq!(before, after);
}

#[wasm_bindgen_test]
async fn hostile_text_is_rendered_as_text() {
    let stage = Stage::open("/leads", |_| {
        ok(&json!({"total": 2, "data": [
            {"lead_id": "<b>", "name": "<img src=x onerror=alert(1)>", "profile_url": "javascript:alert(1)", "approval_status": "\"><script>"},
            {"lead_id": "l2", "name": "Ada", "profile_url": "https://n.example/in/ada"},
        ]}))
    });
    stage.loaded().await;
    assert!(stage.says("<img src=x onerror=alert(1)>"));
    assert!(stage.find("img[onerror], script").is_none());
    // A link under the pointer would be where a click opens the details.
    for id in ["<b>", "l2"] {
        stage.point_at(id).await;
        assert_eq!(stage.all("a[target=_blank]").len(), 0, "{id}");
    }
}

#[wasm_bindgen_test]
async fn accounts_have_their_own_grid() {
    let stage = Stage::open("/leads", |request| {
        if request.url.contains("accounts") {
            ok(&json!({"total": 1, "data": [{"id": "a1", "name": "Halden", "lead_count": 3}]}))
        } else {
            three(request)
        }
    });
    stage.loaded().await;
    stage.press("Accounts");
    stage
        .until("accounts", |stage| {
            stage.find("[data-account-id=a1]").is_some()
        })
        .await;
    assert_eq!(address(), "/accounts");
    assert_eq!(stage.attr("[role=grid]", "aria-label"), "Accounts");
    assert!(stage.find("[aria-label='Search accounts']").is_some());
    window().unwrap().history().unwrap().back().unwrap();
    stage.loaded().await;
}

/// Dispatches a keydown event.
pub fn key(at: &Element, key: &str) {
    let press = Function::new_with_args(
        "at, key",
        "at.dispatchEvent(new KeyboardEvent('keydown', \
         { key, code: key, bubbles: true, cancelable: true, composed: true }))",
    );
    press.call2(&JsValue::NULL, at, &key.into()).unwrap();
}

#[wasm_bindgen_test]
async fn enter_on_a_header_sorts_by_that_column() {
    let stage = Stage::open("/leads?tab=all&cols=company.name", three);
    stage.loaded().await;
    let grid = stage.the("[role=grid]");
    grid.unchecked_ref::<HtmlElement>().focus().unwrap();
    key(&grid, "ArrowUp");
    key(&grid, "ArrowUp");
    let here = || {
        let id = grid
            .get_attribute("aria-activedescendant")
            .unwrap_or_default();
        let header = stage.find(&format!("[role=columnheader][id='{id}']"));
        header.map(|header| header.text_content().unwrap_or_default().trim().to_owned())
    };
    stage.until("the header", |_| here().is_some()).await;
    for _ in 0..12 {
        if here().as_deref() == Some("Company") {
            break;
        }
        key(&grid, "ArrowRight");
        TimeoutFuture::new(20).await;
    }
    assert_eq!(here().as_deref(), Some("Company"));
    key(&grid, "Enter");
    let sorted = "[role=columnheader]:is([aria-sort=ascending], [aria-sort=descending])";
    let name = |stage: &Stage| stage.find(sorted).and_then(|header| header.text_content());
    stage
        .until("sorted", |stage| {
            name(stage).is_some_and(|name| name.trim() == "Company")
        })
        .await;
}

#[wasm_bindgen_test]
async fn a_link_to_the_current_page_adds_no_history_entry() {
    let stage = Stage::open("/leads", three);
    stage.loaded().await;
    let before = window().unwrap().history().unwrap().length().unwrap();
    stage.press("Leads");
    TimeoutFuture::new(50).await;
    assert_eq!(
        window().unwrap().history().unwrap().length().unwrap(),
        before
    );
}
