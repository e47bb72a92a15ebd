//! The width of the host element, which is not that of the screen.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

use crate::app::reactive::{RwSignal, StoredValue};
use crate::app::state::environment::NARROW_PX;

/// Returns whether an element is as narrow as a phone; updated until the owner is disposed. Calls `on_change` for every
/// change of its size.
pub fn narrow(element: &Element, on_change: impl Fn() + 'static) -> RwSignal<bool> {
    let narrow = RwSignal::new(is_narrow(element));
    let watched = element.clone();
    let changed = Closure::<dyn FnMut()>::new(move || {
        let is = is_narrow(&watched);
        if narrow.try_get_untracked().is_some_and(|was| was != is) {
            narrow.set(is);
        }
        on_change();
    });
    if let Ok(observer) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
        observer.observe(element);
        // Stored with the owner, and dropped with it.
        StoredValue::new(WidthObserver(observer, changed));
    }
    narrow
}

fn is_narrow(element: &Element) -> bool {
    // A hidden element has width 0 and may get any width later, so it does not count as narrow.
    (1..=NARROW_PX).contains(&element.client_width())
}

struct WidthObserver(
    ResizeObserver,
    #[expect(dead_code, reason = "the observer calls it")] Closure<dyn FnMut()>,
);

impl Drop for WidthObserver {
    fn drop(&mut self) {
        self.0.disconnect();
    }
}
