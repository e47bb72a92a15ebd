//! A short word on what was just done, for as long as somebody is likely to want it undone.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::deletion::HELD;
use crate::model::history::Step;
use crate::signal::RwSignal;

/// How long a word is shown, in milliseconds.
const SHOWN: u32 = 8_000;

/// A word on what was just done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A step was done, which can be undone.
    Decided(u64),
    /// A step was taken back, which can be done again, but for so many leads that were decided again
    /// since.
    Undone(Step, usize),
    /// So many decisions of an earlier visit are sent now.
    Restored(usize),
    /// A lead of this name will be deleted in a moment, unless that is called off.
    Deleting(String),
    /// Anything else.
    Said(String),
}

/// The notice.
#[derive(Clone, Copy)]
pub struct Notice {
    shown: RwSignal<Option<Word>>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Notice {
    /// Nothing to say.
    pub fn start() -> Self {
        Self {
            shown: RwSignal::new(None),
            timer: StoredValue::new_local(None),
        }
    }

    /// What is said now.
    pub fn get(self) -> Option<Word> {
        self.shown.get()
    }

    /// A step was done.
    pub fn decided(self, step: u64) {
        self.show(Word::Decided(step));
    }

    /// A step was taken back, but for so many leads.
    pub fn undone(self, step: Step, stay: usize) {
        self.show(Word::Undone(step, stay));
    }

    /// Decisions of an earlier visit are sent.
    pub fn restored(self, leads: usize) {
        self.show(Word::Restored(leads));
    }

    /// A lead will be deleted in a moment.
    pub fn deleting(self, name: &str) {
        self.show(Word::Deleting(name.to_owned()));
    }

    /// Says something.
    pub fn say(self, text: String) {
        self.show(Word::Said(text));
    }

    fn show(self, word: Word) {
        let shown = match word {
            // What can no longer be called off is not offered.
            Word::Deleting(_) => HELD,
            _ => SHOWN,
        };
        self.shown.try_set(Some(word));
        let timer = Timeout::new(shown, move || {
            self.shown.try_set(None);
        });
        self.timer.try_set_value(Some(timer));
    }
}
