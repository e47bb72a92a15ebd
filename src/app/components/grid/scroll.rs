//! Scrolling of the grid: keeps the window onto the list in sync with the scrollbar.

use std::ops::Range;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};

use super::Grid;
use crate::app::components::dom::{El, effect};
use crate::app::model::window::Window;
use crate::app::reactive::{Memo, RwSignal, Signal, StoredValue, memo};

/// Height of the page around a grid that fills it, in pixels.
const CHROME_HEIGHT: f64 = 160.0;

/// No row has this number.
const NOT_PLACED: u64 = u64::MAX;

/// Scroll state of a grid.
#[derive(Clone, Copy)]
pub(super) struct GridScroll {
    window: RwSignal<Window>,
    node: StoredValue<Element>,
    /// Height of the view without the header.
    view: RwSignal<f64>,
    /// Height of a row; `None` if each row is as high as the view.
    row: StoredValue<Option<Signal<u32>>>,
    /// The first row of the body when the scrollbar was last set; [`NOT_PLACED`] if the heights have changed since.
    first: StoredValue<u64>,
    /// The last known scroll position. Reading it from the element forces a layout.
    at: StoredValue<i32>,
    /// Dropped with the owner of the grid.
    _observer: StoredValue<Option<SizeObserver>>,
}

/// A resize observer that stops when it is dropped.
struct SizeObserver {
    observer: ResizeObserver,
    _listener: Closure<dyn FnMut()>,
}

impl Drop for SizeObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

impl GridScroll {
    /// Creates the scroll state of an element with a sticky header. Without a row height, each row is as high as the
    /// view.
    pub(super) fn attach(
        el: &El,
        head: &El,
        width: RwSignal<Option<u32>>,
        row: Option<Signal<u32>>,
    ) -> Self {
        let (node, head) = (el.node(), head.node());
        // Until the view is measured, its height is estimated from the window. Cards of no height would all be at the top, and
        // WebKit, which keeps a card in place when heights change, would keep any of them.
        let guess = window().inner_height().ok();
        let guess = guess.and_then(|height| height.as_f64());
        let size = RwSignal::new((guess.unwrap_or_default() - CHROME_HEIGHT).max(0.0));
        let measured = {
            let node = node.clone();
            move || {
                let head: &HtmlElement = head.unchecked_ref();
                let wide = u32::try_from(node.client_width()).ok();
                width.try_maybe_update(|width| {
                    let changed = *width != wide;
                    *width = wide;
                    (changed, ())
                });
                let view = f64::from(node.client_height() - head.offset_height()).max(0.0);
                if view > 0.0 && size.try_get_untracked().is_some_and(|was| was != view) {
                    size.set(view);
                }
            }
        };
        let listener = Closure::<dyn FnMut()>::new(measured);
        let observer = ResizeObserver::new(listener.as_ref().unchecked_ref()).ok();
        let observer = observer.map(|observer| {
            observer.observe(&node);
            SizeObserver {
                observer,
                _listener: listener,
            }
        });
        let window = match row {
            Some(_) => Window::default(),
            None => Window::for_cards(),
        };
        Self {
            window: RwSignal::new(window),
            node: StoredValue::new(node),
            view: size,
            row: StoredValue::new(row),
            first: StoredValue::new(0),
            at: StoredValue::new(0),
            _observer: StoredValue::new(observer),
        }
    }

    /// Returns the range of rows to keep in the DOM.
    pub(super) fn drawn(self) -> Memo<Range<u64>> {
        memo(move |_| self.window.with(Window::drawn))
    }

    /// Returns the range of rows in view.
    pub(super) fn seen(self) -> Memo<Range<u64>> {
        memo(move |_| self.window.with(Window::seen))
    }

    /// Returns the height of the body, which the scrollbar spans.
    pub(super) fn height(self) -> Memo<f64> {
        memo(move |_| self.window.with(Window::height))
    }

    pub(super) fn row(self) -> Memo<f64> {
        memo(move |_| self.window.with(Window::row))
    }

    /// Returns the position of the first row in the DOM.
    pub(super) fn offset(self) -> Memo<f64> {
        memo(move |_| {
            self.window
                .with(|window| window.top_of(window.drawn().start))
        })
    }

    /// Restores the scroll position if the same list was shown before, even if the cursor is out of view there.
    pub(super) fn begin(self, grid: &Grid) {
        if grid.query_id.get_untracked() != grid.seen_query_id.get_value() {
            return;
        }
        let seen = grid.seen.get_untracked();
        self.window.update(|window| window.begin(seen.start));
        let revealed = grid.reveal.get_untracked();
        if revealed.is_some_and(|index| !seen.contains(&index)) {
            grid.reveal.set(None);
        }
    }

    /// Follows changes of the list, requests to reveal a row, and switches to another list.
    pub(super) fn watch(self, grid: &Grid) {
        let (total, busy) = (grid.total, grid.busy);
        let (reveal, query_id, seen) = (grid.reveal, grid.query_id, grid.seen_query_id);
        effect(move || {
            let view = self.view.get();
            let row = self
                .row
                .get_value()
                .map_or(view, |row| f64::from(row.get()));
            let total = total.get();
            let resized = self.window.try_update(|window| {
                let before = window.heights();
                let to = window.resize(total, row, view);
                (to, before != window.heights())
            });
            let Some((to, is_resized)) = resized else {
                return;
            };
            if is_resized {
                self.first.set_value(NOT_PLACED);
            }
            self.scroll_to(Some(to));
        });
        effect(move || {
            if let Some(index) = reveal.get() {
                let to = self.window.try_maybe_update(|window| {
                    let to = window.reveal(index);
                    (to.is_some(), to)
                });
                self.scroll_to(to.flatten());
            }
        });
        // Another list starts at its top, once its rows are loaded.
        effect(move || {
            let current = query_id.get();
            if !busy.get() && seen.get_value() != current {
                seen.set_value(current);
                let to = self.window.try_update(Window::to_top);
                self.scroll_to(to);
            }
        });
    }

    /// Handles a scroll event.
    pub(super) fn scrolled(self) {
        let Some(node) = self.node.try_get_value() else {
            return;
        };
        let at = node.scroll_top();
        self.at.set_value(at);
        if self.moves() {
            return;
        }
        let corrected = self
            .window
            .try_update(|window| window.scrolled(f64::from(at)));
        self.scroll_to(corrected.flatten());
    }

    fn scroll_to(self, to: Option<f64>) {
        let (Some(to), Some(node)) = (to, self.node.try_get_value()) else {
            return;
        };
        let to = to as i32;
        if self.moves() {
            // The browser would snap to the old positions of the rows, or not get beyond the old height. Set the scrollbar after
            // they have moved.
            Timeout::new(0, move || self.jump(&node)).forget();
        } else if self.at.get_value() != to {
            self.at.set_value(to);
            node.set_scroll_top(to);
        }
    }

    /// Returns whether the rows are about to move within the body, and the scrollbar with them. Until then it is where the
    /// browser has put it, not the user.
    fn moves(self) -> bool {
        let first = self.window.try_with_untracked(Window::first);
        first.is_some_and(|first| self.first.try_get_value() != Some(first))
    }

    /// Sets the scrollbar to where the rows have moved, without smooth scrolling.
    fn jump(self, node: &Element) {
        let position = |window: &Window| (window.first(), window.scrollbar());
        if let Some((first, to)) = self.window.try_with_untracked(position) {
            self.first.set_value(first);
            self.at.set_value(to as i32);
            let style = node.unchecked_ref::<HtmlElement>().style();
            let _ = style.set_property("scroll-behavior", "auto");
            node.set_scroll_top(to as i32);
            let _ = style.remove_property("scroll-behavior");
        }
    }
}
