//! The tabs over the leads.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::format;
use super::link::is_plain;
use crate::model::tab::{Counts, Tab};

/// One tab for each status, with the number of its leads. Each is a link, so that it can be opened
/// in a place of its own.
#[component]
pub fn Tabs(
    /// The tab that is shown.
    #[prop(into)]
    current: Signal<Tab>,
    /// How many leads each one holds.
    #[prop(into)]
    counts: Signal<Counts>,
    /// The address of a tab.
    href: impl Fn(Tab) -> String + Copy + Send + Sync + 'static,
    /// Another tab is wanted.
    on_go: impl Fn(Tab) + Copy + 'static,
) -> impl IntoView {
    let nodes: [NodeRef<html::A>; 5] = Tab::ALL.map(|_| NodeRef::new());
    let step = move |event: KeyboardEvent| {
        let here = current.get_untracked() as usize;
        let there = match event.key().as_str() {
            "ArrowRight" => (here + 1) % Tab::ALL.len(),
            "ArrowLeft" => (here + Tab::ALL.len() - 1) % Tab::ALL.len(),
            "Home" => 0,
            "End" => Tab::ALL.len() - 1,
            _ => return,
        };
        event.prevent_default();
        on_go(Tab::ALL[there]);
        if let Some(node) = nodes[there].get_untracked() {
            let _ = node.focus();
        }
    };
    let tabs = Tab::ALL.map(|tab| {
        let selected = move || current.get() == tab;
        view! {
            <a role="tab" node_ref=nodes[tab as usize] href=move || href(tab)
                aria-selected=move || selected().to_string()
                tabindex=move || if selected() { "0" } else { "-1" }
                on:click=move |event| if is_plain(&event) { event.prevent_default(); on_go(tab) }>
                {tab.label()}
                " "
                <span>{move || counts.with(|counts| counts.of(tab)).map(format::number)}</span>
            </a>
        }
    });
    view! {
        <div class="tabs" role="tablist" aria-label="Status" on:keydown=step>
            {tabs.into_iter().collect_view()}
        </div>
    }
}
