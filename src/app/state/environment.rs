//! The browser's environment: connection, screen width, and what the page's policy forbids.

use crate::app::reactive::RwSignal;
use js_sys::Reflect;
use leptos::ev::{offline, online, resize};
use leptos::prelude::*;
use web_sys::Url;

/// Up to this width leads are shown as cards.
const NARROW: &str = "(max-width: 600px)";

/// The same limit for the app's element in a host page, in pixels.
pub const NARROW_PX: i32 = 600;

#[derive(Clone, Copy)]
pub struct Environment {
    pub online: RwSignal<bool>,
    /// Whether the screen is as narrow as a phone's.
    pub narrow: RwSignal<bool>,
    /// Origins to which the page's Content-Security-Policy forbade requests. The policy does not change while the page
    /// is open.
    forbidden: RwSignal<Vec<String>>,
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

    /// Follows the connection and the reports of the page's policy. The caller provides the width.
    pub fn new(narrow: RwSignal<bool>) -> Self {
        let is_online = RwSignal::new(window().navigator().on_line());
        let on = window_event_listener(online, move |_| {
            is_online.set(true);
        });
        let off = window_event_listener(offline, move |_| {
            is_online.set(false);
        });
        let forbidden = RwSignal::new(Vec::new());
        let policy = window_event_listener_untyped("securitypolicyviolation", move |event| {
            let text = |name: &str| Reflect::get(&event, &name.into()).ok()?.as_string();
            let is_enforced = text("disposition").as_deref() == Some("enforce");
            if !is_enforced || text("effectiveDirective").as_deref() != Some("connect-src") {
                return;
            }
            let Some(origin) = text("blockedURI").and_then(|address| origin(&address)) else {
                return;
            };
            if forbidden.try_with_untracked(|all| all.contains(&origin)) == Some(false) {
                forbidden.try_update(|all| all.push(origin));
            }
        });
        on_cleanup(move || {
            on.remove();
            off.remove();
            policy.remove();
        });
        Self {
            online: is_online,
            narrow,
            forbidden,
        }
    }

    /// Returns whether the page's policy forbade a request to a workspace, tracked. The browser reports it shortly after
    /// the request has failed.
    pub fn is_forbidden(self, base: &str) -> bool {
        origin(base).is_some_and(|origin| self.forbidden.with(|all| all.contains(&origin)))
    }
}

/// Returns the origin of an absolute URL.
fn origin(address: &str) -> Option<String> {
    Url::new(address).ok().map(|url| url.origin())
}

fn is_narrow() -> bool {
    window()
        .match_media(NARROW)
        .ok()
        .flatten()
        .is_some_and(|query| query.matches())
}
