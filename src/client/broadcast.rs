//! The other tabs of the origin, over a `BroadcastChannel`.

use std::time::Duration;

use js_sys::{Array, Function};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::BroadcastChannel;

use super::browser::{MessageClosure, property};
use super::runtime::{Broadcast, Listener, TabMessage};

/// A channel that every tab of the same workspace opens.
pub(super) struct TabChannel {
    channel: BroadcastChannel,
    _listener: MessageClosure,
}

impl TabChannel {
    pub(super) fn join(name: &str, hear: Listener) -> Result<Self, JsValue> {
        if property(&js_sys::global(), "BroadcastChannel").is_none() {
            return Err(JsValue::UNDEFINED);
        }
        let channel = BroadcastChannel::new(name)?;
        let answering = channel.clone();
        let listener = MessageClosure::new(move |event: web_sys::MessageEvent| {
            if let Some(told) = read(&event.data())
                && let Some(answer) = hear(told)
            {
                tell(&answering, answer);
            }
        });
        channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        // Node would not exit while a channel is open.
        let unref = property(&channel, "unref").and_then(|unref| unref.dyn_into::<Function>().ok());
        if let Some(unref) = unref {
            unref.call0(&channel)?;
        }
        Ok(Self {
            channel,
            _listener: listener,
        })
    }
}

impl Broadcast for TabChannel {
    fn post(&self, told: TabMessage) {
        tell(&self.channel, told);
    }
}

impl Drop for TabChannel {
    fn drop(&mut self) {
        self.channel.set_onmessage(None);
        self.channel.close();
    }
}

fn tell(channel: &BroadcastChannel, told: TabMessage) {
    let (word, milliseconds) = told.encode();
    // Posting to a channel that was closed in the meantime fails, which is harmless.
    let _ = channel.post_message(&Array::of2(&word.into(), &milliseconds.into()));
}

fn read(message: &JsValue) -> Option<TabMessage> {
    let parts: &Array = message.dyn_ref()?;
    let wait = Duration::from_millis(parts.get(1).as_f64().unwrap_or_default() as u64);
    TabMessage::decode(&parts.get(0).as_string()?, wait)
}
