//! Style isolation of the embedded review, with the real style sheet.

use js_sys::encode_uri_component;
use lead_workspace::app::state::theme::Colors;
use lead_workspace::embed::HostOptions;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, window};

use crate::embed::{Guest, with_key};
use crate::stage::three;

/// Host styles that try to override everything.
const ODD: &str = "
  * { letter-spacing: 3px; text-transform: uppercase; font: italic 30px serif; color: red; --ink-2: red }
  :root, body { --text: 40px; --surface: red; --line: 9px; color-scheme: dark }
  button, a, input, dialog, .row, .bar { background: red !important; border: 9px solid red !important }
  #main, .page { display: none !important }
";

/// The style sheet, joined as the build does it.
const SHEET: &str = concat!(
    include_str!("../../www/style/1-tokens.css"),
    include_str!("../../www/style/2-page.css"),
    include_str!("../../www/style/3-list.css"),
    include_str!("../../www/style/4-filters.css"),
    include_str!("../../www/style/5-grid.css"),
    include_str!("../../www/style/6-over.css"),
    include_str!("../../www/style/8-states.css"),
    include_str!("../../www/style/9-narrow.css"),
    include_str!("../../www/style/later/2-details.css"),
    include_str!("../../www/style/later/3-dialogs.css"),
);

fn style_sheet() -> String {
    let text = String::from(encode_uri_component(SHEET));
    format!("data:text/css,{text}")
}

fn styled(view: &str) -> HostOptions {
    HostOptions {
        style: Some(style_sheet()),
        theme: Colors::Light,
        ..with_key(view)
    }
}

async fn shown(host: HostOptions) -> Guest {
    let guest = Guest::open_as(host, three);
    guest.loaded().await;
    guest
        .until("styled", |guest| !guest.root.has_attribute("hidden"))
        .await;
    guest
}

/// Returns every computed style property of an element as one text.
fn look(element: &Element) -> String {
    let style = window()
        .unwrap()
        .get_computed_style(element)
        .unwrap()
        .unwrap();
    // Firefox also lists custom properties, in any order.
    let names = (0..style.length()).map(|index| style.item(index));
    let all = names.filter(|name| !name.starts_with("--")).map(|name| {
        let value = style.get_property_value(&name).unwrap();
        format!("{name}: {value}\n")
    });
    all.collect()
}

fn page_styled(css: &str) -> Element {
    let document = window().unwrap().document().unwrap();
    let style = document.create_element("style").unwrap();
    style.set_text_content(Some(css));
    document.head().unwrap().append_child(&style).unwrap();
    style
}

const PARTS: [&str; 7] = [
    ".bar nav a",
    "[role=searchbox]",
    "[role=tab]",
    "[role=row][data-lead-id]",
    ".who b",
    "[aria-label='Approve Lead 1']",
    ".footer",
];

#[wasm_bindgen_test]
async fn page_styles_do_not_affect_the_review() {
    let guest = shown(styled("leads")).await;
    guest
        .around
        .style()
        .set_property("width", "1200px")
        .unwrap();
    guest
        .around
        .style()
        .set_property("height", "700px")
        .unwrap();
    guest
        .until("wide", |guest| guest.find("[data-kind=leads]").is_some())
        .await;
    guest.point_at("l1").await;
    let looks = || PARTS.map(|part| look(&guest.the(part)));
    let before = looks();
    let odd = page_styled(ODD);
    let after = looks();
    odd.remove();
    for ((part, before), after) in PARTS.iter().zip(&before).zip(&after) {
        let changed = before.lines().zip(after.lines()).find(|(a, b)| a != b);
        assert_eq!(changed, None, "{part}");
    }
}

#[wasm_bindgen_test]
async fn review_styles_do_not_affect_the_page() {
    let document = window().unwrap().document().unwrap();
    let page = document.create_element("main").unwrap();
    page.set_id("main");
    page.set_inner_html("<h2>Page</h2><button class='main'>Press</button><a href='#'>Go</a><div class='row'>Row</div><dialog open>Talk</dialog>");
    document.body().unwrap().append_child(&page).unwrap();
    let parts = page.query_selector_all("*").unwrap();
    let looks = || -> Vec<String> {
        let all = (0..parts.length()).map(|index| {
            use wasm_bindgen::JsCast;
            look(parts.get(index).unwrap().unchecked_ref())
        });
        let root = document.document_element().unwrap();
        let body = document.body().unwrap();
        all.chain([look(&root), look(&body)]).collect()
    };
    let before = looks();
    let guest = shown(styled("leads")).await;
    // The review makes the page taller, and the height is part of the compared styles.
    guest
        .around
        .style()
        .set_property("display", "none")
        .unwrap();
    assert!(before == looks(), "the page looks different");
    page.remove();
}

#[wasm_bindgen_test]
async fn the_requested_theme_is_used() {
    let guest = shown(styled("leads")).await;
    let ground = || {
        let style = window()
            .unwrap()
            .get_computed_style(&guest.root)
            .unwrap()
            .unwrap();
        style.get_property_value("background-color").unwrap()
    };
    let light = ground();
    assert!(guest.shown.set_theme("dark").is_ok());
    guest.until("dark", |_| ground() != light).await;
    assert!(guest.shown.set_theme("light").is_ok());
    guest.until("light", |_| ground() == light).await;
    assert!(guest.shown.set_theme("pink").is_err());
    let root = window()
        .unwrap()
        .document()
        .unwrap()
        .document_element()
        .unwrap();
    assert!(!root.has_attribute("data-theme"));
}

#[wasm_bindgen_test]
async fn a_narrow_container_shows_cards_on_any_screen() {
    let guest = shown(styled("leads")).await;
    let width = |width: &str| guest.around.style().set_property("width", width).unwrap();
    width("380px");
    guest
        .until("cards", |guest| {
            guest.find("[data-kind=cards] .card").is_some()
        })
        .await;
    width("900px");
    guest
        .until("rows", |guest| {
            guest.find("[data-kind=leads] .row").is_some()
        })
        .await;
}

#[wasm_bindgen_test]
async fn a_missing_style_sheet_does_not_block_the_review() {
    let host = HostOptions {
        style: Some("data:text/plain,no".into()),
        ..with_key("leads")
    };
    shown(host).await;
}
