//! Drop zone for a file that is also a file picker.

use wasm_bindgen::JsCast;
use web_sys::{DragEvent, Event, File, HtmlInputElement};

use super::dom::{Action, El, classed, el};
use super::icon;
use crate::app::signal::RwSignal;

/// Renders the zone. `hint` says what can be dropped; `accept` lists the file extensions that the picker offers.
pub fn drop_zone(label: &str, hint: &str, accept: &str, on_file: Action<File>) -> El {
    let over = RwSignal::new(false);
    let input = classed("input", "heard")
        .attr("type", "file")
        .attr("accept", accept)
        .attr("aria-label", label);
    let node: HtmlInputElement = input.node().unchecked_into();
    let chosen = on_file.clone();
    let input = input.on("change", move |_| {
        if let Some(file) = node.files().and_then(|files| files.get(0)) {
            chosen(file);
        }
    });
    let hovers = move |is_over: bool| {
        move |event: Event| {
            event.prevent_default();
            over.set(is_over);
        }
    };
    classed("label", "drop")
        .attr_of("data-over", move || over.get().to_string())
        .on("dragenter", hovers(true))
        .on("dragover", hovers(true))
        .on("dragleave", hovers(false))
        .on("drop", move |event| {
            event.prevent_default();
            over.set(false);
            let event: DragEvent = event.unchecked_into();
            let files = event.data_transfer().and_then(|data| data.files());
            if let Some(file) = files.and_then(|files| files.get(0)) {
                on_file(file);
            }
        })
        .el(icon::upload())
        .el(el("b").text(label))
        .el(el("span").text(hint))
        .el(input)
}
