//! Signing out of this tab, or of all tabs of this browser.

use wasm_bindgen::JsValue;

use super::session::{KEYS, StartOptions};
use super::{AppState, connection, decision_pace, first_query, suggestions};
use crate::app::reactive::StoredValue;
use crate::client::broadcast::Channel;
use crate::platform::storage;

/// The channel of all tabs of this browser, whichever workspace they have open.
const CHANNEL: &str = "lead-workspace.sign-out";

/// What is removed besides the keys of this tab.
#[derive(Clone, Copy, Debug, Default)]
pub struct WipeOptions {
    /// The keys of all other tabs.
    pub everywhere: bool,
    /// The remembered workspaces.
    pub remembered: bool,
    /// The decisions of this tab that were not sent yet.
    pub decisions: bool,
}

/// Signs out when another tab signs out everywhere, under the current owner.
pub fn listen(app: AppState) {
    // Without channels each tab has to sign out by itself.
    let channel = Channel::join(CHANNEL, move |_| {
        let options = StartOptions {
            is_signed_out: true,
            ..StartOptions::default()
        };
        forget_keys(app, options);
        None
    });
    // Left with the owner.
    StoredValue::new(channel);
}

/// Signs out: removes the keys of this tab, what suggestions learned, when the user decided, and what `wipe` says.
pub fn sign_out(app: AppState, wipe: WipeOptions) {
    if wipe.remembered {
        connection::forget_all();
    }
    if wipe.decisions {
        app.decisions.discard();
    }
    remove(storage::local(), suggestions::slots::SLOTS);
    remove(storage::local(), decision_pace::SLOTS);
    forget_keys(app, StartOptions::default());
    if wipe.everywhere
        && let Some(channel) = Channel::join(CHANNEL, |_| None)
    {
        // A tab that misses the message keeps its key until it is closed.
        channel.post(&JsValue::TRUE);
    }
}

/// Removes the keys of this tab and the noted query, and restarts on the lead list. Not on the current page: its address may show which
/// row was open, and Settings has a key field of its own.
fn forget_keys(app: AppState, options: StartOptions) {
    remove(storage::session(), KEYS);
    remove(storage::local(), first_query::SLOT);
    connection::show(&connection::current_workspace(app));
    app.session.restart(options);
}

/// Removes the slots whose names begin with `prefix`.
fn remove(storage: Option<web_sys::Storage>, prefix: &str) {
    let Some(storage) = storage else { return };
    for name in storage::names(&storage, prefix) {
        // Removing a slot cannot fail.
        let _ = storage.remove_item(&name);
    }
}
