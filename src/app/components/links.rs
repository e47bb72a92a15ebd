//! Links within the app.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, MouseEvent};

use super::dom::{El, a, button};
use crate::app::model::route::Route;

/// Renders a link within the app. Plain clicks are handled by the app, clicks with a modifier by the browser.
pub fn route_link(
    label: &str,
    href: impl Fn() -> String + 'static,
    current: impl Fn() -> bool + 'static,
    on_navigate: impl Fn() + 'static,
) -> El {
    a().child(label)
        .attr("href", href)
        .attr("aria-current", move || {
            if current() { "page" } else { "false" }.to_owned()
        })
        .on(ev::click, move |event| {
            if is_plain(&event) {
                event.prevent_default();
                on_navigate();
            }
        })
}

/// Links to other places in the app.
#[derive(Clone)]
pub struct RouteLinks {
    /// Returns the URL of a place.
    pub href: Rc<dyn Fn(&Route) -> String>,
    pub navigate: Callback<Route>,
}

impl RouteLinks {
    pub fn link(&self, label: &str, route: Route) -> El {
        let navigate = self.navigate;
        a().attr("href", (self.href)(&route))
            .child(label)
            .on(ev::click, move |event| {
                if is_plain(&event) {
                    event.prevent_default();
                    // The parent of the link may be removed before the click bubbles up to it.
                    event.stop_propagation();
                    navigate.run(route.clone());
                }
            })
    }

    /// Returns a button in the style of a link.
    pub fn button(&self, label: &str, route: Route) -> El {
        let navigate = self.navigate;
        button()
            .class("link")
            .child(label)
            .on(ev::click, move |event| {
                event.stop_propagation();
                navigate.run(route.clone());
            })
    }
}

/// Returns whether a click is plain: the left button without a modifier, so not one that opens a new tab.
pub fn is_plain(event: &Event) -> bool {
    event.dyn_ref::<MouseEvent>().is_some_and(|event| {
        event.button() == 0
            && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
    })
}
