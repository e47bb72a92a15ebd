//! The connection of the stream, as the bar shows it.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveConnection {
    /// Never open, or the server has no stream. Nothing is shown.
    #[default]
    Unknown,
    Live,
    Reconnecting,
    /// The stream was refused. It is opened again after a minute, or with another key if the key was refused.
    Stopped,
}

impl LiveConnection {
    const ALL: [Self; 4] = [Self::Unknown, Self::Live, Self::Reconnecting, Self::Stopped];

    /// Returns the name for the style sheet, and for other tabs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Live => "live",
            Self::Reconnecting => "reconnecting",
            Self::Stopped => "stopped",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }

    /// Returns what the bar says, and what it means.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Unknown => ("", ""),
            Self::Live => ("Live", "Changes by others are shown as they happen"),
            Self::Reconnecting => (
                "Reconnecting",
                "Changes by others are shown again when the connection is back",
            ),
            Self::Stopped => (
                "Not live",
                "Changes by others are shown when the list is refreshed",
            ),
        }
    }
}
