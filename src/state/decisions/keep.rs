//! The outbox in the browser's storage, so that a reload or a crash loses no decision.
//!
//! Each tab has a slot of its own, and holds a lock of the same name for as long as it lives. A slot
//! whose lock is free belongs to a tab that is gone: whoever comes first takes over what is in it.
//! Where the browser has no locks, as over plain HTTP, each tab says now and then that it lives.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use leptos::ev;
use leptos::prelude::*;
use web_sys::Storage;

use super::Decisions;
use crate::state::lock::{self, Held};
use crate::state::spawn;

const SLOTS: &str = "lead-workspace.outbox";

/// Where a tab without locks says when it was last alive, in place of [`SLOTS`].
const LIVES: &str = "lead-workspace.alive";

/// In the tab's own storage: the number of the tab, which a reload keeps.
const TAB: &str = "lead-workspace.tab";

/// What is kept is written at most this often, in milliseconds, and less often where it is much.
const PAUSE: u32 = 200;

/// A tab without locks says this often that it lives, in milliseconds.
const BEAT: u32 = 20_000;

/// After so long without a word it is gone. What nobody looks at may be let run once a minute only.
const GONE: u64 = 180_000;

/// The slot of this tab.
pub struct Keep {
    slot: String,
    later: RefCell<Option<Timeout>>,
    /// Slots of tabs that are gone, until what was in them stands in this one.
    taken: RefCell<Vec<(String, Option<Held>)>>,
    /// For as long as it is held, no other tab takes what is in the slot.
    _held: Option<Held>,
}

impl Keep {
    /// Writes what is kept; nothing takes the slot away. Whether it stands there now.
    pub fn write(&self, text: Option<&str>) -> bool {
        self.later.take();
        let Some(storage) = storage() else {
            return text.is_none();
        };
        // A full storage keeps what it had: older decisions are better than none.
        let written = match text {
            Some(text) => storage.set_item(&self.slot, text),
            None => storage.remove_item(&self.slot),
        };
        if written.is_ok() {
            for (slot, _) in self.taken.take() {
                let _ = storage.remove_item(&slot);
                let _ = storage.remove_item(&life(&slot));
            }
        }
        written.is_ok()
    }

    /// Does something in a moment; once, however often it is asked for. The moment is longer where
    /// there is much to write.
    pub fn later(&self, open: usize, act: impl FnOnce() + 'static) {
        let mut later = self.later.borrow_mut();
        if later.is_none() {
            let pause = PAUSE.saturating_add(open as u32 / 20);
            *later = Some(Timeout::new(pause, act));
        }
    }

    /// The page goes, and may come back. Whether something is to be written yet.
    fn part(&self) -> bool {
        if let Some(storage) = storage() {
            let _ = storage.remove_item(&life(&self.slot));
        }
        self.later.borrow().is_some()
    }
}

/// Finds the slot of this tab, and takes up what this tab and tabs that are gone left behind.
pub fn start(base: &str, decisions: Decisions) {
    let part = move || {
        let keep = decisions.keep;
        if keep.try_with_value(|keep| keep.as_ref().is_some_and(Keep::part)) == Some(true) {
            decisions.keep_now();
        }
    };
    let told = window_event_listener(ev::pagehide, move |_| part());
    on_cleanup(move || {
        told.remove();
        part();
    });
    let base = base.to_owned();
    spawn(async move {
        let Some(storage) = storage() else { return };
        let (own, held) = find(&storage, &base).await;
        let left = storage.get_item(&own).ok().flatten();
        let keep = Keep {
            slot: own.clone(),
            later: RefCell::new(None),
            taken: RefCell::default(),
            _held: held,
        };
        if decisions.keep.try_set_value(Some(keep)).is_some() {
            return;
        }
        if let Some(left) = left {
            decisions.restore(&left);
        }
        // With what was decided before the slot was known.
        decisions.keep_now();
        decisions.pump();
        while inherit(&storage, &base, &own, decisions).await && !lock::are_there() {
            TimeoutFuture::new(BEAT).await;
            if decisions.keep.try_with_value(|_| ()).is_some() {
                beat(&storage, &own);
            }
        }
    });
}

/// Finds the slot of this tab.
async fn find(storage: &Storage, base: &str) -> (String, Option<Held>) {
    let tab = session().and_then(|session| session.get_item(TAB).ok().flatten());
    // A tab that was duplicated has the number of the other one. After a reload the page before
    // may not have let go yet.
    if let Some(number) = &tab {
        let own = slot(base, number);
        for _ in 0..5 {
            let held = lock::take(&own).await;
            if held.is_some() || (!lock::are_there() && !is_alive(storage, &own)) {
                beat(storage, &own);
                return (own, held);
            }
            TimeoutFuture::new(PAUSE / 2).await;
        }
    }
    let number = ((js_sys::Math::random() * 1e15) as u64).to_string();
    let own = slot(base, &number);
    let held = lock::take(&own).await;
    beat(storage, &own);
    if let Some(session) = session() {
        let _ = session.set_item(TAB, &number);
    }
    (own, held)
}

/// Takes over what tabs that are gone left behind. Whether this one is still there.
async fn inherit(storage: &Storage, base: &str, own: &str, decisions: Decisions) -> bool {
    let prefix = slot(base, "");
    let names: Vec<String> = (0..storage.length().unwrap_or_default())
        .filter_map(|at| storage.key(at).ok().flatten())
        .filter(|name| name.starts_with(&prefix) && name != own)
        .collect();
    for name in names {
        let held = lock::take(&name).await;
        if held.is_none() && (lock::are_there() || is_alive(storage, &name)) {
            continue;
        }
        let Some(left) = storage.get_item(&name).ok().flatten() else {
            continue;
        };
        // It stands there until it stands here.
        decisions.keep.try_with_value(|keep| {
            if let Some(keep) = keep {
                keep.taken.borrow_mut().push((name, held));
            }
        });
        decisions.restore(&left);
        decisions.keep_now();
        decisions.pump();
    }
    decisions.keep.try_with_value(|_| ()).is_some()
}

/// Says that the tab of a slot lives, where no lock does.
fn beat(storage: &Storage, slot: &str) {
    if !lock::are_there() {
        let _ = storage.set_item(&life(slot), &now().to_string());
    }
}

/// Whether the tab of a slot lives, as far as it said so.
fn is_alive(storage: &Storage, slot: &str) -> bool {
    let said = storage.get_item(&life(slot)).ok().flatten();
    let said = said.and_then(|said| said.parse::<u64>().ok());
    said.is_some_and(|said| now().abs_diff(said) < GONE)
}

/// Milliseconds by the clock. Whole ones: to write and read a fraction is 25 kB of code.
fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Where the tab of a slot says that it lives.
fn life(slot: &str) -> String {
    [LIVES, slot.strip_prefix(SLOTS).unwrap_or_default()].concat()
}

fn slot(base: &str, tab: &str) -> String {
    [SLOTS, " ", base, " ", tab].concat()
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn session() -> Option<Storage> {
    window().session_storage().ok().flatten()
}
