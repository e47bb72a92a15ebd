//! The keys as the person has them, kept in this browser.

use leptos::prelude::*;

use super::shelf::Shelf;
use crate::model::command::Command;
use crate::model::keymap::Keymap;
use crate::signal::RwSignal;

/// The keys.
#[derive(Clone, Copy)]
pub struct Keys {
    map: RwSignal<Keymap>,
    shelf: Shelf,
    /// Whether this is a Mac, whose keys are shown by their signs.
    pub mac: bool,
}

impl Keys {
    /// Reads the keys of an earlier visit.
    pub fn start(ours: bool) -> Self {
        let shelf = Shelf::of("lead-workspace.keys", ours);
        let kept = shelf.read().unwrap_or_default();
        let platform = window().navigator().platform().unwrap_or_default();
        Self {
            map: RwSignal::new(Keymap::of(&kept)),
            shelf,
            mac: platform.starts_with("Mac") || platform.starts_with("iP"),
        }
    }

    /// The keys; changes with them.
    pub fn get(self) -> Keymap {
        self.map.get()
    }

    /// Reads the keys, for an event.
    pub fn now<T>(self, read: impl FnOnce(&Keymap) -> T) -> Option<T> {
        self.map.try_with_untracked(read)
    }

    /// Goes on with other keys and keeps them.
    pub fn set(self, map: Keymap) {
        self.shelf.write(&map.to_text());
        self.map.set(map);
    }

    /// The caps of a command's first key that acts; nothing where it has none.
    pub fn caps(self, command: Command) -> Vec<String> {
        self.map.with(|map| {
            let first = map.live(command).next();
            first.map(|chord| chord.caps(self.mac)).unwrap_or_default()
        })
    }
}
