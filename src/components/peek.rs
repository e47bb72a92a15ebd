//! The details of a lead: why it fits before anything else, then all that is known of it.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::dom::{Action, El, Reader, button, classed, effect, el};
use super::icon;
use super::lead_row::Act;
use crate::model::detail::Detail;
use crate::model::outbox::entry::Phase;

mod body;
mod foot;
mod outreach;
mod parts;
mod timeline;
mod top;
mod tree;
mod why;

/// What the peek shows, and what can be done with it.
#[derive(Clone)]
pub struct Peek {
    /// The lead that is shown.
    pub lead: Reader<Option<Arc<Detail>>>,
    /// Whether an answer is awaited.
    pub busy: Reader<bool>,
    /// Whether another lead than the one that is shown is on its way, so that nothing can be
    /// decided.
    pub locked: Reader<bool>,
    /// What went wrong, above what is shown or in its place.
    pub trouble: Reader<Option<El>>,
    /// The decision on the lead that is shown.
    pub decided: Reader<Decided>,
    /// What is to be done with the lead that is shown.
    pub on_act: Action<Act>,
    /// The lead is to be deleted.
    pub on_delete: Action<()>,
    /// Where the lead stands in the list, and whether there is one before and one after it.
    pub place: Reader<Place>,
    /// The lead before is wanted.
    pub on_previous: Action<()>,
    /// The lead after is wanted.
    pub on_next: Action<()>,
    /// Enough seen.
    pub on_close: Action<()>,
    /// A link to the lead is wanted; none where no address leads here.
    pub on_copy: Option<Action<()>>,
    /// What is to be said of the copying.
    pub said: Reader<String>,
    /// Whether the focus goes to what is shown now.
    pub takes_focus: Reader<bool>,
}

/// The decision on a lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The status to show.
    pub status: ApprovalStatus,
    /// How far a decision is.
    pub phase: Phase,
    /// Why a decision was not kept, if so.
    pub failed: Option<String>,
}

/// Where a lead stands in its list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// In words, e.g. `3 of 4,980`; empty for a lead that is not in the list.
    pub words: String,
    /// Whether there is a lead before it.
    pub previous: bool,
    /// Whether there is a lead after it.
    pub next: bool,
    /// Whether it is in the list, and can be deleted.
    pub here: bool,
}

/// The panel.
pub fn peek(peek: &Peek) -> El {
    let (lead, decided, trouble) = (
        Rc::clone(&peek.lead),
        Rc::clone(&peek.decided),
        Rc::clone(&peek.trouble),
    );
    let (busy, blank) = (Rc::clone(&peek.busy), Rc::clone(&peek.busy));
    let (here, phase) = (Rc::clone(&peek.lead), Rc::clone(&peek.decided));
    let takes_focus = Rc::clone(&peek.takes_focus);
    let content = move || {
        let lead = lead()?;
        let heading = classed("h2", "name")
            .attr("tabindex", "-1")
            .text(&lead.name);
        let node: HtmlElement = heading.node().unchecked_into();
        if takes_focus() {
            effect(move || {
                // A heading that was just put into the page takes the focus.
                let _ = node.focus();
            });
        }
        let top = top::top(&lead, heading, &decided);
        Some(classed("div", "all").el(top).el(body::body(&lead)))
    };
    let middle = classed("div", "middle")
        .el_of(move || trouble())
        .el_of(content)
        .el_of(move || (here().is_none() && blank()).then(ghost));
    let on_close = Rc::clone(&peek.on_close);
    classed("aside", "peek")
        .attr("role", "complementary")
        .attr("aria-label", "Lead details")
        .attr_of("aria-busy", move || busy().to_string())
        .attr_of("data-phase", move || phase().phase.as_str().to_owned())
        .el(bar(peek))
        .el(middle)
        .el(foot::foot(peek))
        .on("keydown", move |event| {
            let Ok(event) = event.dyn_into::<KeyboardEvent>() else {
                return;
            };
            if event.key() == "Escape" && !event.default_prevented() {
                event.prevent_default();
                on_close(());
            }
        })
}

/// The way back, the leads before and after, the link, the way out.
fn bar(peek: &Peek) -> El {
    let press = |class: &str, label: &str, picture: El, act: &Action<()>| {
        let act = Rc::clone(act);
        button(class, "")
            .attr("aria-label", label)
            .attr("title", label)
            .el(picture)
            .on("click", move |_| act(()))
    };
    let (previous, next, words) = (
        Rc::clone(&peek.place),
        Rc::clone(&peek.place),
        Rc::clone(&peek.place),
    );
    // Not disabled: a button that is would lose the focus at the end of the list.
    let off = |of: bool| if of { "false" } else { "true" }.to_owned();
    let said = Rc::clone(&peek.said);
    let back =
        press("quiet back", "Back", icon::left(), &peek.on_close).el(el("span").text("Back"));
    let copy = peek
        .on_copy
        .as_ref()
        .map(|copy| press("quiet", "Copy link", icon::chain(), copy));
    classed("div", "peek-bar")
        .el(back)
        .el(
            press("quiet", "Previous lead", icon::up(), &peek.on_previous)
                .attr_of("aria-disabled", move || off(previous().previous)),
        )
        .el(press("quiet", "Next lead", icon::down(), &peek.on_next)
            .attr_of("aria-disabled", move || off(next().next)))
        .el(classed("span", "place").text_of(move || words().words))
        .el(classed("span", "said")
            .attr("role", "status")
            .text_of(move || said()))
        .el_opt(copy)
        .el(press("quiet close", "Close", icon::cross(), &peek.on_close))
}

/// Stands where the first lead will be. The style sheet shows it only after a moment.
fn ghost() -> El {
    super::dom::drawn(
        r#"<div class="ghost all" aria-hidden="true"><div><i></i><i></i></div><div><i></i><i></i><i></i></div><div><i></i><i></i></div></div>"#,
    )
}
