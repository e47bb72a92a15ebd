//! Light or dark colours: the system's, or the user's choice.

use leptos::prelude::*;

use super::storage::Storage;
use crate::app::reactive::RwSignal;

/// Also read by `boot.js`, before the first paint.
const STORAGE: Storage = Storage::new("lead-workspace.theme", true);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// As the system is set.
    #[default]
    System,
    Light,
    Dark,
}

impl Colours {
    /// Returns the next choice of the toggle button.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Parses a choice from its word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::System, Self::Light, Self::Dark];
        all.into_iter().find(|colours| colours.as_str() == word)
    }

    /// Returns the word that the document and the storage use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

#[derive(Clone, Copy)]
pub struct Theme(RwSignal<Colours>);

impl Theme {
    /// Reads the stored choice.
    pub fn start() -> Self {
        let stored = STORAGE.read();
        Self::new(
            stored
                .as_deref()
                .and_then(Colours::parse)
                .unwrap_or_default(),
        )
    }

    /// A choice of the host page, which stores it itself.
    pub fn new(colours: Colours) -> Self {
        Self(RwSignal::new(colours))
    }

    /// Sets another choice of the host page.
    pub fn set(self, colours: Colours) {
        self.0.set(colours);
    }

    pub fn get(self) -> Colours {
        self.0.get()
    }

    /// Switches to the next choice and stores it.
    pub fn choose_next(self) {
        self.choose(self.0.get_untracked().next());
    }

    /// Sets and stores a choice.
    pub fn choose(self, colours: Colours) {
        self.0.set(colours);
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", colours.as_str());
        }
        STORAGE.write(colours.as_str());
    }
}
