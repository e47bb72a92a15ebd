//! The tab that has the stream passes its events on to the others.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use super::follower::Follower;
use super::tabs::{NONE, Tabs, number, read, written};
use crate::app::model::live::LiveEvent;
use crate::app::model::live::connection::LiveConnection;
use crate::app::state::AppState;

impl Follower {
    fn has_stream(self) -> bool {
        let has_stream = |tabs: &Option<Tabs>| tabs.as_ref().is_some_and(Tabs::has_stream);
        self.tabs.try_with_value(has_stream) == Some(true)
    }

    fn post(self, kind: &str, values: &[JsValue]) {
        self.tabs.try_with_value(|tabs| {
            if let Some(tabs) = tabs.as_ref().filter(|tabs| tabs.has_stream()) {
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
            |tabs: &Option<Tabs>| tabs.as_ref().is_some_and(|tabs| !tabs.has_stream());
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
