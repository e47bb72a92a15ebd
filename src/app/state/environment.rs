//! The browser's environment: connection and screen width.

use leptos::ev::{offline, online, resize};
use leptos::prelude::*;

/// Up to this width leads are shown as cards.
const NARROW: &str = "(max-width: 600px)";

/// The same limit for the app's element in a host page, in pixels.
pub const NARROW_PX: i32 = 600;

#[derive(Clone, Copy)]
pub struct Environment {
    pub online: RwSignal<bool>,
    /// Whether the screen is as narrow as a phone's.
    pub narrow: RwSignal<bool>,
}

impl Environment {
    /// Reads both, and follows their changes under the current owner.
    pub fn start() -> Self {
        let narrow = RwSignal::new(is_narrow());
        let width = window_event_listener(resize, move |_| {
            if narrow
                .try_get_untracked()
                .is_some_and(|was| was != is_narrow())
            {
                narrow.set(is_narrow());
            }
        });
        on_cleanup(move || width.remove());
        Self::new(narrow)
    }

    /// Reads and follows the connection. The caller provides the width.
    pub fn new(narrow: RwSignal<bool>) -> Self {
        let is_online = RwSignal::new(window().navigator().on_line());
        let on = window_event_listener(online, move |_| {
            is_online.try_set(true);
        });
        let off = window_event_listener(offline, move |_| {
            is_online.try_set(false);
        });
        on_cleanup(move || {
            on.remove();
            off.remove();
        });
        Self {
            online: is_online,
            narrow,
        }
    }
}

fn is_narrow() -> bool {
    window()
        .match_media(NARROW)
        .ok()
        .flatten()
        .is_some_and(|query| query.matches())
}
