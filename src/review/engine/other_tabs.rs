//! Sync with other tabs of this browser: statuses that the server saved.

use std::rc::Rc;
use std::sync::Arc;

use js_sys::Array;
use lead_workspace_api::NewApprovalStatus;
use wasm_bindgen::{JsCast, JsValue};

use super::Engine;
use crate::client::broadcast::Channel;

/// A channel of all tabs with the same workspace.
pub(super) struct OtherTabs(Channel);

impl OtherTabs {
    /// Joins the channel of a workspace. `None` where the browser has no channels.
    fn join(scope: &str, on_saved: impl Fn(&str, NewApprovalStatus) + 'static) -> Option<Self> {
        let name = ["lead-workspace.decisions ", scope].concat();
        let on_message = move |message: JsValue| {
            let message = message.dyn_ref::<Array>()?;
            let to = message.get(0).as_string()?.parse().ok()?;
            for lead in message.iter().skip(1).filter_map(|lead| lead.as_string()) {
                on_saved(&lead, to);
            }
            None
        };
        Channel::join(&name, on_message).map(Self)
    }

    /// Sends a saved status to the other tabs. A tab that misses it gets the status with its next list.
    pub(super) fn post(&self, leads: &[Arc<str>], to: NewApprovalStatus) {
        let message = Array::of1(&to.as_str().into());
        for lead in leads {
            message.push(&JsValue::from_str(lead));
        }
        self.0.post(&message);
    }
}

impl Engine {
    /// Joins the channel of a workspace.
    pub(super) fn join_other_tabs(&self, scope: &str) {
        let engine = Rc::downgrade(&self.0);
        let tabs = OtherTabs::join(scope, move |lead, status| {
            if let Some(inner) = engine.upgrade() {
                Self(inner).on_saved_elsewhere(lead, status);
            }
        });
        self.0.tabs.replace(tabs);
    }
}
