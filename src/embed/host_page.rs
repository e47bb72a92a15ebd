//! What the host page adds to the review: columns, actions, a section in the details of a lead, and listeners. Its code is
//! loaded after the first rows; only the columns themselves, which the first rows have a place for, are read before.

use js_sys::{Array, Function, JSON, Object, Reflect};
use lead_workspace_api::json;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::console;

use crate::app::components::dom::{El, div};
use crate::app::model::columns::{AddedSpec, ColumnSource, ColumnSpec, MAX_WIDTH, MIN_WIDTH};
use crate::app::reactive::{StoredValue, effect_now, memo};
use crate::app::shell::lazy::{self, lazy};
use crate::app::state::AppState;
use crate::client::property;

mod actions;
mod cells;
mod events;
mod section;
mod slot;

#[wasm_bindgen]
extern "C" {
    /// What the host page adds: the members of `MountOptions` that may change while the review is mounted.
    #[wasm_bindgen(typescript_type = "HostPage")]
    pub type HostPage;

    /// `String(value)`.
    #[wasm_bindgen(js_name = "String")]
    fn text_of(value: &JsValue) -> String;
}

/// What the review is called without a name of the host page.
const THIS_PAGE: &str = "This page";

/// Applies what the page gave, now and whenever it gives something else.
pub(super) fn connect(app: AppState) {
    let (host, added, leads) = (app.host, app.views.added, app.leads);
    let before = StoredValue::new(JsValue::NULL);
    effect_now(move || {
        let given = host.get(|parts| parts.given.clone());
        if before.with_value(|before| *before == given) {
            return;
        }
        before.set_value(given.clone());
        let name = property(&given, "hostName").and_then(|name| name.as_string());
        let name = name.filter(|name| !name.trim().is_empty());
        let name = name.unwrap_or_else(|| THIS_PAGE.to_owned());
        host.update(|parts| {
            let is_new = parts.name != name;
            parts.name = name;
            is_new
        });
        let columns: Vec<_> = columns(&given).into_iter().map(|(spec, _)| spec).collect();
        if !columns.is_empty() {
            leads.keeps_items.set_value(true);
        }
        added.maybe_update(|added| {
            let is_new = added.columns.host != columns;
            added.columns.host = columns;
            is_new
        });
    });
}

/// Renders nothing. Starts what the page adds, once it adds something and the first rows are shown.
pub(super) fn when_given(app: AppState) -> El {
    let is_given = memo(move |was: Option<&bool>| {
        was == Some(&true) || app.host.get(|parts| !parts.given.is_undefined())
    });
    div().attr("hidden", "").child(move || {
        is_given
            .get()
            .then(|| lazy::after(lazy::first_rows(app), app, lazy_host_page))
    })
}

pub(super) fn host_page(app: AppState) -> El {
    cells::start(app);
    actions::start(app);
    section::start(app);
    events::start(app);
    div()
}

lazy!(lazy_host_page: list, part, first, "What this page adds", host_page);

/// Returns the columns that the page gave, each with its function. One without an id, a label or a function is left out, and
/// so is a second one with the same id.
fn columns(given: &JsValue) -> Vec<(&'static ColumnSpec, Function)> {
    let mut all: Vec<(&'static ColumnSpec, Function)> = Vec::new();
    for column in list(given, "columns") {
        let text = |name| property(&column, name).and_then(|text| text.as_string());
        let value = property(&column, "value").and_then(|value| value.dyn_into().ok());
        let (Some(key), Some(label), Some(value)) = (text("id"), text("label"), value) else {
            continue;
        };
        let width = property(&column, "width").and_then(|width| width.as_f64());
        let spec = AddedSpec {
            source: ColumnSource::Host,
            key,
            label,
            width: width.map(|width| (width as u32).clamp(MIN_WIDTH, MAX_WIDTH)),
            number: text("align").as_deref() == Some("end"),
            is_sorted: false,
        };
        let spec = spec.spec();
        if all.iter().all(|(other, _)| other.id != spec.id) {
            all.push((spec, value));
        }
    }
    all
}

/// Returns the elements of a member that is an array.
fn list(given: &JsValue, name: &str) -> Vec<JsValue> {
    let list = property(given, name).filter(Array::is_array);
    list.map_or_else(Vec::new, |list| Array::from(&list).to_vec())
}

/// Returns a member that is a function.
fn function(given: &JsValue, name: &str) -> Option<Function> {
    property(given, name)?.dyn_into().ok()
}

/// Returns a model as a plain object, as the client of JavaScript returns it.
fn plain(model: &impl Serialize) -> JsValue {
    let value = serde_json::to_value(model).unwrap_or_default();
    // It is JSON.
    JSON::parse(&json::text(&value)).unwrap_or_default()
}

/// Returns a new object with these members.
fn object(members: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in members {
        // Setting a member of a new object cannot fail.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object
}

/// Returns what the page threw, in words.
fn message(thrown: &JsValue) -> String {
    let text = property(thrown, "message").and_then(|message| message.as_string());
    let text = text.or_else(|| thrown.as_string());
    text.filter(|text| !text.trim().is_empty())
        .unwrap_or_else(|| "it gave no reason".to_owned())
}

fn warn(text: &str) {
    console::warn_1(&["lead-workspace: ", text].concat().into());
}
