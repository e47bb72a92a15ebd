//! Light or dark: as the system has it, or as the person chose.

use leptos::prelude::*;

use crate::signal::RwSignal;

/// Where the choice is kept; `boot.js` reads it too, before the first paint.
const SLOT: &str = "lead-workspace.theme";

/// A choice of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Colours {
    /// The next choice, for a button that goes round.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// The choice of a word.
    pub fn of(word: &str) -> Option<Self> {
        let all = [Self::System, Self::Light, Self::Dark];
        all.into_iter().find(|colours| colours.as_str() == word)
    }

    /// The word in the document and in the storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The chosen colours.
#[derive(Clone, Copy)]
pub struct Theme(RwSignal<Colours>);

impl Theme {
    /// Reads the choice of an earlier visit.
    pub fn start() -> Self {
        let kept = storage().and_then(|storage| storage.get_item(SLOT).ok().flatten());
        Self::of(kept.as_deref().and_then(Colours::of).unwrap_or_default())
    }

    /// A choice that somebody else made, and keeps.
    pub fn of(colours: Colours) -> Self {
        Self(RwSignal::new(colours))
    }

    /// Takes another choice that somebody else made.
    pub fn set(self, colours: Colours) {
        self.0.set(colours);
    }

    /// The choice.
    pub fn get(self) -> Colours {
        self.0.get()
    }

    /// Goes on to the next choice and keeps it.
    pub fn turn(self) {
        self.choose(self.0.get_untracked().next());
    }

    /// Takes a choice and keeps it.
    pub fn choose(self, colours: Colours) {
        self.0.set(colours);
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", colours.as_str());
        }
        if let Some(storage) = storage() {
            let _ = storage.set_item(SLOT, colours.as_str());
        }
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
