//! Stores the outbox in the browser, so that no decision is lost in a reload or crash.
//!
//! Each tab has its own slot, and holds a lock of the same name while it is open. A slot whose lock is free belongs
//! to a closed tab: the first tab to find it takes its decisions over. Every tab looks for such slots now and then, because
//! the lock of a tab that was just closed may still be held. Where the browser has no locks, as over plain HTTP, each tab
//! writes a heartbeat instead.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use leptos::ev;
use leptos::prelude::*;
use web_sys::Storage;

use super::Decisions;
use crate::app::state::web_lock::LockGuard;
use crate::app::state::{spawn, storage, web_lock};

const SLOTS: &str = "lead-workspace.outbox";

/// Prefix of a tab's heartbeat, in place of [`SLOTS`]. Only used without locks.
const HEARTBEATS: &str = "lead-workspace.alive";

/// In session storage: the number of the tab, which a reload keeps.
const TAB: &str = "lead-workspace.tab";

/// The shortest pause between writes, in milliseconds. Longer if there is much to write.
const MIN_WRITE_INTERVAL_MS: u32 = 200;

/// Interval of heartbeats, and of looking for slots of closed tabs, in milliseconds.
const INTERVAL_MS: u32 = 5_000;

/// Age of the last heartbeat after which a tab counts as closed, in milliseconds. Browsers may run the timers of
/// hidden tabs only once a minute.
const CLOSED_AFTER: u64 = 180_000;

/// The slot of this tab.
pub struct OutboxStore {
    slot: String,
    later: RefCell<Option<Timeout>>,
    /// Slots taken over from closed tabs. Removed once their decisions are stored in this slot.
    taken: RefCell<Vec<(String, Option<LockGuard>)>>,
    /// While held, no other tab takes the slot over.
    _held: Option<LockGuard>,
}

impl OutboxStore {
    /// Writes the outbox at once, or removes the slot without one. Returns whether that succeeded.
    pub fn write(&self, text: Option<&str>) -> bool {
        self.later.take();
        let Some(storage) = storage::local() else {
            return text.is_none();
        };
        // If the storage is full, the old content stays: older decisions are better than none.
        let written = match text {
            Some(text) => storage.set_item(&self.slot, text),
            None => storage.remove_item(&self.slot),
        };
        if written.is_ok() {
            for (slot, _) in self.taken.take() {
                let _ = storage.remove_item(&slot);
                let _ = storage.remove_item(&heartbeat_key(&slot));
            }
        }
        written.is_ok()
    }

    /// Runs `act` after a pause, once for all calls during the pause. The more decisions are `open`, the longer the
    /// pause.
    pub fn write_later(&self, open: usize, act: impl FnOnce() + 'static) {
        let mut later = self.later.borrow_mut();
        if later.is_none() {
            let pause = MIN_WRITE_INTERVAL_MS.saturating_add(open as u32 / 20);
            *later = Some(Timeout::new(pause, act));
        }
    }

    /// Removes the heartbeat when the page is left. Returns whether a write is still pending.
    fn remove_heartbeat(&self) -> bool {
        if let Some(storage) = storage::local() {
            let _ = storage.remove_item(&heartbeat_key(&self.slot));
        }
        self.later.borrow().is_some()
    }
}

/// Finds the slot of this tab, and restores what this tab and closed tabs left.
pub fn start(base: &str, decisions: Decisions) {
    let leave = move || {
        let store = decisions.store;
        if store.try_with_value(|store| store.as_ref().is_some_and(OutboxStore::remove_heartbeat))
            == Some(true)
        {
            decisions.store_now();
        }
    };
    let listener = window_event_listener(ev::pagehide, move |_| leave());
    on_cleanup(move || {
        listener.remove();
        leave();
    });
    let base = base.to_owned();
    spawn(async move {
        let Some(storage) = storage::local() else {
            return;
        };
        let (own, held) = find(&storage, &base).await;
        let left = storage.get_item(&own).ok().flatten();
        let store = OutboxStore {
            slot: own.clone(),
            later: RefCell::new(None),
            taken: RefCell::default(),
            _held: held,
        };
        if decisions.store.try_set_value(Some(store)).is_some() {
            return;
        }
        if let Some(left) = left {
            decisions.restore(&left);
        }
        // Includes decisions that were made before the slot was known.
        decisions.store_now();
        decisions.flush();
        while take_over(&storage, &base, &own, decisions).await {
            TimeoutFuture::new(INTERVAL_MS).await;
            if decisions.store.try_with_value(|_| ()).is_some() {
                write_heartbeat(&storage, &own);
            }
        }
    });
}

/// Returns the slot of this tab and its lock.
async fn find(storage: &Storage, base: &str) -> (String, Option<LockGuard>) {
    let tab = storage::session().and_then(|session| session.get_item(TAB).ok().flatten());
    // A duplicated tab has the number of the original, which holds the lock. After a reload, the previous page may
    // not have released it yet.
    if let Some(number) = &tab {
        let own = slot(base, number);
        for _ in 0..5 {
            let held = web_lock::try_acquire(&own).await;
            if held.is_some() || (!web_lock::are_supported() && !is_alive(storage, &own)) {
                write_heartbeat(storage, &own);
                return (own, held);
            }
            TimeoutFuture::new(MIN_WRITE_INTERVAL_MS / 2).await;
        }
    }
    let number = ((js_sys::Math::random() * 1e15) as u64).to_string();
    let own = slot(base, &number);
    let held = web_lock::try_acquire(&own).await;
    write_heartbeat(storage, &own);
    if let Some(session) = storage::session() {
        let _ = session.set_item(TAB, &number);
    }
    (own, held)
}

/// Takes over the slots of closed tabs. Returns whether this app still exists.
async fn take_over(storage: &Storage, base: &str, own: &str, decisions: Decisions) -> bool {
    for name in storage::names(storage, &slot(base, "")) {
        if name == own {
            continue;
        }
        let held = web_lock::try_acquire(&name).await;
        if held.is_none() && (web_lock::are_supported() || is_alive(storage, &name)) {
            continue;
        }
        let Some(left) = storage.get_item(&name).ok().flatten() else {
            continue;
        };
        // The old slot stays until its decisions are stored in this one.
        decisions.store.try_with_value(|store| {
            if let Some(store) = store {
                store.taken.borrow_mut().push((name, held));
            }
        });
        decisions.restore(&left);
        decisions.store_now();
        decisions.flush();
    }
    decisions.store.try_with_value(|_| ()).is_some()
}

/// Writes the heartbeat of a slot, where there are no locks.
fn write_heartbeat(storage: &Storage, slot: &str) {
    if !web_lock::are_supported() {
        let _ = storage.set_item(&heartbeat_key(slot), &now().to_string());
    }
}

/// Returns whether the last heartbeat of a slot is recent.
fn is_alive(storage: &Storage, slot: &str) -> bool {
    let heartbeat = storage.get_item(&heartbeat_key(slot)).ok().flatten();
    let heartbeat = heartbeat.and_then(|heartbeat| heartbeat.parse::<u64>().ok());
    heartbeat.is_some_and(|heartbeat| now().abs_diff(heartbeat) < CLOSED_AFTER)
}

/// Milliseconds since 1970. Integers, because formatting and parsing floats adds 25 kB of code.
fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Returns the key of a slot's heartbeat.
fn heartbeat_key(slot: &str) -> String {
    [HEARTBEATS, slot.strip_prefix(SLOTS).unwrap_or_default()].concat()
}

fn slot(base: &str, tab: &str) -> String {
    [SLOTS, " ", base, " ", tab].concat()
}
