//! A channel to the other tabs of the origin, over a `BroadcastChannel`.

use js_sys::{Function, global};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent};

use super::property::property;

/// A channel that every tab opens with the same name. Dropping it leaves the channel.
pub(crate) struct Channel {
    channel: BroadcastChannel,
    _listener: Closure<dyn FnMut(MessageEvent)>,
}

impl Channel {
    /// Joins a channel; `None` where the platform has none, or none that lets a process end. `on_message` is called with each message
    /// from another tab, and its return value, if any, is sent to all others.
    pub(crate) fn join(
        name: &str,
        on_message: impl Fn(JsValue) -> Option<JsValue> + 'static,
    ) -> Option<Self> {
        property(&global(), "BroadcastChannel")?;
        let channel = BroadcastChannel::new(name).ok()?;
        let answering = channel.clone();
        let listener = Closure::new(move |event: MessageEvent| {
            if let Some(answer) = on_message(event.data()) {
                post(&answering, &answer);
            }
        });
        channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        // Node would not exit while a channel is open.
        let unref = property(&channel, "unref").and_then(|unref| unref.dyn_into::<Function>().ok());
        if let Some(unref) = unref {
            let _ = unref.call0(&channel);
        } else if property(&global(), "location").is_none() {
            // Nor would Deno, where a channel has no `unref`. Pages and their workers have a location.
            channel.set_onmessage(None);
            channel.close();
            return None;
        }
        Some(Self {
            channel,
            _listener: listener,
        })
    }

    /// Sends a message to all other tabs.
    pub(crate) fn post(&self, message: &JsValue) {
        post(&self.channel, message);
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.channel.set_onmessage(None);
        self.channel.close();
    }
}

fn post(channel: &BroadcastChannel, message: &JsValue) {
    // Posting to a channel that was closed in the meantime fails, which is harmless.
    let _ = channel.post_message(message);
}
