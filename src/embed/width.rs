//! The width of the place, which is not that of the screen.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

use crate::signal::RwSignal;
use crate::state::surroundings::NARROW_PX;

/// Whether an element is as narrow as a phone, followed until the owner goes.
pub fn narrow(element: &Element) -> RwSignal<bool> {
    let narrow = RwSignal::new(is_narrow(element));
    let watched = element.clone();
    let changed = Closure::<dyn FnMut()>::new(move || {
        let is = is_narrow(&watched);
        if narrow.try_get_untracked().is_some_and(|was| was != is) {
            narrow.set(is);
        }
    });
    if let Ok(observer) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
        observer.observe(element);
        // Kept by the owner, and gone with it.
        StoredValue::new_local(Watch(observer, changed));
    }
    narrow
}

fn is_narrow(element: &Element) -> bool {
    // What is not shown has no width, and may get any.
    (1..=NARROW_PX).contains(&element.client_width())
}

struct Watch(
    ResizeObserver,
    #[expect(dead_code, reason = "the observer calls it")] Closure<dyn FnMut()>,
);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.disconnect();
    }
}
