//! A face, or the initials in its place.

use leptos::prelude::*;

/// Initials, and the picture over them once it is there. The initials are drawn by the style
/// sheet, so that they are no part of the name for those who hear the page.
#[component]
pub fn Avatar(
    /// Up to two letters.
    initials: String,
    /// The picture, where it is wanted. It must be safe to load.
    #[prop(optional_no_strip)]
    picture: Option<String>,
) -> impl IntoView {
    let picture = picture.map(|source| {
        view! {
            <img src=source alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer"
                on:error=take_away />
        }
    });
    view! { <i class="avatar" data-initials=initials>{picture}</i> }
}

/// A picture that does not come leaves the initials to be seen.
fn take_away(event: web_sys::ErrorEvent) {
    event_target::<web_sys::HtmlElement>(&event).remove();
}
