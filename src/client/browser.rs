//! The runtime of a page or a worker: clock, random source, visibility and the other tabs.

use std::time::Duration;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Date, Function, Math, Promise, Reflect, global};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::broadcast::Channel;
use super::property::property;
use super::retry::MonotonicTime;
use super::runtime::{Broadcast, Listener, Runtime, TabMessage, Task, milliseconds};

/// A page, a worker, or another environment with timers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Browser;

impl Runtime for Browser {
    fn now(&self) -> MonotonicTime {
        let milliseconds = monotonic().unwrap_or_else(Date::now);
        Duration::from_micros((milliseconds.max(0.0) * 1000.0) as u64)
    }

    fn sleep(&self, wait: Duration) -> Task {
        Box::pin(TimeoutFuture::new(milliseconds(wait)))
    }

    fn idle_sleep(&self, wait: Duration) -> Task {
        let mut timer = None;
        let elapsed = Promise::new(&mut |settle, _| {
            let id = set_timeout(&settle, milliseconds(wait));
            timer = Some(IdleTimer { id, settle });
        });
        // Only Node's timers keep a process running.
        if let Some(IdleTimer { id, .. }) = &timer
            && let Some(unref) = method(id, "unref")
        {
            let _ = unref.call0(id);
        }
        Box::pin(async move {
            let _timer = timer;
            let _ = JsFuture::from(elapsed).await;
        })
    }

    fn random(&self) -> f64 {
        Math::random()
    }

    fn spawn(&self, task: Task) {
        wasm_bindgen_futures::spawn_local(task);
    }

    fn until_visible(&self) -> Option<Task> {
        let document = property(&global(), "document")?;
        let hidden = || property(&document, "hidden").is_some_and(|hidden| hidden.is_truthy());
        if !hidden() {
            return None;
        }
        Some(Box::pin(async move {
            while property(&document, "hidden").is_some_and(|hidden| hidden.is_truthy()) {
                let change = Promise::new(&mut |resolve, _| {
                    let once = js_sys::Object::new();
                    // If the listener cannot be added, the promise never resolves and the wait does not end.
                    let _ = Reflect::set(&once, &"once".into(), &true.into());
                    if let Some(listen) = method(&document, "addEventListener") {
                        let _ =
                            listen.call3(&document, &"visibilitychange".into(), &resolve, &once);
                    }
                });
                if JsFuture::from(change).await.is_err() {
                    return;
                }
            }
        }))
    }

    fn broadcast(&self, workspace: &str, on_message: Listener) -> Option<Box<dyn Broadcast>> {
        let name = format!("lead-workspace gate {workspace}");
        let channel = Channel::join(&name, move |message| {
            on_message(read_message(&message)?).map(message_to_js)
        })?;
        Some(Box::new(channel))
    }
}

impl Broadcast for Channel {
    fn post(&self, message: TabMessage) {
        Self::post(self, &message_to_js(message));
    }
}

fn message_to_js(message: TabMessage) -> JsValue {
    let (word, milliseconds, first) = message.encode();
    Array::of3(&word.into(), &milliseconds.into(), &first.into()).into()
}

fn read_message(message: &JsValue) -> Option<TabMessage> {
    let parts: &Array = message.dyn_ref()?;
    // Absent in the messages of an older version, whose tabs probe without regard to others.
    let number = |index| parts.get(index).as_f64().unwrap_or_default();
    let wait = Duration::from_millis(number(1) as u64);
    TabMessage::decode(&parts.get(0).as_string()?, wait, number(2))
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    pub(crate) fn set_timeout(callback: &Function, milliseconds: u32) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// A timer that is cancelled when dropped. Its promise settles in any case: code that awaits a
/// promise which never settles is never freed.
struct IdleTimer {
    id: JsValue,
    settle: Function,
}

impl Drop for IdleTimer {
    fn drop(&mut self) {
        clear_timeout(&self.id);
        let _ = self.settle.call0(&JsValue::UNDEFINED);
    }
}

/// Whether the browser is online. Platforms that do not say count as online.
pub(crate) fn is_online() -> bool {
    let navigator = property(&global(), "navigator");
    let online = navigator.and_then(|navigator| property(&navigator, "onLine"));
    online.and_then(|online| online.as_bool()) != Some(false)
}

/// Returns a method of an object.
pub(crate) fn method(of: &JsValue, name: &str) -> Option<Function> {
    property(of, name)?.dyn_into().ok()
}

/// `performance.now()`, if available.
fn monotonic() -> Option<f64> {
    let performance = property(&global(), "performance")?;
    method(&performance, "now")?
        .call0(&performance)
        .ok()?
        .as_f64()
}
