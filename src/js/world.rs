//! The runtime of a page or a worker, implemented in `src/js/world.js`.

use std::time::Duration;

use js_sys::{Array, Math, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::panic;
use crate::client::property;
use crate::client::retry::Instant;
use crate::client::runtime::{Broadcast, Listener, Runtime, TabMessage, Task, milliseconds};

#[wasm_bindgen(module = "/src/js/world.js")]
extern "C" {
    fn now() -> f64;

    fn sleep(milliseconds: u32, idle: bool) -> JsValue;

    #[wasm_bindgen(js_name = untilSeen)]
    fn until_visible() -> JsValue;

    #[wasm_bindgen(catch)]
    fn join(name: &str, hear: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch)]
    fn tell(tabs: &JsValue, word: &str, milliseconds: u32) -> Result<(), JsValue>;

    fn end(work: &JsValue);
}

/// An operation in progress in JavaScript. Dropping it cancels it.
pub(super) struct Work(pub(super) JsValue);

impl Work {
    /// Waits for the result.
    pub(super) async fn answer(self) -> JsValue {
        let answer = property(&self.0, "answer").and_then(|it| it.dyn_into::<Promise>().ok());
        let answer = match answer {
            Some(answer) => JsFuture::from(answer).await,
            None => Err(JsValue::UNDEFINED),
        };
        // These promises never reject.
        answer.unwrap_or_default()
    }

    fn task(self) -> Task {
        Box::pin(async move {
            self.answer().await;
        })
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        end(&self.0);
    }
}

/// A page, a worker, or another environment with timers, like the client's own
/// [`Browser`](crate::client::Browser).
pub(super) struct Page;

impl Runtime for Page {
    fn now(&self) -> Instant {
        Duration::from_micros((now().max(0.0) * 1000.0) as u64)
    }

    fn sleep(&self, wait: Duration) -> Task {
        // A longer timer would overflow and fire at once.
        Work(sleep(milliseconds(wait), false)).task()
    }

    fn idle_sleep(&self, wait: Duration) -> Task {
        Work(sleep(milliseconds(wait), true)).task()
    }

    fn random(&self) -> f64 {
        Math::random()
    }

    fn spawn(&self, task: Task) {
        wasm_bindgen_futures::spawn_local(panic::noted(task));
    }

    fn until_visible(&self) -> Option<Task> {
        let seen = until_visible();
        (!seen.is_undefined()).then(|| Work(seen).task())
    }

    fn broadcast(&self, workspace: &str, hear: Listener) -> Option<Box<dyn Broadcast>> {
        let listener = Closure::new(move |word: String, milliseconds: f64| {
            let told = TabMessage::decode(&word, Duration::from_millis(milliseconds as u64))?;
            let (word, milliseconds) = hear(told)?.encode();
            Some(Array::of2(&word.into(), &milliseconds.into()))
        });
        let name = format!("lead-workspace gate {workspace}");
        let channel = join(&name, listener.as_ref()).ok()?;
        (!channel.is_undefined()).then(|| {
            Box::new(Channel {
                work: Work(channel),
                _listener: listener,
            }) as Box<dyn Broadcast>
        })
    }
}

/// The handler of messages from other tabs.
type MessageClosure = Closure<dyn FnMut(String, f64) -> Option<Array>>;

/// The channel to the other tabs.
struct Channel {
    work: Work,
    _listener: MessageClosure,
}

impl Broadcast for Channel {
    fn post(&self, told: TabMessage) {
        let (word, milliseconds) = told.encode();
        // Posting to a channel that was closed in the meantime fails, which is harmless.
        let _ = tell(&self.work.0, word, milliseconds);
    }
}
