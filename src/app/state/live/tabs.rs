//! The tabs of a browser share one stream: the tab that holds a lock has it, and passes its events on.

use js_sys::Array;
use lead_workspace_api::{ApprovalStatus, Change, Changes};
use wasm_bindgen::{JsCast, JsValue};

use crate::client::broadcast::Channel;
use crate::platform::web_lock::{self, LockGuard};

/// The channel of all tabs with the same workspace. Dropping it releases the lock.
pub(super) struct Tabs {
    channel: Channel,
    lock: String,
    /// Held while this tab has the stream.
    guard: Option<LockGuard>,
}

/// The position of a tab that has none yet.
pub(super) const NONE: f64 = -1.0;

impl Tabs {
    /// Joins the channel of a workspace. `None` where the browser has no locks or no channels: then each tab has a stream.
    pub(super) fn join(scope: &str, on_message: impl Fn(&Array) + 'static) -> Option<Self> {
        if !web_lock::are_supported() {
            return None;
        }
        let lock = ["lead-workspace.changes ", scope].concat();
        let channel = Channel::join(&lock, move |message| {
            on_message(message.dyn_ref::<Array>()?);
            None
        })?;
        Some(Self {
            channel,
            lock,
            guard: None,
        })
    }

    pub(super) fn lock_name(&self) -> String {
        self.lock.clone()
    }

    /// Whether this tab has the stream.
    pub(super) fn has_stream(&self) -> bool {
        self.guard.is_some()
    }

    /// This tab has the stream from now on.
    pub(super) fn hold(&mut self, guard: LockGuard) {
        self.guard = Some(guard);
    }

    pub(super) fn post(&self, kind: &str, values: &[JsValue]) {
        let message = Array::of1(&kind.into());
        for value in values {
            message.push(value);
        }
        self.channel.post(&message);
    }

    /// Asks the tab that has the stream for what came after a version.
    pub(super) fn request_since(&self, position: Option<i64>) {
        self.post("since", &[number(position)]);
    }
}

pub(super) fn number(version: Option<i64>) -> JsValue {
    version.map_or(NONE, |version| version as f64).into()
}

/// Writes changes as nested arrays: version, time, and for each kind its name, the status, the count and the ids.
pub(super) fn written(changes: &Changes) -> Array {
    let text = |text: Option<&str>| text.map_or(JsValue::NULL, JsValue::from_str);
    let message = Array::of2(
        &number(changes.version),
        &text(changes.changed_at.as_deref()),
    );
    for change in changes.changes.iter().flatten() {
        let ids = change.ids.as_ref().map(|ids| {
            let ids = ids.iter().map(|id| JsValue::from_str(id));
            ids.collect::<Array>()
        });
        message.push(&Array::of4(
            &text(change.kind.as_deref()),
            &text(change.approval_status.as_ref().map(ApprovalStatus::as_str)),
            &change
                .count
                .map_or(JsValue::NULL, |count| (count as f64).into()),
            &ids.map_or(JsValue::NULL, JsValue::from),
        ));
    }
    message
}

pub(super) fn read(message: &Array) -> Option<Changes> {
    let changes = message.iter().skip(2).filter_map(|change| {
        let change: Array = change.dyn_into().ok()?;
        let ids = change.get(3).dyn_into::<Array>().ok();
        Some(Change {
            kind: change.get(0).as_string(),
            approval_status: change
                .get(1)
                .as_string()
                .map(|status| status.as_str().into()),
            count: change.get(2).as_f64().map(|count| count as u64),
            ids: ids.map(|ids| ids.iter().filter_map(|id| id.as_string()).collect()),
        })
    });
    Some(Changes {
        version: Some(message.get(0).as_f64()? as i64),
        changed_at: message.get(1).as_string(),
        changes: Some(changes.collect()),
    })
}
