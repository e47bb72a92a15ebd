//! The tabs of a browser share one stream: the tab that holds a lock has it, and passes its events on.

use js_sys::Array;
use lead_workspace_api::{ApprovalStatus, Change, Changes};
use wasm_bindgen::{JsCast, JsValue};

use super::follower::Follower;
use crate::app::model::live::LiveEvent;
use crate::app::model::live::connection::LiveConnection;
use crate::app::state::AppState;
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
const NONE: f64 = -1.0;

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

    /// This tab has the stream from now on.
    pub(super) fn hold(&mut self, guard: LockGuard) {
        self.guard = Some(guard);
    }

    fn post(&self, kind: &str, values: &[JsValue]) {
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

impl Follower {
    fn has_stream(self) -> bool {
        let has_stream =
            |tabs: &Option<Tabs>| tabs.as_ref().is_some_and(|tabs| tabs.guard.is_some());
        self.tabs.try_with_value(has_stream) == Some(true)
    }

    fn post(self, kind: &str, values: &[JsValue]) {
        self.tabs.try_with_value(|tabs| {
            if let Some(tabs) = tabs.as_ref().filter(|tabs| tabs.guard.is_some()) {
                tabs.post(kind, values);
            }
        });
    }

    pub(super) fn broadcast_connection(self, connection: LiveConnection) {
        self.post("connection", &[connection.as_str().into()]);
    }

    pub(super) fn broadcast_event(self, event: &LiveEvent) {
        let (kind, value) = match event {
            LiveEvent::Open(version) => ("open", (*version as f64).into()),
            LiveEvent::Reset(version) => ("reset", (*version as f64).into()),
            LiveEvent::Changed(changes) => ("changed", written(changes).into()),
        };
        self.post(kind, &[value]);
    }

    /// Takes a message of another tab.
    pub(super) fn on_message(self, app: AppState, message: &Array) {
        let kind = message.get(0).as_string().unwrap_or_default();
        let value = message.get(1);
        if kind == "since" {
            if self.has_stream() {
                self.on_request_since(app, &value);
            }
            return;
        }
        // Two tabs have one only while one of them is closing.
        if self.has_stream() {
            return;
        }
        let version = value.as_f64().map(|version| version as i64);
        let event = match (kind.as_str(), version) {
            ("connection", _) => {
                let name = value.as_string().unwrap_or_default();
                if let Some(connection) = LiveConnection::parse(&name) {
                    self.show_connection(connection);
                }
                return;
            }
            ("open", Some(version)) => LiveEvent::Open(version),
            ("reset", Some(version)) => LiveEvent::Reset(version),
            ("changed", _) => match value.dyn_ref().and_then(read) {
                Some(changes) => LiveEvent::Changed(changes),
                None => return,
            },
            _ => return,
        };
        self.on_event(app, &event);
    }

    /// Asks for the events after the present position, of the server or of the tab that has the stream.
    pub(super) fn reopen(self, app: AppState) {
        let is_listener =
            |tabs: &Option<Tabs>| tabs.as_ref().is_some_and(|tabs| tabs.guard.is_none());
        if self.tabs.try_with_value(is_listener) == Some(true) {
            let position = self.position();
            self.tabs.try_with_value(|tabs| {
                if let Some(tabs) = tabs {
                    tabs.request_since(position);
                }
            });
        } else if let Some(client) = app.session.client_now() {
            self.open_since(app, client, self.position());
        }
    }

    /// Answers a tab that was opened, or shown again.
    fn on_request_since(self, app: AppState, theirs: &JsValue) {
        let Some(ours) = self.position() else {
            // The stream is not open yet, and is announced when it is.
            return;
        };
        if let Some(connection) = self.connection.try_get_untracked() {
            self.broadcast_connection(connection);
        }
        let theirs = theirs.as_f64().unwrap_or(NONE);
        if theirs == NONE || theirs >= ours as f64 {
            self.post("open", &[number(Some(ours))]);
        } else if let Some(client) = app.session.client_now() {
            // The events that the other tab lacks are told to all, and have no effect on those that know them.
            self.open_since(app, client, Some(theirs as i64));
        }
    }
}

fn number(version: Option<i64>) -> JsValue {
    version.map_or(NONE, |version| version as f64).into()
}

/// Writes changes as nested arrays: version, time, and for each kind its name, the status, the count and the ids.
fn written(changes: &Changes) -> Array {
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

fn read(message: &Array) -> Option<Changes> {
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
