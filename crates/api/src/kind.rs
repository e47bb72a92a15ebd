//! The kind of a value.

/// The kind of value expected at a location of a response.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any value.
    Any,
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// A number.
    Number,
    /// A 64-bit integer.
    Integer,
    /// A 64-bit integer from 0.
    Count,
    /// A 32-bit integer from 0.
    SmallCount,
    /// Counts by name.
    Counts,
    /// An array with elements of one kind.
    List(&'static Kind),
    /// An object with these members.
    Object(&'static [(&'static str, Kind)]),
}

impl Kind {
    /// Returns what is wanted, in words.
    pub(crate) fn wanted(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Text => "a string",
            Self::Flag => "true or false",
            Self::Number => "a number",
            Self::Integer => "an integer",
            Self::Count | Self::SmallCount => "an integer from 0",
            Self::List(_) => "an array",
            Self::Counts | Self::Object(_) => "an object",
        }
    }
}
