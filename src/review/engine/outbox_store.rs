//! Stores the outbox in the browser, so that no decision is lost in a reload or crash.
//!
//! Each tab has its own slot, and holds a lock of the same name while it is open. A slot whose lock is free belongs
//! to a closed tab: the first tab to find it takes its decisions over. Every tab looks for such slots now and then, because
//! the lock of a tab that was just closed may still be held. Where the browser has no locks, as over plain HTTP, each tab
//! writes a heartbeat instead.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use lead_workspace_api::NewApprovalStatus;
use web_sys::Storage;

use super::{Engine, Event, Inner};
use crate::client::runtime::Task;
use crate::platform::event_listener::EventListener;
use crate::platform::web_lock::LockGuard;
use crate::platform::{storage, web_lock};
use crate::review::outbox::{Outbox, Saved};

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
    /// What the names of all slots of the workspace begin with.
    slots: String,
    slot: String,
    later: RefCell<Option<Timeout>>,
    /// Slots taken over from closed tabs. Removed once their decisions are stored in this slot.
    taken: RefCell<Vec<(String, Option<LockGuard>)>>,
    /// While held, no other tab takes the slot over.
    _held: Option<LockGuard>,
    /// Writes what is still to be written when the page is left.
    _leaving: Option<EventListener>,
}

impl OutboxStore {
    /// Writes the outbox at once, or removes the slot without one. Returns whether that succeeded.
    fn write(&self, text: Option<&str>) -> bool {
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

    /// Gives the slot up, and returns what the names of all slots begin with.
    pub(super) fn into_slots(self) -> String {
        self.slots
    }

    /// Replaces older decisions on these leads in the slots of other tabs.
    pub(super) fn replace_in_others(&self, leads: &[Arc<str>], to: NewApprovalStatus, at: u64) {
        let Some(storage) = storage::local() else {
            return;
        };
        for name in slots_of(&storage, &self.slots) {
            if name == self.slot {
                continue;
            }
            let left = storage.get_item(&name).ok().flatten();
            let text = left.and_then(|left| {
                Outbox::replaced(&left, &mut leads.iter().map(|lead| &**lead), to, at)
            });
            if let Some(text) = text {
                let _ = storage.set_item(&name, &text);
            }
        }
    }

    /// Runs `act` after a pause, once for all calls during the pause. The more decisions are `open`, the longer the
    /// pause.
    fn write_later(&self, open: usize, act: impl FnOnce() + 'static) {
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

/// Drops decisions that the server has saved from all slots.
pub(super) fn drop_saved(slots: &str, saved: &[Saved]) {
    let Some(storage) = storage::local().filter(|_| !saved.is_empty()) else {
        return;
    };
    for name in slots_of(&storage, slots) {
        let left = storage.get_item(&name).ok().flatten();
        let _ = match left.and_then(|left| Outbox::without(&left, saved)) {
            Some(Some(text)) => storage.set_item(&name, &text),
            Some(None) => storage.remove_item(&name),
            None => Ok(()),
        };
    }
}

/// Finds the slot of this tab, and restores what this tab and closed tabs left. `slot` is the slot of an engine of this
/// tab that stopped without releasing its lock.
pub(super) fn start(engine: &Engine, scope: &str, slot: Option<String>) {
    let Some(storage) = storage::local() else {
        return;
    };
    engine.0.restoring.set(true);
    let (engine, scope) = (Rc::downgrade(&engine.0), scope.to_owned());
    let work: Task = Box::pin(async move { run(&storage, &scope, slot, engine).await });
    wasm_bindgen_futures::spawn_local(work);
}

async fn run(storage: &Storage, scope: &str, kept: Option<String>, engine: Weak<Inner>) {
    let (own, held) = match kept {
        Some(own) => (own, None),
        None => find(storage, scope).await,
    };
    let left = storage.get_item(&own).ok().flatten();
    let leaving = engine.clone();
    let store = OutboxStore {
        slots: slot(scope, ""),
        slot: own.clone(),
        later: RefCell::new(None),
        taken: RefCell::default(),
        _held: held,
        _leaving: EventListener::of_global("pagehide", move || {
            if let Some(engine) = open(&leaving) {
                engine.leave_store();
            }
        }),
    };
    let Some(opened) = open(&engine) else { return };
    opened.0.store.replace(Some(store));
    if let Some(left) = left {
        opened.restore(&left);
    }
    // Includes decisions that were made before the slot was known.
    opened.store_now();
    opened.0.restoring.set(false);
    opened.emit(Event::Stored);
    opened.send_queued();
    drop(opened);
    while take_over(storage, scope, &own, &engine).await {
        TimeoutFuture::new(INTERVAL_MS).await;
        if open(&engine).is_some() {
            write_heartbeat(storage, &own);
        }
    }
}

/// Returns the engine unless it is closed or gone.
fn open(engine: &Weak<Inner>) -> Option<Engine> {
    let engine = Engine(engine.upgrade()?);
    (!engine.is_closed()).then_some(engine)
}

impl Engine {
    /// Returns the slot in local storage that has the decisions of this engine.
    pub fn slot(&self) -> Option<String> {
        let store = self.0.store.borrow();
        store.as_ref().map(|store| store.slot.clone())
    }

    /// Restores the stored decisions of an earlier visit.
    pub fn restore(&self, text: &str) {
        let mut taken = Vec::new();
        let changed = self.change(&mut |state| taken = state.outbox.restore(text));
        if changed {
            self.store_soon();
        }
        if taken.is_empty() {
            return;
        }
        self.restore_runs(&taken);
        let sent = self.with_outbox(|outbox| {
            let sent = |lead: &&Arc<str>| !outbox.is_held(lead);
            taken.iter().filter(sent).count()
        });
        if sent > 0 {
            self.emit(Event::Restored(sent));
        }
    }

    /// Stores what is not saved yet.
    pub(super) fn store_now(&self) {
        let written = match &*self.0.store.borrow() {
            Some(store) => store.write(self.with_outbox(Outbox::to_stored).as_deref()),
            None => return,
        };
        let was_full = std::mem::replace(&mut self.0.state.borrow_mut().storage_full, !written);
        if was_full == written {
            self.emit(Event::Stored);
        }
    }

    /// Stores later. Losing this write is harmless: a decision is sent once more at worst.
    pub(super) fn store_soon(&self) {
        if let Some(store) = &*self.0.store.borrow() {
            let engine = Rc::downgrade(&self.0);
            store.write_later(self.with_outbox(Outbox::open), move || {
                if let Some(engine) = open(&engine) {
                    engine.store_now();
                }
            });
        }
    }

    /// Writes what is still to be written, and removes the heartbeat.
    pub(super) fn leave_store(&self) {
        let store = self.0.store.borrow();
        let pending = store.as_ref().is_some_and(OutboxStore::remove_heartbeat);
        drop(store);
        if pending {
            self.store_now();
        }
    }
}

/// Returns the slot of this tab and its lock.
async fn find(storage: &Storage, scope: &str) -> (String, Option<LockGuard>) {
    let tab = storage::session().and_then(|session| session.get_item(TAB).ok().flatten());
    // A duplicated tab has the number of the original, which holds the lock. After a reload, the previous page may
    // not have released it yet.
    if let Some(number) = &tab {
        let own = slot(scope, number);
        for _ in 0..5 {
            if let Some(held) = try_take(storage, &own).await {
                write_heartbeat(storage, &own);
                return (own, held);
            }
            TimeoutFuture::new(MIN_WRITE_INTERVAL_MS / 2).await;
        }
    }
    let number = ((js_sys::Math::random() * 1e15) as u64).to_string();
    let own = slot(scope, &number);
    let held = web_lock::try_acquire(&own).await;
    write_heartbeat(storage, &own);
    if let Some(session) = storage::session() {
        let _ = session.set_item(TAB, &number);
    }
    (own, held)
}

/// Takes over the slots of closed tabs. Returns whether the engine still runs.
async fn take_over(storage: &Storage, scope: &str, own: &str, engine: &Weak<Inner>) -> bool {
    for name in slots_of(storage, &slot(scope, "")) {
        if name == own {
            continue;
        }
        let Some(held) = try_take(storage, &name).await else {
            continue;
        };
        let Some(left) = storage.get_item(&name).ok().flatten() else {
            continue;
        };
        let Some(engine) = open(engine) else {
            return false;
        };
        // The old slot stays until its decisions are stored in this one.
        if let Some(store) = &*engine.0.store.borrow() {
            store.taken.borrow_mut().push((name, held));
        }
        engine.restore(&left);
        engine.store_now();
        engine.send_queued();
    }
    open(engine).is_some()
}

/// Takes a slot that no open tab has, with its lock where there are locks.
async fn try_take(storage: &Storage, slot: &str) -> Option<Option<LockGuard>> {
    let held = web_lock::try_acquire(slot).await;
    let is_free = !web_lock::are_supported() && !is_alive(storage, slot);
    (held.is_some() || is_free).then_some(held)
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

/// Returns the slots whose names are `slots` and the number of a tab. The name of another workspace may begin with that of
/// this one.
fn slots_of(storage: &Storage, slots: &str) -> Vec<String> {
    let mut names = storage::names(storage, slots);
    names.retain(|name| {
        name.bytes()
            .skip(slots.len())
            .all(|byte| byte.is_ascii_digit())
    });
    names
}

fn slot(scope: &str, tab: &str) -> String {
    [SLOTS, " ", scope, " ", tab].concat()
}
