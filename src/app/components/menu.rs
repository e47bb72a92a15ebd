//! A menu by the ARIA pattern of menu buttons: arrow keys, Home, End and letters move between its items.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

use super::dom::{El, button, div, effect, span};
use super::keycaps::keycaps;

const ITEMS: &str = "[role^=menuitem]";

/// Renders a menu. The caller adds the items, and closes it: on Escape, Tab, a press elsewhere, or a picked item.
/// Focuses the last item if `from_end`, else the first.
pub fn menu(label: &str, from_end: bool, items: impl IntoIterator<Item = El>) -> El {
    let menu = div()
        .class("menu-list")
        .attr("role", "menu")
        .attr("aria-label", label)
        .children(items);
    let node = menu.node();
    effect({
        let node = node.clone();
        move || {
            let all = all(&node);
            let first = if from_end { all.last() } else { all.first() };
            focus(first);
        }
    });
    menu.on(ev::keydown, move |event| {
        let all = all(&node);
        let active = node.owner_document().and_then(|of| of.active_element());
        let here = all
            .iter()
            .position(|item| active.as_ref() == Some(item.as_ref()));
        let next = here.map_or(0, |here| here + 1);
        let there = match event.key().as_str() {
            "ArrowDown" | "ArrowRight" => next % all.len().max(1),
            "ArrowUp" | "ArrowLeft" => {
                let here = here.filter(|here| *here > 0);
                here.unwrap_or(all.len()).saturating_sub(1)
            }
            "Home" => 0,
            "End" => all.len().saturating_sub(1),
            key if is_letter(key, &event) => {
                // The next item that begins with the letter, from the top again at the end.
                let begins = |item: &HtmlElement| {
                    let text = item.text_content().unwrap_or_default().to_lowercase();
                    text.starts_with(&key.to_lowercase())
                };
                let order = (next..all.len()).chain(0..next);
                let mut found = order.filter(|at| all.get(*at).is_some_and(begins));
                let Some(found) = found.next() else { return };
                found
            }
            _ => return,
        };
        event.prevent_default();
        focus(all.get(there));
    })
}

/// Renders an item. The caller adds what it does.
pub fn item(icon: Option<El>, label: &str, caps: &[String]) -> El {
    menu_item(button().attr("role", "menuitem"), icon, label)
        .child((!caps.is_empty()).then(|| keycaps(caps)))
}

/// Renders an item that is a choice: only one in its group is checked.
pub fn choice(label: &str, is_checked: impl Fn() -> bool + 'static) -> El {
    let item = button()
        .attr("role", "menuitemradio")
        .attr("aria-checked", move || is_checked().to_string());
    menu_item(item, None, label)
}

/// Gives an element the content and style of an item. The menu is a single tab stop.
pub fn menu_item(item: El, icon: Option<El>, label: &str) -> El {
    item.class("menu-item")
        .attr("tabindex", "-1")
        .child(icon)
        .child(span().class("label").child(label))
}

/// Renders a group of items.
pub fn group(label: &str, items: impl IntoIterator<Item = El>) -> El {
    div()
        .class("menu-group")
        .attr("role", "group")
        .attr("aria-label", label)
        .children(items)
}

fn all(menu: &Element) -> Vec<HtmlElement> {
    let Ok(found) = menu.query_selector_all(ITEMS) else {
        return Vec::new();
    };
    let items = (0..found.length()).filter_map(|at| found.item(at));
    items.map(|item: Node| item.unchecked_into()).collect()
}

fn focus(item: Option<&HtmlElement>) {
    if let Some(item) = item {
        let _ = item.focus();
    }
}

fn is_letter(key: &str, event: &web_sys::KeyboardEvent) -> bool {
    let plain = !(event.ctrl_key() || event.meta_key() || event.alt_key());
    plain && key.chars().count() == 1 && key != " "
}
