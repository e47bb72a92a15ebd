//! Views that the user saved under a name.

use form_urlencoded::{Serializer, parse};

/// Maximum length of a name, in characters.
pub const MAX_NAME: usize = 60;

/// Maximum number of saved views.
pub const MAX_VIEWS: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedView {
    /// Unique name.
    pub name: String,
    pub query: String,
    /// Whether the app opens with this view.
    pub first: bool,
}

/// Why a view cannot be saved under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveViewError {
    Blank,
    Taken,
    /// There are already [`MAX_VIEWS`] views.
    Full,
}

impl SaveViewError {
    /// Returns the message for the user.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blank => "Give the view a name.",
            Self::Taken => "Another view has this name.",
            Self::Full => "There are too many views. Remove one first.",
        }
    }
}

/// Saved views in the order in which they were saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedViews {
    views: Vec<SavedView>,
}

impl SavedViews {
    pub fn views(&self) -> &[SavedView] {
        &self.views
    }

    /// Returns the view that the app opens with.
    pub fn first(&self) -> Option<&SavedView> {
        self.views.iter().find(|view| view.first)
    }

    /// Saves a view. An existing view with this name gets the new query.
    ///
    /// # Errors
    /// If the name is blank, or there are too many views.
    pub fn save(&mut self, name: &str, query: &str) -> Result<(), SaveViewError> {
        let name = valid_name(name)?;
        if let Some(view) = self.views.iter_mut().find(|view| view.name == name) {
            query.clone_into(&mut view.query);
            return Ok(());
        }
        if self.views.len() >= MAX_VIEWS {
            return Err(SaveViewError::Full);
        }
        self.views.push(SavedView {
            name,
            query: query.to_owned(),
            first: false,
        });
        Ok(())
    }

    /// Renames a view.
    ///
    /// # Errors
    /// If the name is blank, or another view has it.
    pub fn rename(&mut self, old: &str, new: &str) -> Result<(), SaveViewError> {
        let new = valid_name(new)?;
        if new != old && self.views.iter().any(|view| view.name == new) {
            return Err(SaveViewError::Taken);
        }
        if let Some(view) = self.views.iter_mut().find(|view| view.name == old) {
            view.name = new;
        }
        Ok(())
    }

    pub fn remove(&mut self, name: &str) {
        self.views.retain(|view| view.name != name);
    }

    /// Sets the view that the app opens with; none if no view has the name.
    pub fn open_with(&mut self, name: Option<&str>) {
        for view in &mut self.views {
            view.first = name == Some(view.name.as_str());
        }
    }

    /// Reads the stored text. Invalid views are skipped.
    pub fn parse(text: &str) -> Self {
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

    /// Returns the text for [`parse`](Self::parse).
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

fn valid_name(name: &str) -> Result<String, SaveViewError> {
    let name: String = name.trim().chars().take(MAX_NAME).collect();
    let name = name.trim_end().to_owned();
    if name.is_empty() {
        Err(SaveViewError::Blank)
    } else {
        Ok(name)
    }
}
