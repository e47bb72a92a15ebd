//! What a host page may choose, by two names: a member of `appearance`, and a custom property.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Surface,
    Text,
    Line,
    Accent,
    FontFamily,
    FontSize,
    BorderRadius,
    RowHeight,
}

impl Choice {
    pub const ALL: [Self; 8] = [
        Self::Surface,
        Self::Text,
        Self::Line,
        Self::Accent,
        Self::FontFamily,
        Self::FontSize,
        Self::BorderRadius,
        Self::RowHeight,
    ];

    /// Finds a choice by its name in `appearance`.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.names().0 == key)
    }

    /// Returns the name of the custom property.
    pub fn property(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Surface => ("surface", "--lead-workspace-surface"),
            Self::Text => ("text", "--lead-workspace-text"),
            Self::Line => ("line", "--lead-workspace-line"),
            Self::Accent => ("accent", "--lead-workspace-accent"),
            Self::FontFamily => ("fontFamily", "--lead-workspace-font-family"),
            Self::FontSize => ("fontSize", "--lead-workspace-font-size"),
            Self::BorderRadius => ("borderRadius", "--lead-workspace-border-radius"),
            Self::RowHeight => ("rowHeight", "--lead-workspace-row-height"),
        }
    }

    pub fn is_color(self) -> bool {
        matches!(self, Self::Surface | Self::Text | Self::Line | Self::Accent)
    }
}

/// A choice of the host page.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    pub choice: Choice,
    /// What it is called in messages.
    pub name: String,
    /// Its value in CSS.
    pub text: String,
}

impl Chosen {
    /// Returns a message about it.
    pub fn says(&self, what: &str) -> String {
        ["`", &self.name, "` (", &self.text, ") ", what].concat()
    }

    pub fn ignored(&self, why: &str) -> String {
        self.says(&[why, ", and is ignored."].concat())
    }
}
