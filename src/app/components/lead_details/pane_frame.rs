//! Frame of the details pane: back, previous and next row, copy link, close.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::ListPosition;
use crate::app::components::dom::{El, aside, button, div, effect, h2, span};
use crate::app::components::icon;
use crate::app::components::skeleton::skeleton;
use crate::app::reactive::{Memo, Signal};

#[derive(Clone)]
pub struct PeekFrame {
    /// ARIA role of the pane.
    pub role: &'static str,
    /// Accessible name.
    pub label: &'static str,
    /// What is shown, for the labels of the buttons.
    pub noun: &'static str,
    /// Whether the pane is still hidden, because its content is about to be loaded.
    pub waiting: Memo<bool>,
    /// Whether the pane was painted once. Before, it lies over the list, and has only its first sections.
    pub is_painted: Signal<bool>,
    /// Whether a response is pending.
    pub busy: Signal<bool>,
    /// Error state, shown above the content or in its place.
    pub error_state: Rc<dyn Fn() -> Option<El>>,
    /// Position of the row in the list.
    pub position: Signal<ListPosition>,
    pub on_previous: Callback<()>,
    pub on_next: Callback<()>,
    pub on_close: Callback<()>,
    /// Copies a link to the details; `None` if no URL leads here.
    pub on_copy: Option<Callback<()>>,
    /// Message about the copied link.
    pub message: Signal<String>,
    /// Whether the content that is shown now takes the focus.
    pub takes_focus: Signal<bool>,
}

impl PeekFrame {
    /// Renders the pane around `content`. `is_listed` is whether there is any content.
    pub fn panel(&self, is_listed: Signal<bool>, content: impl Fn() -> Option<El> + 'static) -> El {
        let (busy, blank) = (self.busy, self.busy);
        let (waiting, is_painted) = (self.waiting, self.is_painted);
        let error_state = Rc::clone(&self.error_state);
        let middle = div()
            .class("middle")
            .child(move || error_state())
            .child(content)
            .child(move || {
                (!is_listed.get() && blank.get()).then(|| skeleton("skeleton all", &[2, 3, 2]))
            });
        aside()
            .class("details-pane")
            .attr("role", self.role)
            .attr("aria-label", self.label)
            .attr("data-waiting", move || waiting.get().to_string())
            .attr("data-over", move || (!is_painted.get()).to_string())
            .attr("aria-busy", move || busy.get().to_string())
            .child(self.bar())
            .child(middle)
    }

    /// Renders the heading of the content. It takes the focus when the content has another `id` and `takes_focus` returns
    /// true.
    pub fn heading(&self, name: impl Fn() -> String + 'static, id: Memo<Option<String>>) -> El {
        let heading = h2().class("name").attr("tabindex", "-1").child(name);
        let node: HtmlElement = heading.node().unchecked_into();
        let takes_focus = self.takes_focus;
        // Runs when the heading is in the page.
        effect(move || {
            if id.get().is_some() && takes_focus.get() {
                let _ = node.focus();
            }
        });
        heading
    }

    fn bar(&self) -> El {
        let press = |class: &str, label: &str, picture: El, act: &Callback<()>| {
            let act = *act;
            button()
                .class(class)
                .attr("aria-label", label)
                .attr("title", label)
                .child(picture)
                .on(ev::click, move |_| act.run(()))
        };
        let (previous, next, words) = (self.position, self.position, self.position);
        let of = |what: &str| [what, " ", self.noun].concat();
        // Not disabled: a disabled button would lose the focus at the end of the list.
        let off = |of: bool| if of { "false" } else { "true" }.to_owned();
        let message = self.message;
        let back =
            press("quiet back", "Back", icon::left(), &self.on_close).child(span().child("Back"));
        let copy = self
            .on_copy
            .as_ref()
            .map(|copy| press("quiet", "Copy link", icon::chain(), copy));
        let up = press("quiet", &of("Previous"), icon::up(), &self.on_previous);
        let down = press("quiet", &of("Next"), icon::down(), &self.on_next);
        div()
            .class("details-bar")
            .child(back)
            .child(up.attr("aria-disabled", move || off(previous.get().previous)))
            .child(down.attr("aria-disabled", move || off(next.get().next)))
            .child(span().class("position").child(move || words.get().words))
            .child(
                span()
                    .class("message")
                    .attr("role", "status")
                    .child(move || message.get()),
            )
            .child(copy)
            .child(press("quiet close", "Close", icon::cross(), &self.on_close))
    }
}
