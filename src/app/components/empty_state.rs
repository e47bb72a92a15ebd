//! Empty states and error states, shown in place of rows.

use super::dom::{El, element, p, section};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Empty, and that is not an error.
    Calm,
    Trouble,
}

/// Returns an empty or error state with a headline and a text. The caller adds the buttons.
pub fn empty_state(severity: Severity, title: &str, text: &str) -> El {
    empty_state_under("h2", severity, title, text)
}

/// Same as [`empty_state`], with another heading element than `h2`.
pub fn empty_state_under(level: &str, severity: Severity, title: &str, text: &str) -> El {
    let (class, role) = match severity {
        Severity::Calm => ("empty-state", "status"),
        Severity::Trouble => ("empty-state error", "alert"),
    };
    section()
        .class(class)
        .attr("role", role)
        .child(element(level).child(title))
        .child((!text.is_empty()).then(|| p().child(text)))
}
