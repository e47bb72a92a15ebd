//! Form that adds or changes a filter: a field, an operator, and its values.

use lead_workspace_api::{FieldKind, Operator};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlSelectElement};

use super::dom::{El, button, div, element, form, h2, input, option, p, select, span, textarea};
use crate::app::model::filters::custom_filter::{Arity, Field, arity, kind};
use crate::app::model::filters::{CustomFilter, filter_labels};

/// Renders the form. `old` is the filter to change, or `None` for a new one.
pub fn filter_form<F: Field + Send + Sync>(
    old: Option<&CustomFilter<F>>,
    on_done: Callback<CustomFilter<F>>,
    on_close: Callback<()>,
) -> El {
    let field = RwSignal::new(old.map_or(F::FIRST, CustomFilter::field));
    let operator = RwSignal::new(old.map_or(Operator::Contains, CustomFilter::operator));
    let wrong = RwSignal::new(String::new());
    let typed = StoredValue::new(old.map_or_else(Vec::new, |old| old.values().to_vec()));
    let inputs = StoredValue::new_local(Vec::<Element>::new());

    let fields = {
        let mut fields: Vec<_> = F::ALL.iter().map(|one| (one.label(), *one)).collect();
        fields.sort_by_key(|(name, _)| *name);
        let options = fields
            .into_iter()
            .map(|(name, one)| (name.to_owned(), one.as_str()));
        let select = select_of(options, field.get_untracked().as_str());
        let node = select.node();
        select.attr("autofocus", "").on(ev::change, move |_| {
            if let Some(chosen) = F::parse(&value_of(&node)) {
                keep(inputs, typed);
                let offered = filter_labels::operators(chosen.kind());
                if !offered[..5.min(offered.len())].contains(&operator.get_untracked()) {
                    operator.set(offered[0]);
                }
                field.set(chosen);
            }
        })
    };
    let operators = move || {
        let kind = field.get().kind();
        let options = filter_labels::operators(kind);
        let options = options
            .into_iter()
            .map(|one| (filter_labels::operator(one, kind).to_owned(), one.as_str()));
        let select = select_of(options, operator.get_untracked().as_str());
        let node = select.node();
        Some(labelled(
            "Condition",
            select.on(ev::change, move |_| {
                if let Ok(chosen) = value_of(&node).parse::<Operator>() {
                    keep(inputs, typed);
                    operator.set(chosen);
                }
            }),
        ))
    };
    let values = move || {
        let (field, operator) = (field.get(), operator.get());
        let kind = kind(field, operator);
        let old = typed.get_value();
        let old = |at: usize| old.get(at).map_or("", String::as_str);
        let made: Vec<(&str, El)> = match arity(operator) {
            Arity::None => Vec::new(),
            Arity::One => vec![("Value", value_input(kind, old(0)))],
            Arity::Two => vec![
                ("From", value_input(kind, old(0))),
                ("To", value_input(kind, old(1))),
            ],
            Arity::Many => {
                let lines = typed.with_value(|typed| typed.join("\n"));
                vec![(
                    "Values, one per line",
                    textarea().attr("rows", "4").child(&lines),
                )]
            }
        };
        inputs.set_value(made.iter().map(|(_, input)| input.node()).collect());
        let made = made.into_iter().map(|(label, input)| {
            let input = input
                .attr("aria-describedby", "filter-wrong")
                .attr("aria-invalid", move || {
                    wrong.with(|wrong| !wrong.is_empty()).to_string()
                });
            labelled(label, input)
        });
        Some(div().class("values").children(made))
    };
    let title = if old.is_some() {
        "Change the filter"
    } else {
        "Add a filter"
    };
    let done = if old.is_some() { "Apply" } else { "Add" };
    let close = on_close;
    let buttons = div()
        .class("buttons")
        .child(
            button()
                .class("quiet")
                .child("Not now")
                .on(ev::click, move |_| close.run(())),
        )
        .child(button().class("main").attr("type", "submit").child(done));
    let message = p()
        .class("wrong")
        .attr("id", "filter-wrong")
        .attr("role", "alert")
        .child(move || wrong.get());
    form()
        // The form shows validation errors itself.
        .attr("novalidate", "")
        .child(h2().child(title))
        .child(labelled("Field", fields))
        .child(operators)
        .child(values)
        .child(message)
        .child(buttons)
        .on(ev::submit, move |event| {
            event.prevent_default();
            keep(inputs, typed);
            let (field, operator) = (field.get_untracked(), operator.get_untracked());
            match made(field, operator, &typed.get_value()) {
                Ok(custom) => on_done.run(custom),
                Err(problem) => {
                    wrong.set(problem);
                    inputs.with_value(|inputs| {
                        if let Some(first) = inputs.first() {
                            super::facet_section::focus(first);
                        }
                    });
                }
            }
        })
}

/// Creates the filter from the typed values, or returns an error message.
fn made<F: Field>(
    field: F,
    operator: Operator,
    typed: &[String],
) -> Result<CustomFilter<F>, String> {
    let values = typed.iter().map(|value| value.trim());
    let Some(custom) = CustomFilter::new(field, operator, values) else {
        let missing = match (arity(operator), kind(field, operator)) {
            (Arity::Two, _) => "Enter both bounds.",
            (_, FieldKind::Number) => "Enter a number.",
            (_, FieldKind::Time) => "Enter a date.",
            _ => "Enter a value.",
        };
        return Err(missing.to_owned());
    };
    custom.check().map_err(|problem| [&problem, "."].concat())?;
    Ok(custom)
}

/// Stores the typed values, so that inputs of another kind can take them over.
fn keep(inputs: StoredValue<Vec<Element>, LocalStorage>, typed: StoredValue<Vec<String>>) {
    inputs.with_value(|inputs| {
        let values = inputs.iter().map(value_of);
        let values =
            values.flat_map(|value| value.split('\n').map(str::to_owned).collect::<Vec<_>>());
        typed.set_value(values.collect());
    });
}

/// Returns the value of an input of any kind.
fn value_of(node: &Element) -> String {
    // Every input has a `value` property.
    let value = js_sys::Reflect::get(node, &JsValue::from_str("value"));
    value
        .ok()
        .and_then(|value| value.as_string())
        .unwrap_or_default()
}

fn labelled(label: &str, input: El) -> El {
    element("label").child(span().child(label)).child(input)
}

fn select_of(options: impl Iterator<Item = (String, &'static str)>, chosen: &str) -> El {
    let options = options.map(|(name, value)| option().attr("value", value).child(&name));
    let select = select().children(options);
    select
        .node()
        .unchecked_ref::<HtmlSelectElement>()
        .set_value(chosen);
    select
}

fn value_input(kind: FieldKind, old: &str) -> El {
    let (of, mode) = match kind {
        FieldKind::Flag => {
            let options = [("Yes".to_owned(), "true"), ("No".to_owned(), "false")];
            let chosen = if old == "false" { "false" } else { "true" };
            return select_of(options.into_iter(), chosen);
        }
        FieldKind::Number => ("number", "decimal"),
        // A URL may contain a time of day, which a date input cannot hold.
        FieldKind::Time if old.len() <= "2026-01-31".len() => ("date", ""),
        FieldKind::Text | FieldKind::Token | FieldKind::Time => ("text", ""),
    };
    input()
        .attr("type", of)
        .attr("inputmode", Some(mode).filter(|mode| !mode.is_empty()))
        .attr("step", "any")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("value", old)
}
