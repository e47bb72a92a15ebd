//! Dialog of the saved views: open, save, rename, remove.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlInputElement};

use super::dialog::{head, modal};
use super::dom::{El, a, button, div, form, input, li, p, ul};
use super::icon;
use crate::app::model::saved_views::{SaveViewError, SavedView, SavedViews};
use crate::app::reactive::{RwSignal, Signal, StoredValue};

pub enum ViewAction {
    /// Saves the current view under this name.
    Save(String),
    /// Renames a view: old name, new name.
    Rename(String, String),
    /// Removes the view with this name.
    Remove(String),
    /// Opens the app with this view, or with none.
    First(Option<String>),
}

/// Inputs and callbacks of the dialog.
#[derive(Clone)]
pub struct ViewsDialog {
    pub saved: Signal<SavedViews>,
    /// Query of the current view.
    pub now: String,
    /// Suggested name for the current view.
    pub words: String,
    /// Whether the field for the name has the focus at first.
    pub focuses_name: bool,
    /// Returns the URL for the query of a view.
    pub href: Rc<dyn Fn(&str) -> String>,
    pub on_action: Rc<dyn Fn(ViewAction) -> Result<(), SaveViewError>>,
}

/// Renders the dialog. After it is closed, calls `on_done` with the query of the view to open, or `None`.
pub fn views(views: &ViewsDialog, on_done: Callback<Option<String>>) -> El {
    let wrong = RwSignal::new(String::new());
    let renamed = RwSignal::new(None::<String>);
    let picked = StoredValue::new(None::<String>);
    let dialog =
        modal("views", "Views", move || on_done.run(picked.get_value())).attr("tabindex", "-1");
    let top = head("Views", &dialog.node());
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let focus = dialog.node();
    let open = move |query: &str| {
        picked.set_value(Some(query.to_owned()));
        node.close();
    };
    let of = Rc::new(ViewsContext {
        views: views.clone(),
        wrong,
        renamed,
        open: Rc::new(open),
        focus,
    });
    let lines = Rc::clone(&of);
    let list = div().class("lines").child(move || {
        let saved = lines.views.saved.get();
        let renamed = renamed.get();
        let views = saved.views().iter().map(|view| {
            if renamed.as_deref() == Some(&*view.name) {
                rename(view, &lines)
            } else {
                line(view, &lines)
            }
        });
        Some(if saved.views().is_empty() {
            let text = "No saved views yet. A view stores everything in the URL: tab, search, filters, sort, columns and row height.";
            p().class("intro").child(text)
        } else {
            ul().children(views)
        })
    });
    let wrong = p()
        .class("wrong")
        .attr("role", "alert")
        .attr("id", "views-wrong")
        .child(move || wrong.get());
    dialog.child(top).child(list).child(save(&of)).child(wrong)
}

/// Context shared by all lines.
struct ViewsContext {
    views: ViewsDialog,
    wrong: RwSignal<String>,
    renamed: RwSignal<Option<String>>,
    open: Rc<dyn Fn(&str)>,
    focus: Element,
}

impl ViewsContext {
    /// Runs an action, shows its error if it fails, and returns whether it succeeded.
    fn run_action(&self, run_action: ViewAction) -> bool {
        let outcome = (self.views.on_action)(run_action);
        let wrong = outcome.err().map(SaveViewError::as_str).unwrap_or_default();
        self.wrong.set(wrong.to_owned());
        if wrong.is_empty() {
            // The line that had the focus is rendered again.
            let _ = self.focus.unchecked_ref::<HtmlElement>().focus();
        }
        wrong.is_empty()
    }
}

fn line(view: &SavedView, of: &Rc<ViewsContext>) -> El {
    let (open, query) = (Rc::clone(of), view.query.clone());
    let link = a()
        .attr("href", (of.views.href)(&view.query))
        .attr(
            "aria-current",
            (view.query == of.views.now).then_some("true"),
        )
        .child(&view.name)
        .on(ev::click, move |event| {
            if super::links::is_plain(&event) {
                event.prevent_default();
                (open.open)(&query);
            }
        });
    let act = |class: &str, label: &str, icon: El| {
        button()
            .class(class)
            .attr("aria-label", [label, " ", &view.name].concat())
            .attr("title", label)
            .child(icon)
    };
    let (first, is_first, name) = (Rc::clone(of), view.first, view.name.clone());
    let star = act("quiet star", "Open the app with", icon::star())
        .attr("aria-pressed", if is_first { "true" } else { "false" })
        .on(ev::click, move |_| {
            first.run_action(ViewAction::First((!is_first).then(|| name.clone())));
        });
    let (rename, old) = (Rc::clone(of), view.name.clone());
    let pen = act("quiet", "Rename", icon::pen()).on(ev::click, move |_| {
        rename.renamed.set(Some(old.clone()));
    });
    let (remove, name) = (Rc::clone(of), view.name.clone());
    let bin = act("quiet", "Remove", icon::cross()).on(ev::click, move |_| {
        remove.run_action(ViewAction::Remove(name.clone()));
    });
    li().class("line")
        .child(link)
        .child(star)
        .child(pen)
        .child(bin)
}

fn rename(view: &SavedView, of: &Rc<ViewsContext>) -> El {
    let input = name(&["New name of ", &view.name].concat(), &view.name);
    let node: HtmlInputElement = input.node().unchecked_into();
    let focus = node.clone();
    super::dom::effect(move || {
        let _ = focus.focus();
        focus.select();
    });
    let (done, old, stop) = (Rc::clone(of), view.name.clone(), Rc::clone(of));
    let form = form()
        .class("name")
        .child(input)
        .child(
            button()
                .class("main")
                .attr("type", "submit")
                .child("Rename"),
        )
        .on(ev::submit, move |event| {
            event.prevent_default();
            if done.run_action(ViewAction::Rename(old.clone(), node.value())) {
                done.renamed.set(None);
            }
        })
        .on(ev::keydown, move |event| {
            let event: web_sys::KeyboardEvent = event.unchecked_into();
            if event.key() == "Escape" {
                // Ends the renaming, and does not close the dialog.
                event.prevent_default();
                stop.renamed.set(None);
            }
        });
    li().class("line").child(form)
}

fn save(of: &Rc<ViewsContext>) -> El {
    let input = name("Name of this view", &of.views.words)
        .attr("autofocus", of.views.focuses_name.then_some(""));
    let node: HtmlInputElement = input.node().unchecked_into();
    // What is typed replaces the suggestion.
    let (suggested, words) = (node.clone(), of.views.words.clone());
    let input = input.on(ev::focus, move |_| {
        if suggested.value() == words {
            suggested.select();
        }
    });
    let done = Rc::clone(of);
    let form = form()
        .class("name")
        .child(input)
        .child(button().class("main").attr("type", "submit").child("Save"));
    form.on(ev::submit, move |event| {
        event.prevent_default();
        done.run_action(ViewAction::Save(node.value()));
    })
}

fn name(label: &str, value: &str) -> El {
    input()
        .attr("type", "text")
        .attr("aria-label", label)
        .attr("aria-describedby", "views-wrong")
        .attr("maxlength", "60")
        .attr("autocomplete", "off")
        .attr("value", value)
}
