//! Layout of a list: columns and row height. Both are part of the address.

use form_urlencoded::{Serializer, parse};

use super::columns::{ColumnSet, Columns};

/// Height of a comfortable row, in pixels, unless a host page wants another.
pub const ROW_HEIGHT: u32 = 40;

/// Row height of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    #[default]
    Comfortable,
    Compact,
}

impl Density {
    /// Name in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comfortable => "comfortable",
            Self::Compact => "compact",
        }
    }

    /// Returns the row height, from that of a comfortable row; in pixels.
    pub fn row(self, comfortable: u32) -> u32 {
        match self {
            Self::Comfortable => comfortable,
            // As in the style sheet.
            Self::Compact => comfortable * 4 / 5,
        }
    }

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Comfortable => Self::Compact,
            Self::Compact => Self::Comfortable,
        }
    }

    fn parse(word: &str) -> Self {
        if word == Self::Compact.as_str() {
            Self::Compact
        } else {
            Self::Comfortable
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub density: Density,
    /// Columns as text; empty for the default columns.
    columns: String,
}

impl Layout {
    #[must_use]
    pub fn with(&self, columns: &Columns) -> Self {
        Self {
            columns: columns.to_text(),
            ..self.clone()
        }
    }

    /// Returns a copy with the other density.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self {
            density: self.density.other(),
            ..self.clone()
        }
    }

    pub fn columns(&self, set: ColumnSet) -> Columns {
        Columns::from_text(set, &self.columns)
    }

    /// Reads a parameter of a query string, if it is one of the layout.
    pub fn take(&mut self, set: ColumnSet, name: &str, value: &str) {
        match name {
            "density" => self.density = Density::parse(value),
            "cols" => self.columns = Columns::from_text(set, value).to_text(),
            _ => {}
        }
    }

    pub fn from_query(set: ColumnSet, query: &str) -> Self {
        let mut layout = Self::default();
        for (name, value) in parse(query.as_bytes()) {
            layout.take(set, &name, &value);
        }
        layout
    }

    /// Appends what differs from the default to a query string.
    pub fn put(&self, query: &mut Serializer<'_, String>) {
        if self.density != Density::default() {
            query.append_pair("density", self.density.as_str());
        }
        if !self.columns.is_empty() {
            query.append_pair("cols", &self.columns);
        }
    }

    /// Returns the query string with this layout instead of its own.
    pub fn put_into(&self, query: &str) -> String {
        let mut new = Serializer::new(String::new());
        for (name, value) in parse(query.as_bytes()) {
            if !is_layout(&name) {
                new.append_pair(&name, &value);
            }
        }
        self.put(&mut new);
        new.finish()
    }
}

/// Whether a query string has parameters of a layout.
pub fn says_layout(query: &str) -> bool {
    parse(query.as_bytes()).any(|(name, _)| is_layout(&name))
}

fn is_layout(name: &str) -> bool {
    matches!(name, "density" | "cols")
}
