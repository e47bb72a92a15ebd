//! What stands where rows would be: nothing there, nothing found, nothing to be had.

use super::dom::{El, classed, el};

/// How a plate looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// There is nothing to show, and that is fine.
    Calm,
    /// Something went wrong.
    Trouble,
}

/// A plate: a headline and what to make of it. What can be done is for the caller to add.
pub fn plate(mood: Mood, title: &str, text: &str) -> El {
    plate_under("h2", mood, title, text)
}

/// A plate whose headline is of another level.
pub fn plate_under(level: &str, mood: Mood, title: &str, text: &str) -> El {
    let (class, role) = match mood {
        Mood::Calm => ("plate", "status"),
        Mood::Trouble => ("plate trouble", "alert"),
    };
    classed("section", class)
        .attr("role", role)
        .el(el(level).text(title))
        .el_opt((!text.is_empty()).then(|| el("p").text(text)))
}
