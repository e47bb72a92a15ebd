//! Form for the API key of the workspace.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::dom::{El, button, div, effect, form, input, label, p, strong};
use crate::app::reactive::RwSignal;

/// Texts and options of the form.
pub struct KeyForm<'a> {
    /// The server that the key is sent to, shown because a link may have set it; empty for the server of this page.
    pub to: &'a str,
    /// Whether this page can store a key at all.
    pub may_keep: bool,
    /// Label of the submit button.
    pub submit: &'static str,
}

/// The inputs of a form for a key.
struct KeyInputs {
    key: El,
    /// The checkbox that keeps the key in this tab, with its label.
    keep: El,
    /// The place of the error message.
    problem: El,
    values: KeyValues,
}

struct KeyValues {
    key: HtmlInputElement,
    keep: HtmlInputElement,
    problem: RwSignal<String>,
}

impl KeyInputs {
    /// Creates the inputs. `problem_id` is the id of the error message, `is_kept` whether the checkbox is checked.
    fn new(problem_id: &str, is_kept: bool) -> Self {
        let problem = RwSignal::new(String::new());
        let key = input()
            .attr("type", "password")
            .attr("name", "key")
            .attr("autocomplete", "off")
            .attr("spellcheck", "false")
            .attr("placeholder", "lwk_…")
            .attr("aria-describedby", problem_id)
            .attr("aria-invalid", move || {
                problem.with(|problem| !problem.is_empty()).to_string()
            });
        let keep = input().attr("type", "checkbox");
        let values = KeyValues {
            key: key.node().unchecked_into(),
            keep: keep.node().unchecked_into(),
            problem,
        };
        values.keep.set_checked(is_kept);
        Self {
            key,
            keep: label()
                .class("keep")
                .child(keep)
                .child("Keep it in this tab after a reload"),
            problem: p()
                .class("wrong")
                .attr("id", problem_id)
                .attr("role", "alert")
                .child(move || problem.get()),
            values,
        }
    }
}

impl KeyValues {
    /// Makes `form` call `on_key` with the key and whether to store it for the tab. `on_key` returns an error message if the
    /// key cannot be used.
    fn submit(self, form: El, on_key: impl Fn(String, bool) -> Result<(), String> + 'static) -> El {
        form.on(ev::submit, move |event| {
            event.prevent_default();
            // A key that works removes the form.
            if let Err(problem) = on_key(self.key.value(), self.keep.checked()) {
                self.problem.set(problem);
            }
        })
    }
}

/// Renders the form below `heading`, and focuses its field. `cancel` is a button before the submit button. `on_key` receives
/// the key and whether to store it for the tab; it returns an error message if the key cannot be used.
pub fn key_form(
    of: &KeyForm<'_>,
    heading: El,
    cancel: Option<El>,
    on_key: impl Fn(String, bool) -> Result<(), String> + 'static,
) -> El {
    let KeyInputs {
        key,
        keep,
        problem,
        values,
    } = KeyInputs::new("key-wrong", of.may_keep);
    let fine = match of.to {
        "" => p().child("The key stays in this tab and is sent to this server only."),
        to => p()
            .child("The key stays in this tab and is sent to ")
            .child(strong().child(to))
            .child(
                " only, which is not this page's server. Continue only if you trust that address.",
            ),
    };
    let submit = button()
        .class("main")
        .attr("type", "submit")
        .child(of.submit);
    let field = values.key.clone();
    effect(move || {
        let _ = field.focus();
    });
    let form = form()
        .child(heading)
        .child(label().child("API key").child(key.attr("autofocus", "")))
        .child(of.may_keep.then_some(keep))
        .child(problem)
        .child(fine.attr("class", "fine"))
        .child(div().class("buttons").child(cancel).child(submit));
    values.submit(form, on_key)
}

/// Renders the form for another key within a page that already names the server. `buttons` are below its inputs.
pub fn short_key_form(
    is_kept: bool,
    buttons: El,
    on_key: impl Fn(String, bool) -> Result<(), String> + 'static,
) -> El {
    let KeyInputs {
        key,
        keep,
        problem,
        values,
    } = KeyInputs::new("new-key-wrong", is_kept);
    let key = key.attr("aria-label", "API key").attr("data-first", "");
    let form = form().child(key).child(keep).child(problem).child(buttons);
    values.submit(form, on_key)
}
