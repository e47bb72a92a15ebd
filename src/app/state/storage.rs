//! A value that the browser's local storage keeps.

use crate::platform::storage::local;

/// A slot in local storage. Nothing is stored for a host page.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    slot: &'static str,
    persistent: bool,
}

impl Storage {
    /// Returns the slot of a name. `persistent` is `false` in a host page.
    pub const fn new(slot: &'static str, persistent: bool) -> Self {
        Self { slot, persistent }
    }

    /// Returns the stored text. `None` without storage.
    pub fn read(self) -> Option<String> {
        storage(self.persistent)?.get_item(self.slot).ok().flatten()
    }

    /// Stores a text. An empty one removes the slot.
    pub fn write(self, text: &str) {
        let Some(storage) = storage(self.persistent) else {
            return;
        };
        // If the storage is full or forbidden, the value lasts as long as the page.
        let _ = if text.is_empty() {
            storage.remove_item(self.slot)
        } else {
            storage.set_item(self.slot, text)
        };
    }
}

fn storage(persistent: bool) -> Option<web_sys::Storage> {
    if persistent { local() } else { None }
}
