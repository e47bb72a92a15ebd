//! Light or dark colors: the system's, or the user's choice.

use leptos::prelude::*;

use super::storage::Storage;
use crate::app::reactive::RwSignal;

/// Also read by `boot.js`, before the first paint.
const STORAGE: Storage = Storage::new("lead-workspace.theme", true);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colors {
    /// As the system is set.
    #[default]
    System,
    Light,
    Dark,
}

impl Colors {
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
        all.into_iter().find(|colors| colors.as_str() == word)
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
pub struct Theme(RwSignal<Colors>);

impl Theme {
    /// Reads the stored choice.
    pub fn start() -> Self {
        let stored = STORAGE.read();
        Self::new(
            stored
                .as_deref()
                .and_then(Colors::parse)
                .unwrap_or_default(),
        )
    }

    /// A choice of the host page, which stores it itself.
    pub fn new(colors: Colors) -> Self {
        Self(RwSignal::new(colors))
    }

    /// Sets another choice of the host page.
    pub fn set(self, colors: Colors) {
        self.0.set(colors);
    }

    pub fn get(self) -> Colors {
        self.0.get()
    }

    /// Switches to the next choice and stores it.
    pub fn choose_next(self) {
        self.choose(self.0.get_untracked().next());
    }

    /// Sets and stores a choice.
    pub fn choose(self, colors: Colors) {
        self.0.set(colors);
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", colors.as_str());
        }
        STORAGE.write(colors.as_str());
    }
}
