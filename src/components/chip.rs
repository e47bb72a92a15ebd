//! Filters that are in force, as chips: what each says, a way to change it, a way out of it.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement};

use super::dom::{Action, El, Reader, action, button, classed, el};
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

/// The chips. What is wrong with one is announced where nothing else says so. When one is taken away the focus goes to the next one, else to what stands around them.
pub fn chips(chips: Reader<Vec<Chip>>, announced: bool) -> El {
    let place = classed("div", "chips")
        .attr("role", "group")
        .attr("aria-label", "Active filters");
    let node = place.node();
    place.el_of(move || {
        let chips = chips().into_iter().map(|one| {
            let (remove, node) = (one.on_remove, node.clone());
            // Found while the chips are in the page still.
            let on_remove = action(move |()| {
                let around = node.closest("dialog, .page").ok().flatten();
                remove(());
                let node = node.clone();
                // The button is gone by then, and the focus would be nowhere.
                spawn_local(async move { go_on(&node, around) });
            });
            chip(Chip { on_remove, ..one }, announced)
        });
        Some(classed("div", "few").els(chips))
    })
}

fn go_on(chips: &Element, around: Option<Element>) {
    let next = chips.query_selector(".chip .quiet").ok().flatten();
    let next = next.filter(|_| chips.is_connected());
    // In a sheet there is no grid, but a head with buttons.
    let other = |what: &str| around.as_ref()?.query_selector(what).ok()?;
    let next = next
        .or_else(|| other(".grid"))
        .or_else(|| other(".rail-head button"));
    if let Some(next) = next {
        let _ = next.unchecked_into::<HtmlElement>().focus();
    }
}

/// A chip.
fn chip(chip: Chip, announced: bool) -> El {
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
    let wrong_text = wrong.as_ref().map(|wrong| {
        classed("span", "wrong")
            .attr_opt("role", announced.then_some("alert"))
            .text(wrong)
    });
    classed("span", "chip")
        .attr_opt("data-wrong", wrong.as_ref().map(|_| ""))
        .el(said)
        .el_opt(wrong_text)
        .el(remove)
}
