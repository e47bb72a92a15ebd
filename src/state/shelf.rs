//! What is kept in this browser: texts under names. Nothing is kept for a page of others.

use leptos::prelude::window;

/// A place in this browser.
#[derive(Clone, Copy, Debug)]
pub struct Shelf {
    slot: &'static str,
    ours: bool,
}

impl Shelf {
    /// The place under a name; `ours` says whether the page is the app's own.
    pub fn of(slot: &'static str, ours: bool) -> Self {
        Self { slot, ours }
    }

    /// What is there. Nothing where the browser keeps nothing.
    pub fn read(self) -> Option<String> {
        storage(self.ours)?.get_item(self.slot).ok().flatten()
    }

    /// Puts a text there; an empty one takes the place away.
    pub fn write(self, text: &str) {
        let Some(storage) = storage(self.ours) else {
            return;
        };
        // A full or forbidden storage: then it lasts as long as the page.
        let _ = if text.is_empty() {
            storage.remove_item(self.slot)
        } else {
            storage.set_item(self.slot, text)
        };
    }
}

fn storage(ours: bool) -> Option<web_sys::Storage> {
    if !ours {
        return None;
    }
    window().local_storage().ok().flatten()
}
