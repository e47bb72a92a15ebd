//! Status tabs above the lead list.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::dom::{El, a, div, span};
use super::format;
use super::links::is_plain;
use crate::app::model::lead_tab::{Tab, TabCounts};
use crate::app::reactive::RwSignal;

/// Renders one tab for each status, with its lead count. Each tab is a link, so that it can be opened in a new
/// browser tab. `href` returns the URL of a tab.
pub fn tab_bar(
    current: impl Fn() -> Tab + Copy + 'static,
    counts: RwSignal<TabCounts>,
    href: impl Fn(Tab) -> String + Copy + 'static,
    on_select: impl Fn(Tab) + Copy + 'static,
) -> El {
    let tabs = Tab::ALL.map(|tab| {
        let selected = move || current() == tab;
        let count = span().child(move || {
            let count = counts.with(|counts| counts.get(tab));
            count.map_or_else(String::new, format::number)
        });
        a().attr("role", "tab")
            .attr("href", move || href(tab))
            .attr("aria-selected", move || selected().to_string())
            .attr("tabindex", move || {
                if selected() { "0" } else { "-1" }.to_owned()
            })
            .on(ev::click, move |event| {
                if is_plain(&event) {
                    event.prevent_default();
                    on_select(tab);
                }
            })
            .child(tab.label())
            .child(" ")
            .child(count)
    });
    let nodes = Tab::ALL.map(|tab| tabs[tab as usize].node());
    div()
        .class("tabs")
        .attr("role", "tablist")
        .attr("aria-label", "Status")
        .children(tabs)
        .on(ev::keydown, move |event| {
            let last = Tab::ALL.len() - 1;
            let here = untrack(current) as usize;
            let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
            let there = match key.as_deref() {
                Some("ArrowRight") => (here + 1) % (last + 1),
                Some("ArrowLeft") => (here + last) % (last + 1),
                Some("Home") => 0,
                Some("End") => last,
                _ => return,
            };
            event.prevent_default();
            on_select(Tab::ALL[there]);
            let _ = nodes[there].unchecked_ref::<HtmlElement>().focus();
        })
}
