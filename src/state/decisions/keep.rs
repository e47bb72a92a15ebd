//! The outbox in the browser's storage, so that a reload or a crash loses no decision.
//!
//! Each tab has a slot of its own, and holds a lock of the same name for as long as it lives. A slot
//! whose lock is free belongs to a tab that is gone: whoever comes first takes over what is in it.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use web_sys::Storage;

use super::Decisions;
use crate::state::lock::{self, Held};
use crate::state::spawn;

const SLOTS: &str = "lead-workspace.outbox";

/// In the tab's own storage: the number of the tab, which a reload keeps.
const TAB: &str = "lead-workspace.tab";

/// What is kept is written at most this often, in milliseconds.
const PAUSE: u32 = 200;

/// The slot of this tab.
pub struct Keep {
    slot: String,
    later: RefCell<Option<Timeout>>,
    /// For as long as it is held, no other tab takes what is in the slot.
    _held: Option<Held>,
}

impl Keep {
    /// Writes what is kept; nothing takes the slot away.
    pub fn write(&self, text: Option<String>) {
        self.later.take();
        let Some(storage) = storage() else { return };
        // A full storage keeps what it had: older decisions are better than none.
        let _ = match text {
            Some(text) => storage.set_item(&self.slot, &text),
            None => storage.remove_item(&self.slot),
        };
    }

    /// Does something in a moment; once, however often it is asked for. Whether it will be done.
    pub fn later(&self, act: impl FnOnce() + 'static) -> bool {
        let mut later = self.later.borrow_mut();
        if later.is_none() {
            *later = Some(Timeout::new(PAUSE, act));
        }
        true
    }
}

/// Finds the slot of this tab, and takes up what this tab and tabs that are gone left behind.
pub fn start(base: &str, decisions: Decisions) {
    let base = base.to_owned();
    spawn(async move {
        let Some(storage) = storage() else { return };
        let mut held = None;
        let mut tab = session().and_then(|session| session.get_item(TAB).ok().flatten());
        // A tab that was duplicated has the number of the other one. After a reload the page before
        // may not have let go yet.
        if let Some(number) = &tab {
            let own = slot(&base, number);
            held = lock::take(&own).await;
            for _ in 0..4 {
                if held.is_some() {
                    break;
                }
                TimeoutFuture::new(PAUSE / 2).await;
                held = lock::take(&own).await;
            }
            if held.is_none() && lock::are_there() {
                tab = None;
            }
        }
        let number = match tab {
            Some(number) => number,
            None => {
                let number = ((js_sys::Math::random() * 1e15) as u64).to_string();
                held = lock::take(&slot(&base, &number)).await;
                number
            }
        };
        if let Some(session) = session() {
            let _ = session.set_item(TAB, &number);
        }
        let own = slot(&base, &number);
        let prefix = format!("{SLOTS} {base} ");
        let names: Vec<String> = (0..storage.length().unwrap_or_default())
            .filter_map(|at| storage.key(at).ok().flatten())
            .filter(|name| name.starts_with(&prefix))
            .collect();
        let keep = Keep {
            slot: own.clone(),
            later: RefCell::new(None),
            _held: held,
        };
        if decisions.keep.try_set_value(Some(keep)).is_some() {
            return;
        }
        // What was decided before the slot was known.
        let mut found = Vec::new();
        for name in names {
            let taken = match name == own {
                true => None,
                false => lock::take(&name).await,
            };
            if name == own || taken.is_some() {
                found.extend(storage.get_item(&name).ok().flatten());
                if name != own {
                    let _ = storage.remove_item(&name);
                }
            }
        }
        decisions.keep_now();
        for text in found {
            decisions.restore(&text);
        }
    });
}

fn slot(base: &str, tab: &str) -> String {
    format!("{SLOTS} {base} {tab}")
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn session() -> Option<Storage> {
    window().session_storage().ok().flatten()
}
