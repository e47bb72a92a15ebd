//! Locks of the browser, which one tab holds at a time, and which go with the tab at the latest.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Function, Object, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A lock that is held, or waited for. Dropping it gives it to the next who waits.
pub struct Held(Option<Function>);

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            // Whoever waits for it cannot refuse.
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

/// Waits for a lock. Where the browser has none, nobody has to wait.
pub async fn wait(name: &str) -> Held {
    ask(name, false).await.unwrap_or(Held(None))
}

/// Takes a lock if it is free; nothing where it is not, and where the browser has none.
pub async fn take(name: &str) -> Option<Held> {
    ask(name, true).await
}

/// Whether the browser has locks.
pub fn are_there() -> bool {
    locks().is_some()
}

async fn ask(name: &str, if_free: bool) -> Option<Held> {
    let (locks, request) = locks()?;
    let release = RefCell::new(None);
    // Settled when it is given back, be that before it was ever granted.
    let given_back = Promise::new(&mut |settle, _| *release.borrow_mut() = Some(settle));
    let held = Held(release.take());
    let is_ours = Rc::new(Cell::new(false));
    let ours = Rc::clone(&is_ours);
    let options = Object::new();
    // Setting a member of a plain object cannot fail.
    let _ = Reflect::set(&options, &"ifAvailable".into(), &if_free.into());
    let granted = Promise::new(&mut |tell, _| {
        let (given_back, ours) = (given_back.clone(), Rc::clone(&ours));
        let granted = Closure::once_into_js(move |lock: JsValue| -> JsValue {
            ours.set(!lock.is_null());
            let _ = tell.call0(&JsValue::NULL);
            given_back.into()
        });
        let _ = request.call3(&locks, &name.into(), &options, &granted);
    });
    let _ = JsFuture::from(granted).await;
    is_ours.get().then_some(held)
}

/// The browser's locks, and how to ask for one.
fn locks() -> Option<(JsValue, Function)> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let locks = get(&window().navigator(), "locks").filter(JsValue::is_object)?;
    let request = get(&locks, "request")?.dyn_into().ok()?;
    Some((locks, request))
}
