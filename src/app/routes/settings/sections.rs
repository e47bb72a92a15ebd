//! The sections of the settings, and the links to them.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::app::components::dom::{El, a, div, element, h2, p, section};
use crate::app::components::links::is_plain;
use crate::app::reactive::RwSignal;

/// A section is current from this many pixels below the top of the page.
const CURRENT_BELOW: f64 = 120.0;

/// Renders a section with its title and description. The caller adds a `div` with the class `fields`.
pub fn part(title: &str, text: &str) -> El {
    let id = id_of(title);
    let head = div()
        .class("about")
        .child(h2().attr("id", &id).attr("tabindex", "-1").child(title))
        .child(p().child(text));
    section().attr("aria-labelledby", &id).child(head)
}

fn id_of(title: &str) -> String {
    ["part-", title.split(' ').next().unwrap_or_default()].concat()
}

/// Renders the links to the sections, and the sections, into the element that scrolls them.
pub fn sections(scroller: El, parts: Vec<(&'static str, El)>) -> El {
    let current = RwSignal::new(0);
    let nodes: Vec<Element> = parts.iter().map(|(_, part)| part.node()).collect();
    let links = parts.iter().enumerate().map(|(at, (title, _))| {
        let node = nodes[at].clone();
        let href = ["#", &id_of(title)].concat();
        a().attr("href", &href)
            .attr("aria-current", move || (current.get() == at).to_string())
            .child(*title)
            .on(ev::click, move |event| {
                if !is_plain(&event) {
                    return;
                }
                // The address stays: it says what is shown, not where it is scrolled to.
                event.prevent_default();
                current.set(at);
                node.scroll_into_view();
                if let Ok(Some(title)) = node.query_selector("h2") {
                    let _ = title.unchecked_into::<HtmlElement>().focus();
                }
            })
    });
    let links = element("nav")
        .class("section-links")
        .attr("aria-label", "Sections")
        .children(links);
    let node = scroller.node();
    let follow = move |_| {
        let top = node.get_bounding_client_rect().top();
        let is_above = |part: &Element| part.get_bounding_client_rect().top() < top + CURRENT_BELOW;
        let passed = nodes.iter().rposition(is_above).unwrap_or(0);
        // At the end, the sections that follow may be too short to get to the top.
        let is_at_end = node.scroll_top() + node.client_height() >= node.scroll_height() - 1;
        let now = match is_at_end {
            true => passed.max(current.get_untracked()),
            false => passed,
        };
        if current.get_untracked() != now {
            current.set(now);
        }
    };
    let parts = div()
        .class("parts-of-settings")
        .children(parts.into_iter().map(|(_, part)| part));
    scroller.child(links).child(parts).on(ev::scroll, follow)
}
