//! Views that were saved under a name.

use form_urlencoded::{Serializer, parse};

/// The longest name, in characters.
pub const LONGEST: usize = 60;

/// How many views can be kept.
pub const MOST: usize = 50;

/// A view under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedView {
    /// The name; no two views have the same.
    pub name: String,
    /// The query string.
    pub query: String,
    /// Whether the app opens with it.
    pub first: bool,
}

/// Why a name cannot be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is nothing in it.
    Blank,
    /// Another view has it.
    Taken,
    /// There are too many views already.
    Full,
}

impl Refused {
    /// What a person reads.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blank => "Give the view a name.",
            Self::Taken => "Another view has this name.",
            Self::Full => "There are too many views. Remove one first.",
        }
    }
}

/// The saved views, in the order in which they were saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    views: Vec<SavedView>,
}

impl Saved {
    /// Every view.
    pub fn views(&self) -> &[SavedView] {
        &self.views
    }

    /// The view that the app opens with.
    pub fn first(&self) -> Option<&SavedView> {
        self.views.iter().find(|view| view.first)
    }

    /// Saves a view under a name. A view of this name gets the new query.
    ///
    /// # Errors
    /// When the name cannot be given.
    pub fn save(&mut self, name: &str, query: &str) -> Result<(), Refused> {
        let name = sound(name)?;
        if let Some(view) = self.views.iter_mut().find(|view| view.name == name) {
            query.clone_into(&mut view.query);
            return Ok(());
        }
        if self.views.len() >= MOST {
            return Err(Refused::Full);
        }
        self.views.push(SavedView {
            name,
            query: query.to_owned(),
            first: false,
        });
        Ok(())
    }

    /// Gives a view another name.
    ///
    /// # Errors
    /// When the name cannot be given.
    pub fn rename(&mut self, old: &str, new: &str) -> Result<(), Refused> {
        let new = sound(new)?;
        if new != old && self.views.iter().any(|view| view.name == new) {
            return Err(Refused::Taken);
        }
        if let Some(view) = self.views.iter_mut().find(|view| view.name == old) {
            view.name = new;
        }
        Ok(())
    }

    /// Forgets a view.
    pub fn remove(&mut self, name: &str) {
        self.views.retain(|view| view.name != name);
    }

    /// The app opens with this view from now on; with none, where no view has the name.
    pub fn open_with(&mut self, name: Option<&str>) {
        for view in &mut self.views {
            view.first = name == Some(view.name.as_str());
        }
    }

    /// Reads what was kept. What cannot be is left out.
    pub fn of(text: &str) -> Self {
        let mut saved = Self::default();
        for (key, query) in parse(text.as_bytes()) {
            let (mark, name) = key.split_at_checked(1).unwrap_or(("", ""));
            if saved.save(name, &query).is_ok() && mark == "1" {
                let name = name.trim().to_owned();
                saved.open_with(Some(&name));
            }
        }
        saved
    }

    /// As text for [`of`](Self::of).
    pub fn to_text(&self) -> String {
        let mut text = Serializer::new(String::new());
        for view in &self.views {
            let mark = if view.first { "1" } else { "0" };
            let key = [mark, view.name.as_str()].concat();
            text.append_pair(&key, &view.query);
        }
        text.finish()
    }
}

fn sound(name: &str) -> Result<String, Refused> {
    let name: String = name.trim().chars().take(LONGEST).collect();
    let name = name.trim_end().to_owned();
    if name.is_empty() {
        Err(Refused::Blank)
    } else {
        Ok(name)
    }
}
