//! Nodes of the host page, which stay in its own tree: its style sheets apply to them.

use std::cell::Cell;
use std::sync::Arc;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

thread_local! {
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// A node of the page, shown where the review has a slot with this name. Dropping it removes the node.
pub(super) struct SlottedNode {
    pub name: Arc<str>,
    around: Element,
}

impl SlottedNode {
    pub fn new(host: &Element, node: &Node) -> Option<Self> {
        LAST.set(LAST.get().wrapping_add(1));
        let name = ["lead-workspace-", &LAST.get().to_string()].concat();
        let around = document().create_element("div").ok()?;
        // Through the CSSOM: a CSP may forbid style attributes.
        let style = around.unchecked_ref::<HtmlElement>().style();
        style.set_property("display", "contents").ok()?;
        around.set_attribute("slot", &name).ok()?;
        around.append_child(node).ok()?;
        host.append_child(&around).ok()?;
        Some(Self {
            name: name.into(),
            around,
        })
    }
}

impl Drop for SlottedNode {
    fn drop(&mut self) {
        self.around.remove();
    }
}
