//! Sync with other tabs of this browser: their decisions, when they are made and when the server saved them.

use std::rc::Rc;
use std::sync::Arc;

use js_sys::Array;
use lead_workspace_api::NewApprovalStatus;
use wasm_bindgen::{JsCast, JsValue};

use super::Engine;
use crate::client::broadcast::Channel;

/// A channel of all tabs with the same workspace.
pub(super) struct OtherTabs(Channel);

/// Number of values of a message before its leads: status, time of the decision, and whether it is saved.
const HEAD: usize = 3;

impl OtherTabs {
    /// Joins the channel of a workspace. `None` where the browser has no channels.
    fn join(
        scope: &str,
        on_decided: impl Fn(&str, NewApprovalStatus, u64, bool) + 'static,
    ) -> Option<Self> {
        let name = ["lead-workspace.decisions ", scope].concat();
        let on_message = move |message: JsValue| {
            let message = message.dyn_ref::<Array>()?;
            let to = message.get(0).as_string()?.parse().ok()?;
            let (at, is_saved) = (message.get(1).as_f64()?, message.get(2).is_truthy());
            for lead in message
                .iter()
                .skip(HEAD)
                .filter_map(|lead| lead.as_string())
            {
                on_decided(&lead, to, at as u64, is_saved);
            }
            None
        };
        Channel::join(&name, on_message).map(Self)
    }

    /// Sends a decision to the other tabs. A tab that misses it gets the status with its next list.
    fn post(&self, leads: &[Arc<str>], to: NewApprovalStatus, at: u64, is_saved: bool) {
        let message = Array::of3(&to.as_str().into(), &(at as f64).into(), &is_saved.into());
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
        let tabs = OtherTabs::join(scope, move |lead, to, at, is_saved| {
            if let Some(inner) = engine.upgrade() {
                Self(inner).on_decided_elsewhere(lead, to, at, is_saved);
            }
        });
        self.0.tabs.replace(tabs);
    }

    /// Tells other tabs of a decision that was made at `at`, so that older ones on these leads do not overwrite it: not in
    /// open tabs, and not in the slots of tabs that are closed or about to open.
    pub(super) fn tell_other_tabs(
        &self,
        leads: &[Arc<str>],
        to: NewApprovalStatus,
        at: u64,
        is_saved: bool,
    ) {
        if let Some(store) = &*self.0.store.borrow() {
            store.replace_in_others(leads, to, at);
        }
        if let Some(tabs) = &*self.0.tabs.borrow() {
            tabs.post(leads, to, at, is_saved);
        }
    }
}
