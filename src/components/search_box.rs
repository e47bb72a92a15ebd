//! The search box.

use gloo_timers::callback::Timeout;
use leptos::html;
use leptos::prelude::*;

use super::icon::{Cross, Magnifier};

/// How long the keys must rest before the search begins, in milliseconds.
const REST: u32 = 150;

/// A search that begins by itself when the keys rest, and at once on Enter.
#[component]
pub fn SearchBox(
    /// The name of the box, e.g. "Search leads".
    label: &'static str,
    /// What can be searched.
    hint: &'static str,
    /// The search that is shown now.
    #[prop(into)]
    search: Signal<String>,
    /// Another search is wanted.
    on_search: impl Fn(String) + Copy + 'static,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let typed = RwSignal::new(search.get_untracked());
    let timer = StoredValue::new_local(None::<Timeout>);
    let send = move || {
        timer.set_value(None);
        let wanted = typed.get_untracked();
        if wanted != search.get_untracked() {
            on_search(wanted);
        }
    };
    // Back and Forward change the search, too; while somebody types, the box is theirs.
    Effect::new(move |_| {
        let wanted = search.get();
        let waits = timer.with_value(Option::is_some);
        if !waits && typed.get_untracked() != wanted {
            typed.set(wanted);
        }
    });
    let type_text = move |event| {
        typed.set(event_target_value(&event));
        timer.set_value(Some(Timeout::new(REST, send)));
    };
    let clear = move |_| {
        typed.set(String::new());
        send();
        if let Some(input) = input.get_untracked() {
            let _ = input.focus();
        }
    };
    on_cleanup(move || {
        timer.try_update_value(Option::take);
    });
    view! {
        <form class="search" role="search" on:submit=move |event| { event.prevent_default(); send() }>
            <Magnifier />
            <input type="search" role="searchbox" node_ref=input aria-label=label placeholder=hint
                autocomplete="off" spellcheck="false" enterkeyhint="search"
                prop:value=move || typed.get() on:input=type_text />
            <button type="button" class="quiet clear" aria-label="Clear the search"
                hidden=move || typed.with(String::is_empty) on:click=clear>
                <Cross />
            </button>
        </form>
    }
}
