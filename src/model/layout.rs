//! How a list is laid out: its columns and the height of its rows. Both are in the address.

use form_urlencoded::{Serializer, parse};

use super::columns::{Columns, Sheet};

/// The height of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// High rows.
    #[default]
    Comfortable,
    /// Low rows: more of them on the screen.
    Compact,
}

impl Density {
    /// The word in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comfortable => "comfortable",
            Self::Compact => "compact",
        }
    }

    /// The height of a row, in pixels.
    pub fn row(self) -> u32 {
        match self {
            Self::Comfortable => 40,
            Self::Compact => 32,
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Comfortable => Self::Compact,
            Self::Compact => Self::Comfortable,
        }
    }

    fn of(word: &str) -> Self {
        if word == Self::Compact.as_str() {
            Self::Compact
        } else {
            Self::Comfortable
        }
    }
}

/// The layout of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The height of the rows.
    pub density: Density,
    /// The columns as text; empty for the usual ones.
    columns: String,
}

impl Layout {
    /// A layout with these columns.
    #[must_use]
    pub fn with(&self, columns: &Columns) -> Self {
        Self {
            columns: columns.to_text(),
            ..self.clone()
        }
    }

    /// The same columns in rows of the other height.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self {
            density: self.density.other(),
            ..self.clone()
        }
    }

    /// The columns.
    pub fn columns(&self, sheet: Sheet) -> Columns {
        Columns::of(sheet, &self.columns)
    }

    /// Takes a part of a query string over, if it is one of the layout.
    pub fn take(&mut self, sheet: Sheet, name: &str, value: &str) {
        match name {
            "density" => self.density = Density::of(value),
            "cols" => self.columns = Columns::of(sheet, value).to_text(),
            _ => {}
        }
    }

    /// Reads a query string.
    pub fn from_query(sheet: Sheet, query: &str) -> Self {
        let mut layout = Self::default();
        for (name, value) in parse(query.as_bytes()) {
            layout.take(sheet, &name, &value);
        }
        layout
    }

    /// Adds what is not as usual to a query string.
    pub fn put(&self, query: &mut Serializer<'_, String>) {
        if self.density != Density::default() {
            query.append_pair("density", self.density.as_str());
        }
        if !self.columns.is_empty() {
            query.append_pair("cols", &self.columns);
        }
    }

    /// The query string with this layout in place of its own.
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

/// Whether a query string says anything of a layout.
pub fn says_layout(query: &str) -> bool {
    parse(query.as_bytes()).any(|(name, _)| is_layout(&name))
}

fn is_layout(name: &str) -> bool {
    matches!(name, "density" | "cols")
}
