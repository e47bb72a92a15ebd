//! Loads the style sheet of lazily loaded parts.

use std::cell::RefCell;

use js_sys::Promise;
use leptos::prelude::document;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Element;

/// The link to the first sheet. The later one is inserted right after it.
const FIRST: &str = "link[href$='/style.css']";

/// The link to the later sheet.
const LATER: &str = "link[href$='/later.css']";

#[derive(Clone)]
enum StyleSheet {
    Missing,
    Loading(Promise),
    Here,
}

thread_local! {
    static SHEET: RefCell<StyleSheet> = const { RefCell::new(StyleSheet::Missing) };
}

/// Loads the sheet unless it is loaded. Returns whether it is available. The next call retries after a failure.
pub async fn load() -> bool {
    let loading = match SHEET.with_borrow(StyleSheet::clone) {
        StyleSheet::Here => return true,
        StyleSheet::Loading(loading) => loading,
        StyleSheet::Missing => link(),
    };
    SHEET.set(StyleSheet::Loading(loading.clone()));
    let is_here = JsFuture::from(loading).await.is_ok();
    SHEET.set(if is_here {
        StyleSheet::Here
    } else {
        StyleSheet::Missing
    });
    if !is_here && let Ok(Some(failed)) = document().query_selector(LATER) {
        failed.remove();
    }
    is_here
}

/// Links the sheet to the page. The promise settles when the browser has loaded it, or failed to.
fn link() -> Promise {
    Promise::new(&mut |here, failed| {
        if let Err(error) = append(&here, &failed) {
            // Calling the reject function of a pending promise cannot fail.
            let _ = failed.call1(&JsValue::UNDEFINED, &error);
        }
    })
}

fn append(here: &js_sys::Function, failed: &js_sys::Function) -> Result<(), JsValue> {
    let first = document().query_selector(FIRST)?.ok_or(JsValue::NULL)?;
    let address = first.get_attribute("href").unwrap_or_default();
    let link: Element = document().create_element("link")?;
    link.set_attribute("rel", "stylesheet")?;
    link.set_attribute("href", &address.replace("style.css", "later.css"))?;
    link.add_event_listener_with_callback("load", here)?;
    link.add_event_listener_with_callback("error", failed)?;
    first.after_with_node_1(&link)
}
