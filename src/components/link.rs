//! Links: to other places of the app, and away from it.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Event, MouseEvent};

use super::dom::{Action, El, button, el};
use super::icon;
use super::markup::Markup;
use crate::model::place::Place;

/// A link within the app. A plain click is ours; with a modifier it is the browser's.
pub fn place_link(
    label: &str,
    href: impl Fn() -> String + 'static,
    current: impl Fn() -> bool + 'static,
    on_go: impl Fn() + 'static,
) -> El {
    el("a")
        .text(label)
        .attr_of("href", href)
        .attr_of("aria-current", move || {
            if current() { "page" } else { "false" }.to_owned()
        })
        .on("click", move |event| {
            if is_plain(&event) {
                event.prevent_default();
                on_go();
            }
        })
}

/// Ways to other places of the app.
#[derive(Clone)]
pub struct Ways {
    /// The address of a place.
    pub href: Rc<dyn Fn(&Place) -> String>,
    /// A place is wanted.
    pub go: Action<Place>,
}

impl Ways {
    /// A link to a place.
    pub fn link(&self, label: &str, place: Place) -> El {
        let go = Rc::clone(&self.go);
        el("a")
            .attr("href", &(self.href)(&place))
            .text(label)
            .on("click", move |event| {
                if is_plain(&event) {
                    event.prevent_default();
                    // What the link stands in may be gone before the click gets there.
                    event.stop_propagation();
                    go(place.clone());
                }
            })
    }

    /// A quiet button to a place.
    pub fn button(&self, label: &str, place: Place) -> El {
        let go = Rc::clone(&self.go);
        button("link", label).on("click", move |event| {
            event.stop_propagation();
            go(place.clone());
        })
    }
}

/// Whether a click asks for nothing special, such as a new tab.
pub fn is_plain(event: &Event) -> bool {
    event.dyn_ref::<MouseEvent>().is_some_and(|event| {
        event.button() == 0
            && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
    })
}

/// A small link in a row, away from the app, to an address that is known to be safe. The label says
/// what it opens, e.g. "Profile of Ada Novak". The Tab key passes it over, as the grid is one stop: by
/// keyboard the same link is in the details of the row.
pub fn away_link(href: &str, label: String) -> Markup {
    Markup::classed("a", "away")
        .attr("href", href.to_owned())
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .attr("tabindex", "-1")
        .attr("aria-label", label.clone())
        .attr("title", label)
        .icon(icon::AWAY)
}
