//! Local and session storage.

use js_sys::global;
use wasm_bindgen::JsCast;
use web_sys::Storage;

use crate::client::property;

/// The browser's local storage, unless it is missing or forbidden.
pub fn local() -> Option<Storage> {
    storage("localStorage")
}

/// The tab's session storage, unless it is missing or forbidden.
pub fn session() -> Option<Storage> {
    storage("sessionStorage")
}

/// Returns the names of the slots that begin with `prefix`.
pub fn names(storage: &Storage, prefix: &str) -> Vec<String> {
    let all = 0..storage.length().unwrap_or_default();
    all.filter_map(|index| storage.key(index).ok()?)
        .filter(|name| name.starts_with(prefix))
        .collect()
}

/// Reading the property of a page without a permission throws.
fn storage(name: &str) -> Option<Storage> {
    property(&global(), name).map(JsCast::unchecked_into)
}
