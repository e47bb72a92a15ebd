//! A facet of the filter sidebar: its values as checkboxes, and a search among them.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::limits::SEARCH_CHARACTERS;
use lead_workspace_api::shapes::FacetOption;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};

use super::debounce::Debounce;
use super::dom::{El, KeyedRow, button, details, div, em, h3, input, label, p, span, summary};
use super::format;
use crate::app::reactive::{Memo, RwSignal, Signal, memo};

/// Number of values shown before "Show more" is clicked.
const INITIAL_VALUES: usize = 6;

/// Up to this many values are all shown: a button for the last few would save little.
pub const MAX_WITHOUT_BUTTON: usize = 9;

/// Inputs and callbacks of a facet.
pub struct FacetSection {
    pub label: &'static str,
    /// Label and placeholder of the search box.
    pub hint: &'static str,
    /// Whether it is expanded.
    pub open: Signal<bool>,
    pub on_open: Callback<bool>,
    /// In display order.
    pub options: Memo<Vec<FacetOption>>,
    /// Whether no value matches the search.
    pub is_none: Signal<bool>,
    /// The selected values.
    pub chosen: Signal<Vec<String>>,
    /// Whether counts are of the whole workspace, not of the view.
    pub of_workspace: Signal<bool>,
    /// Number of values that match in total.
    pub total: Signal<u64>,
    /// The search text.
    pub text: Signal<String>,
    pub on_text: Callback<String>,
    /// Whether there are enough values for a search box.
    pub is_long: Signal<bool>,
    /// Whether values are being loaded.
    pub busy: Signal<bool>,
    /// Why the values could not be loaded.
    pub error: Signal<Option<String>>,
    /// Called with a value and whether it is selected now.
    pub on_choose: Callback<(String, bool)>,
    /// Called with the value to select instead of all others.
    pub on_only: Callback<String>,
}

pub fn facet(section: FacetSection) -> El {
    let FacetSection {
        label,
        hint,
        open,
        on_open,
        options,
        is_none,
        chosen,
        of_workspace,
        total,
        text,
        on_text,
        is_long,
        busy,
        error,
        on_choose,
        on_only,
    } = section;
    let all = RwSignal::new(false);
    let is_searched = { move || !text.get().is_empty() };
    let shown = {
        let (options, is_searched) = (options, is_searched);
        move || {
            let mut options = options.get();
            if !all.get() && !is_searched() && options.len() > MAX_WITHOUT_BUTTON {
                options.truncate(INITIAL_VALUES);
            }
            options
        }
    };
    let most = memo(move |_| {
        options.with(|options| options.iter().filter_map(|option| option.count).max())
    });
    let rows = {
        move || {
            let row = |option: FacetOption| {
                KeyedRow {
                    key: Arc::from(option.value.as_str()),
                    // Render again when the label changes. The count is kept up to date, so that a checkbox keeps the
                    // focus while leads are counted again.
                    version: option.label.len() as u32,
                    draw: Rc::new(move || {
                        let value = option.value.clone();
                        let count = memo(move |_| {
                            options.with(|options| {
                                let found = options.iter().find(|option| option.value == value);
                                found.and_then(|found| found.count)
                            })
                        });
                        let row =
                            value_row(&option, count, of_workspace, &chosen, &on_choose, &on_only);
                        row.style("--share", move || share(count.get(), most.get()))
                    }),
                }
            };
            shown().into_iter().map(row).collect()
        }
    };
    let message = {
        move || {
            let (shown, total) = (options.get().len() as u64, total.get());
            match chosen.get().len() {
                _ if total > shown => {
                    [&format::number(shown), " of ", &format::number(total)].concat()
                }
                0 => String::new(),
                chosen => [&format::number(chosen as u64), " chosen"].concat(),
            }
        }
    };
    let more = {
        let (options, is_searched) = (options, is_searched);
        move || {
            let count = options.get().len();
            if is_searched() || count <= MAX_WITHOUT_BUTTON {
                return None;
            }
            let label = match all.get() {
                true => "Show fewer".to_owned(),
                false => format!("Show {} more", count - INITIAL_VALUES),
            };
            Some(
                button()
                    .class("quiet more")
                    .child(&label)
                    .on(ev::click, move |_| all.update(|all| *all = !*all)),
            )
        }
    };
    let nothing = {
        move || {
            (is_searched() && !busy.get() && is_none.get())
                .then(|| p().class("fine").child("Nothing found"))
        }
    };
    let again = {
        move || {
            let retry = button()
                .class("")
                .child("Retry")
                .on(ev::click, move |_| on_text.run(untrack(|| text.get())));
            let message = span().child(&error.get()?).child(". ");
            Some(
                p().class("wrong")
                    .attr("role", "alert")
                    .child(message)
                    .child(retry),
            )
        }
    };
    let find = move || is_long.get().then(|| search_input(hint, &text, &on_text));
    let options = div()
        .class("options")
        .attr("role", "group")
        .attr("aria-label", label)
        .attr("aria-busy", move || busy.get().to_string())
        .keyed_rows(rows);
    let summary = summary()
        .child(h3().child(label))
        .child(span().child(message));
    let details = details().class("facet");
    let node = details.node();
    details
        .prop("open", move || open.get().into())
        .on(ev::toggle, move |_| on_open.run(node.has_attribute("open")))
        .child(summary)
        .child(find)
        .child(options)
        .child(nothing)
        .child(again)
        .child(more)
}

/// Renders one value: a checkbox, its name, its lead count, and a button that selects it alone.
fn value_row(
    option: &FacetOption,
    count: Memo<Option<u64>>,
    of_workspace: Signal<bool>,
    chosen: &Signal<Vec<String>>,
    on_choose: &Callback<(String, bool)>,
    on_only: &Callback<String>,
) -> El {
    let (of, alone) = (option.value.clone(), option.value.clone());
    let (chosen, on_choose, on_only) = (*chosen, *on_choose, *on_only);
    let checkbox = input().attr("type", "checkbox").prop("checked", {
        let of = of.clone();
        move || chosen.get().contains(&of).into()
    });
    let node: HtmlInputElement = checkbox.node().unchecked_into();
    let checkbox = checkbox.on(ev::change, move |_| {
        on_choose.run((of.clone(), node.checked()))
    });
    let title = move || match of_workspace.get() {
        true => "Leads in the whole workspace, with any status".to_owned(),
        false => String::new(),
    };
    let count_text = em()
        .attr("title", title)
        .child(move || count.get().map_or_else(String::new, format::number));
    let label = label()
        .child(checkbox)
        .child(span().attr("title", &option.label).child(&option.label))
        .child(count_text);
    let only = button()
        .class("quiet only")
        .child("only")
        .attr("aria-label", ["only ", &option.label].concat())
        .on(ev::click, move |_| on_only.run(alone.clone()));
    div()
        .class(move || match count.get() {
            Some(0) => "option none".to_owned(),
            _ => "option".to_owned(),
        })
        .child(label)
        .child(only)
}

/// Returns how many leads a value has, in percent of those of the most frequent value.
fn share(count: Option<u64>, most: Option<u64>) -> String {
    let (count, most) = (count.unwrap_or_default(), most.unwrap_or_default().max(1));
    // Not a fraction: formatting one takes 3 kB of the first screen.
    [&(count * 100 / most).to_string(), "%"].concat()
}

/// Renders a search box that searches after a pause in typing, or at once on Enter.
fn search_input(hint: &'static str, text: &Signal<String>, on_text: &Callback<String>) -> El {
    let (now, on_text) = (*text, *on_text);
    let debounce = Debounce::start();
    let input = input()
        .attr("type", "search")
        .attr("aria-label", hint)
        .attr("placeholder", hint)
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("maxlength", SEARCH_CHARACTERS.to_string());
    let node: HtmlInputElement = input.node().unchecked_into();
    // Restores the text after the sidebar is rendered again.
    node.set_value(&untrack(|| now.get()));
    let send = {
        let node = node.clone();
        move || {
            debounce.cancel();
            let wanted = node.value();
            if untrack(|| now.get()) != wanted {
                on_text.run(wanted);
            }
        }
    };
    let later = send.clone();
    input
        .on(ev::input, move |_| {
            debounce.run_later(later.clone());
        })
        .on(ev::keydown, move |event| {
            let key = event.dyn_ref::<web_sys::KeyboardEvent>();
            match key.map(web_sys::KeyboardEvent::key).as_deref() {
                Some("Enter") => send(),
                // Clears the box, and must not close the dialog around it.
                Some("Escape") if !node.value().is_empty() => {
                    event.stop_propagation();
                    event.prevent_default();
                    node.set_value("");
                    send();
                }
                _ => {}
            }
        })
}

/// Returns the text for comparisons: without case and accents.
pub fn folded(text: &str) -> String {
    let text = js_sys::JsString::from(text).normalize("NFD");
    let text = String::from(text.to_lower_case());
    let is_letter = |letter: &char| !('\u{300}'..='\u{36f}').contains(letter);
    text.chars().filter(is_letter).collect()
}

pub fn focus(element: &web_sys::Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}
