//! What stands around all details: the way back, the rows before and after, the link, the way out.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::Place;
use crate::components::dom::{Action, El, Reader, button, classed, drawn, effect, el};
use crate::components::icon;
use crate::signal::Memo;

/// The frame of details.
#[derive(Clone)]
pub struct Frame {
    /// Its role among the landmarks.
    pub role: &'static str,
    /// Its name.
    pub label: &'static str,
    /// What is looked at, for the names of the buttons.
    pub noun: &'static str,
    /// Whether the panel is not shown yet, because its content is about to be here.
    pub waiting: Memo<bool>,
    /// Whether an answer is awaited.
    pub busy: Reader<bool>,
    /// What went wrong, above what is shown or in its place.
    pub trouble: Reader<Option<El>>,
    /// Where the row stands in the list, and whether there is one before and one after it.
    pub place: Reader<Place>,
    /// The row before is wanted.
    pub on_previous: Action<()>,
    /// The row after is wanted.
    pub on_next: Action<()>,
    /// Enough seen.
    pub on_close: Action<()>,
    /// A link to the details is wanted; none where no address leads here.
    pub on_copy: Option<Action<()>>,
    /// What is to be said of the copying.
    pub said: Reader<String>,
    /// Whether the focus goes to what is shown now.
    pub takes_focus: Reader<bool>,
}

impl Frame {
    /// The panel around what is drawn. `here` says whether anything is.
    pub fn panel(&self, here: Reader<bool>, content: impl Fn() -> Option<El> + 'static) -> El {
        let (busy, blank) = (Rc::clone(&self.busy), Rc::clone(&self.busy));
        let waiting = self.waiting;
        let (trouble, on_close) = (Rc::clone(&self.trouble), Rc::clone(&self.on_close));
        let middle = classed("div", "middle")
            .el_of(move || trouble())
            .el_of(content)
            .el_of(move || (!here() && blank()).then(ghost));
        classed("aside", "peek")
            .attr("role", self.role)
            .attr("aria-label", self.label)
            .attr_of("data-waiting", move || waiting.get().to_string())
            .attr_of("aria-busy", move || busy().to_string())
            .el(self.bar())
            .el(middle)
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

    /// The name of what is shown. It takes the focus where that is wanted.
    pub fn heading(&self, name: &str) -> El {
        let heading = classed("h2", "name").attr("tabindex", "-1").text(name);
        let node: HtmlElement = heading.node().unchecked_into();
        if (self.takes_focus)() {
            effect(move || {
                // A heading that was just put into the page takes the focus.
                let _ = node.focus();
            });
        }
        heading
    }

    fn bar(&self) -> El {
        let press = |class: &str, label: &str, picture: El, act: &Action<()>| {
            let act = Rc::clone(act);
            button(class, "")
                .attr("aria-label", label)
                .attr("title", label)
                .el(picture)
                .on("click", move |_| act(()))
        };
        let (previous, next, words) = (
            Rc::clone(&self.place),
            Rc::clone(&self.place),
            Rc::clone(&self.place),
        );
        let of = |what: &str| [what, " ", self.noun].concat();
        // Not disabled: a button that is would lose the focus at the end of the list.
        let off = |of: bool| if of { "false" } else { "true" }.to_owned();
        let said = Rc::clone(&self.said);
        let back =
            press("quiet back", "Back", icon::left(), &self.on_close).el(el("span").text("Back"));
        let copy = self
            .on_copy
            .as_ref()
            .map(|copy| press("quiet", "Copy link", icon::chain(), copy));
        let up = press("quiet", &of("Previous"), icon::up(), &self.on_previous);
        let down = press("quiet", &of("Next"), icon::down(), &self.on_next);
        classed("div", "peek-bar")
            .el(back)
            .el(up.attr_of("aria-disabled", move || off(previous().previous)))
            .el(down.attr_of("aria-disabled", move || off(next().next)))
            .el(classed("span", "place").text_of(move || words().words))
            .el(classed("span", "said")
                .attr("role", "status")
                .text_of(move || said()))
            .el_opt(copy)
            .el(press("quiet close", "Close", icon::cross(), &self.on_close))
    }
}

/// Stands where the first details will be. The style sheet shows it only after a moment.
fn ghost() -> El {
    drawn(
        r#"<div class="ghost all" aria-hidden="true"><div><i></i><i></i></div><div><i></i><i></i><i></i></div><div><i></i><i></i></div></div>"#,
    )
}
