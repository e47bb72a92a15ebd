//! A short word on what was just done, with the way back.

use leptos::prelude::*;

/// The toast. Its place in the page is always there, so that what it says is heard.
#[component]
pub fn Toast(
    /// What was done; nothing while there is nothing to undo.
    #[prop(into)]
    text: Signal<Option<String>>,
    /// Take it back.
    on_undo: impl Fn() + Copy + Send + 'static,
) -> impl IntoView {
    view! {
        <div class="toasts" role="status">
            {move || text.get().map(|text| view! {
                <div class="toast">
                    <span>{text}</span>
                    <button type="button" on:click=move |_| on_undo()>"Undo"</button>
                </div>
            })}
        </div>
    }
}
