//! A filter that is in force, as a chip: what it says, a way to change it, a way out of it.

use super::dom::{Action, El, button, classed, el};
use super::icon;

/// What a chip shows.
pub struct Chip {
    /// The name of what is filtered.
    pub label: String,
    /// What of it is wanted.
    pub value: String,
    /// What the server says against it.
    pub wrong: Option<String>,
    /// It is to be changed, where it can be.
    pub on_edit: Option<Action<()>>,
    /// It is to go.
    pub on_remove: Action<()>,
}

/// A chip.
pub fn chip(chip: Chip) -> El {
    let Chip {
        label,
        value,
        wrong,
        on_edit,
        on_remove,
    } = chip;
    let said = match on_edit {
        Some(on_edit) => button("said", "")
            .attr("title", "Change this filter")
            .on("click", move |_| on_edit(())),
        None => classed("span", "said"),
    };
    let said = said
        .text(&label)
        .text(" ")
        .el(el("b").attr("title", &value).text(&value));
    let remove = button("quiet", "")
        .attr("aria-label", &["Remove ", &label].concat())
        .el(icon::cross())
        .on("click", move |_| on_remove(()));
    let wrong_text = wrong
        .as_ref()
        .map(|wrong| classed("span", "wrong").attr("role", "alert").text(wrong));
    classed("span", "chip")
        .attr_opt("data-wrong", wrong.as_ref().map(|_| ""))
        .el(said)
        .el_opt(wrong_text)
        .el(remove)
}
