//! The line above the list: what many changes at once are. The list takes them when the user wants it to.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::app::components::dom::{El, button, div, effect};
use crate::app::components::format;
use crate::app::reactive::StoredValue;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;

pub fn live_line(app: AppState) -> El {
    let text = move || {
        let follower = app.live.follower();
        let text = follower.map(|follower| {
            let count = |leads| format::count(leads, "lead");
            follower.news.with(|news| news.text(count))
        });
        text.unwrap_or_default()
    };
    let line = div().class("live-line").attr("role", "status").child(
        button()
            .class("quiet")
            .child(move || {
                let (what, offer) = text();
                [&*what, ". ", offer].concat()
            })
            .on(ev::click, move |_| {
                app.leads.refresh();
                // The line is removed.
                app.leads.grid_selection.focus_list();
            }),
    );
    let node = line.node();
    let place = StoredValue::new(None::<Place>);
    // Deferred, because the line is not in the document yet.
    effect(move || {
        if place.with_value(Option::is_none) {
            place.set_value(Place::make(&node));
        }
    });
    on_cleanup(move || {
        place.try_update_value(Option::take);
    });
    line
}

/// Where the line is. The rows stay where they are on the screen: they scroll by the height of the line, or it is below
/// them.
struct Place {
    board: Element,
    scrolled: Option<(Element, i32)>,
}

impl Place {
    fn make(line: &Element) -> Option<Self> {
        let board = line.closest(".board").ok().flatten()?;
        let grid = board.query_selector(".grid").ok().flatten()?;
        // A card is as high as the view.
        if grid.get_attribute("data-kind").as_deref() == Some("cards") {
            return Some(Self {
                board,
                scrolled: None,
            });
        }
        let height = line.unchecked_ref::<HtmlElement>().offset_height();
        // The view is smaller by the line already.
        let left = grid.scroll_height() - grid.client_height() - grid.scroll_top();
        if left < height {
            // Setting an attribute with a valid name cannot fail.
            let _ = board.set_attribute("data-line", "below");
            return Some(Self {
                board,
                scrolled: None,
            });
        }
        scroll(&grid, height);
        Some(Self {
            board,
            scrolled: Some((grid, height)),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Removing an attribute cannot fail.
        let _ = self.board.remove_attribute("data-line");
        if let Some((grid, height)) = &self.scrolled {
            scroll(grid, -height);
        }
    }
}

/// Scrolls at once, also where the style sheet asks for smooth scrolling.
fn scroll(grid: &Element, by: i32) {
    let style = grid.unchecked_ref::<HtmlElement>().style();
    // Both set and remove a known property.
    let _ = style.set_property("scroll-behavior", "auto");
    grid.set_scroll_top(grid.scroll_top() + by);
    let _ = style.remove_property("scroll-behavior");
}

lazy!(lazy_live_line: list, small, first, "News", live_line);
