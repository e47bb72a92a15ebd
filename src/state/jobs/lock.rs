//! Waiting for a lock that one tab of the browser holds at a time.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;

use crate::state::decisions::locks;

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
    let Some((locks, request)) = locks() else {
        return Held(None);
    };
    let release = Rc::new(RefCell::new(None));
    let kept = Rc::clone(&release);
    // Settled when it is given back, be that before it was ever granted.
    let given_back = Promise::new(&mut move |settle, _| *kept.borrow_mut() = Some(settle));
    let held = Held(release.take());
    let granted = Promise::new(&mut |tell, _| {
        let given_back = given_back.clone();
        let granted = Closure::once_into_js(move || -> JsValue {
            let _ = tell.call0(&JsValue::NULL);
            given_back.into()
        });
        let _ = request.call2(&locks, &name.into(), &granted);
    });
    let _ = JsFuture::from(granted).await;
    held
}
