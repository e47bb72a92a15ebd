//! Sync with other tabs of this browser: statuses that the server saved.

use std::sync::Arc;

use js_sys::Array;
use lead_workspace_api::NewApprovalStatus;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BroadcastChannel, MessageEvent};

/// A broadcast channel of all tabs with the same workspace.
pub struct OtherTabs {
    channel: BroadcastChannel,
    _listener: Closure<dyn FnMut(MessageEvent)>,
}

impl OtherTabs {
    /// Joins the channel of a workspace. `None` where the browser has no channels.
    pub fn join(base: &str, on_saved: impl Fn(&str, NewApprovalStatus) + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new(&format!("lead-workspace.decisions {base}")).ok()?;
        let listener = Closure::new(move |event: MessageEvent| {
            let data = event.data();
            let Some(message) = data.dyn_ref::<Array>() else {
                return;
            };
            let to = message.get(0).as_string();
            let Some(to) = to.and_then(|to| to.parse::<NewApprovalStatus>().ok()) else {
                return;
            };
            for lead in message.iter().skip(1).filter_map(|lead| lead.as_string()) {
                on_saved(&lead, to);
            }
        });
        channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        Some(Self {
            channel,
            _listener: listener,
        })
    }

    /// Sends a saved status to the other tabs.
    pub fn post(&self, leads: &[Arc<str>], to: NewApprovalStatus) {
        let message = Array::of1(&to.as_str().into());
        for lead in leads {
            message.push(&JsValue::from_str(lead));
        }
        // A tab that misses the message gets the status with its next list.
        let _ = self.channel.post_message(&message);
    }
}

impl Drop for OtherTabs {
    fn drop(&mut self) {
        self.channel.set_onmessage(None);
        self.channel.close();
    }
}
