//! Links: to other places of the app, and away from it.

use leptos::ev::MouseEvent;
use leptos::prelude::*;

use super::icon::Away;

/// A link within the app. A plain click is ours; with a modifier it is the browser's.
#[component]
pub fn PlaceLink(
    /// Where it goes.
    #[prop(into)]
    href: Signal<String>,
    /// Whether we are there.
    #[prop(into)]
    current: Signal<bool>,
    /// A plain click.
    on_go: impl Fn() + 'static,
    /// What it says.
    children: Children,
) -> impl IntoView {
    view! {
        <a href=move || href.get() aria-current=move || current.get().then_some("page")
            on:click=move |event| if is_plain(&event) { event.prevent_default(); on_go() }>
            {children()}
        </a>
    }
}

/// Whether a click asks for nothing special, such as a new tab.
pub fn is_plain(event: &MouseEvent) -> bool {
    event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}

/// A small link away from the app, to an address that is known to be safe.
#[component]
pub fn AwayLink(
    /// The address.
    href: String,
    /// What it opens, e.g. "Profile of Ada Novak".
    label: String,
) -> impl IntoView {
    view! {
        <a class="away" href=href target="_blank" rel="noopener noreferrer" aria-label=label.clone() title=label>
            <Away />
        </a>
    }
}
