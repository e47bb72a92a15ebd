//! The user's keymap, stored in this browser.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::storage::Storage;
use crate::app::model::chord::Chord;
use crate::app::model::command::Command;
use crate::app::model::keymap::Keymap;
use crate::app::reactive::{RwSignal, StoredValue};

/// How long a sequence of keys waits for the next one, in milliseconds.
const WAIT_MS: u32 = 2_000;

#[derive(Clone, Copy)]
pub struct KeyBindings {
    map: RwSignal<Keymap>,
    /// What was pressed of a sequence of keys, while the next one is awaited.
    pub before: RwSignal<Option<Chord>>,
    timer: StoredValue<Option<Timeout>>,
    storage: Storage,
    /// Whether this is an Apple device, whose keys are shown as symbols.
    pub mac: bool,
}

impl KeyBindings {
    /// Reads the stored keymap. `persistent` is `false` in a host page, where nothing is stored.
    pub fn start(persistent: bool) -> Self {
        let storage = Storage::new("lead-workspace.keys", persistent);
        let stored = storage.read().unwrap_or_default();
        let platform = window().navigator().platform().unwrap_or_default();
        Self {
            map: RwSignal::new(Keymap::parse(&stored)),
            before: RwSignal::new(None),
            timer: StoredValue::new(None),
            storage,
            mac: platform.starts_with("Mac") || platform.starts_with("iP"),
        }
    }

    /// Returns the keymap, tracked.
    pub fn get(self) -> Keymap {
        self.map.get()
    }

    /// Reads the keymap untracked, for an event.
    pub fn now<T>(self, read: impl FnOnce(&Keymap) -> T) -> Option<T> {
        self.map.try_with_untracked(read)
    }

    /// Sets and stores the keymap.
    pub fn set(self, map: Keymap) {
        self.storage.write(&map.to_text());
        self.map.set(map);
    }

    /// Waits for the next key of a sequence.
    pub fn wait(self, before: Chord) {
        self.before.set(Some(before));
        let timer = Timeout::new(WAIT_MS, move || {
            self.before.set(None);
        });
        self.timer.set_value(Some(timer));
    }

    /// Returns the key caps of a command's first active chord. Empty if it has none.
    pub fn caps(self, command: Command) -> Vec<String> {
        self.map.with(|map| {
            let first = map.live(command).next();
            first.map(|chord| chord.caps(self.mac)).unwrap_or_default()
        })
    }

    /// Returns the key cap of a command, if it is a single character, where there is no room for more.
    pub fn single_cap(self, command: Command) -> Option<String> {
        match &*self.caps(command) {
            [cap] if cap.chars().count() == 1 => Some(cap.clone()),
            _ => None,
        }
    }
}
