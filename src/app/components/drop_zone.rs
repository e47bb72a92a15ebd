//! Drop zone for a file that is also a file picker.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, HtmlInputElement};

use super::dom::{El, b, element, input, span};
use super::icon;
use crate::app::reactive::RwSignal;

/// Renders the zone. `hint` says that a file can be dropped, on devices where that is possible. `about` says which files;
/// `accept` lists the file extensions that the picker offers.
pub fn drop_zone(
    label: &str,
    hint: &str,
    about: &str,
    accept: &str,
    on_file: Callback<File>,
) -> El {
    let over = RwSignal::new(false);
    let input = input()
        .class("visually-hidden")
        .attr("type", "file")
        .attr("accept", accept)
        .attr("aria-label", label);
    let node: HtmlInputElement = input.node().unchecked_into();
    let chosen = on_file;
    let input = input.on(ev::change, move |_| {
        if let Some(file) = node.files().and_then(|files| files.get(0)) {
            chosen.run(file);
        }
    });
    let hovers = move |is_over: bool| {
        move |event: DragEvent| {
            event.prevent_default();
            over.set(is_over);
        }
    };
    element("label")
        .class("drop")
        .attr("data-over", move || over.get().to_string())
        .on(ev::dragenter, hovers(true))
        .on(ev::dragover, hovers(true))
        .on(ev::dragleave, hovers(false))
        .on(ev::drop, move |event| {
            event.prevent_default();
            over.set(false);
            let files = event.data_transfer().and_then(|data| data.files());
            if let Some(file) = files.and_then(|files| files.get(0)) {
                on_file.run(file);
            }
        })
        .child(icon::upload())
        .child(b().child(label))
        .child(span().class("hint").child(hint))
        .child(span().child(about))
        .child(input)
}
