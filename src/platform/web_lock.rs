//! Web Locks: each is held by one tab at a time, and released at the latest when the tab is closed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Function, Object, Promise, Reflect, global};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;

use crate::client::browser::method;
use crate::client::property;

/// A lock that is held or waited for. Dropping it releases the lock.
pub struct LockGuard(Option<Function>);

impl Drop for LockGuard {
    fn drop(&mut self) {
        if let Some(release) = &self.0 {
            // Resolving the promise cannot fail.
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

/// Waits for a lock. Returns at once where the browser has no locks, or refuses them.
#[cfg(feature = "ui")]
pub async fn acquire(name: &str) -> LockGuard {
    request_lock(name, false).await.unwrap_or(LockGuard(None))
}

/// Takes a lock if it is free. `None` if it is not, or where the browser has no locks, or refuses them.
pub async fn try_acquire(name: &str) -> Option<LockGuard> {
    request_lock(name, true).await
}

/// Returns whether the browser has locks.
pub fn are_supported() -> bool {
    locks().is_some()
}

async fn request_lock(name: &str, if_free: bool) -> Option<LockGuard> {
    let (locks, request) = locks()?;
    let release = RefCell::new(None);
    // Resolved on release, even if the lock was never granted.
    let given_back = Promise::new(&mut |settle, _| *release.borrow_mut() = Some(settle));
    let held = LockGuard(release.take());
    let is_ours = Rc::new(Cell::new(false));
    let ours = Rc::clone(&is_ours);
    let options = Object::new();
    // Setting a member of a plain object cannot fail.
    let _ = Reflect::set(&options, &"ifAvailable".into(), &if_free.into());
    let granted = Promise::new(&mut |tell, refuse| {
        let (given_back, ours) = (given_back.clone(), Rc::clone(&ours));
        let granted = Closure::once_into_js(move |lock: JsValue| -> JsValue {
            ours.set(!lock.is_null());
            let _ = tell.call0(&JsValue::NULL);
            given_back.into()
        });
        // Without a permission to store anything, a browser refuses locks, too.
        let _ = match request.call3(&locks, &name.into(), &options, &granted) {
            Ok(ended) => {
                method(&ended, "catch").and_then(|catch| catch.call1(&ended, &refuse).ok())
            }
            Err(error) => refuse.call1(&JsValue::NULL, &error).ok(),
        };
    });
    let _ = JsFuture::from(granted).await;
    is_ours.get().then_some(held)
}

/// Returns the lock manager and its `request` function.
fn locks() -> Option<(JsValue, Function)> {
    let locks = property(&property(&global(), "navigator")?, "locks")?;
    let request = method(&locks, "request")?;
    Some((locks, request))
}
