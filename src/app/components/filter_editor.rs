//! Editor of a filter, as one line: field, condition, value.

use std::pin::Pin;
use std::rc::Rc;

use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{FieldKind, Operator};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlSelectElement};

use super::combobox::{ComboOption, Combobox, combobox};
use super::debounce::Debounce;
use super::dialog::dialog_buttons;
use super::dom::{El, button, div, effect, form, input, option, p, select, textarea};
use super::facet_section::focus;
use super::format;
use crate::app::model::filters::custom_filter::{Arity, arity, value_kind};
use crate::app::model::filters::filter_field::{Field, matching_fields};
use crate::app::model::filters::{CustomFilter, filter_labels};
use crate::app::reactive::{RwSignal, Signal, StoredValue, memo};
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::spawn;

/// Values that a field has, as far as the server can be asked for them: those that contain a text.
pub type ValuesOf<F> = Rc<dyn Fn(F, String) -> Pin<Box<dyn Future<Output = Vec<FacetOption>>>>>;

/// What is known of the fields.
pub struct KnownFields<F: Send + Sync + 'static> {
    /// The custom fields.
    pub own: Signal<Vec<F>>,
    /// Returns the type of a field.
    pub kind_of: KindOf<F>,
    pub values_of: Option<ValuesOf<F>>,
}

type KindOf<F> = Rc<dyn Fn(F) -> FieldKind>;

/// Renders the editor. `old` is the filter to change, or `None` for a new one.
pub fn filter_editor<F: Field + Send + Sync>(
    old: Option<&CustomFilter<F>>,
    known: KnownFields<F>,
    on_done: Callback<CustomFilter<F>>,
    on_close: Callback<()>,
) -> El {
    let KnownFields {
        own,
        kind_of,
        values_of,
    } = known;
    let kind_of = StoredValue::new(kind_of);
    let kind_of = move |field: F| kind_of.with_value(|kind_of| kind_of(field));
    let field = RwSignal::new(old.map(CustomFilter::field));
    let operator = RwSignal::new(old.map_or(Operator::Contains, CustomFilter::operator));
    let wrong = RwSignal::new(String::new());
    let typed = StoredValue::new(old.map_or_else(Vec::new, |old| old.values().to_vec()));
    let inputs = StoredValue::new(Vec::<Element>::new());
    let focus_value = move || {
        inputs.with_value(|inputs| inputs.first().map(focus));
    };

    // What the server says of a custom field may come later.
    let chosen = memo(move |_| field.get().map(|field| (field, kind_of(field))));
    let (fields, field_node) = field_box(own, kind_of, field, operator, move || {
        wrong.set(String::new());
        // After the effects that render the value.
        spawn(async move { focus_value() });
    });
    let first = field_node.clone();
    effect(move || match field.with_untracked(Option::is_some) {
        true => focus_value(),
        false => focus(&first),
    });
    let conditions = move || {
        let (_, kind) = chosen.get()?;
        let options = filter_labels::operators(kind);
        let options = options
            .into_iter()
            .map(|one| (filter_labels::operator(one, kind).to_owned(), one.as_str()));
        let select = select_of(options, operator.get_untracked().as_str());
        let node = select.node();
        Some(
            select
                .attr("aria-label", "Condition")
                .on(ev::change, move |_| {
                    if let Ok(chosen) = value_of(&node).parse::<Operator>() {
                        operator.set(chosen);
                    }
                }),
        )
    };
    let values = move || {
        let ((field, kind), operator) = (chosen.get()?, operator.get());
        keep(inputs, typed);
        let made = value_inputs(
            field,
            value_kind(kind, operator),
            operator,
            &typed.get_value(),
            values_of.as_ref(),
            wrong,
        );
        inputs.set_value(made.iter().map(|(_, node)| node.clone()).collect());
        let made = made.into_iter().map(|(el, _)| el);
        Some(div().class("values").children(made))
    };
    let done = if old.is_some() { "Apply" } else { "Add" };
    let submit = button().class("main").attr("type", "submit").child(done);
    let message = p()
        .class("wrong")
        .attr("id", "filter-wrong")
        .attr("role", "alert")
        .child(move || wrong.get());
    form()
        .class("filter-editor")
        .attr("aria-label", "Filter")
        // The form shows validation errors itself.
        .attr("novalidate", "")
        .child(fields)
        .child(conditions)
        .child(values)
        .child(dialog_buttons(move || on_close.run(()), submit))
        .child(message)
        .on(ev::keydown, move |event| {
            if event.key() == "Escape" {
                // Closes the editor, and must not close the sheet around it.
                event.prevent_default();
                event.stop_propagation();
                on_close.run(());
            }
        })
        .on(ev::submit, move |event| {
            event.prevent_default();
            keep(inputs, typed);
            let Some(field) = field.get_untracked() else {
                wrong.set("Choose a field.".to_owned());
                focus(&field_node);
                return;
            };
            let operator = operator.get_untracked();
            let kind = value_kind(untrack(|| kind_of(field)), operator);
            match made(field, kind, operator, &typed.get_value()) {
                Ok(custom) => on_done.run(custom),
                Err(problem) => {
                    wrong.set(problem);
                    focus_value();
                }
            }
        })
}

/// Focuses the first element that matches a selector.
pub fn focus_first(selector: &str) {
    if let Ok(Some(found)) = document().query_selector(selector) {
        focus(&found);
    }
}

/// The text box for the field.
fn field_box<F: Field + Send + Sync>(
    own: Signal<Vec<F>>,
    kind_of: impl Fn(F) -> FieldKind + Send + Sync + 'static,
    field: RwSignal<Option<F>>,
    operator: RwSignal<Operator>,
    on_change: impl Fn() + Send + Sync + 'static,
) -> (El, Element) {
    let text = RwSignal::new(String::new());
    // The box loses the focus when the app is gone, too.
    let name = move || field.try_get_untracked().flatten().map_or("", Field::label);
    let options = Signal::derive(move || {
        // The name of the chosen field restricts nothing.
        let text = text.get();
        let text = if text == name() { "" } else { &*text };
        let option = |(group, one): (&'static str, F)| ComboOption {
            value: one.as_str().to_owned(),
            label: one.label().to_owned(),
            // Matches are listed by quality, not by group.
            group: if text.is_empty() { group } else { "" },
            note: if text.is_empty() { "" } else { group }.to_owned(),
        };
        own.with(|own| matching_fields(text, own).into_iter().map(option).collect())
    });
    let (el, node) = combobox(Combobox {
        id: "filter-field",
        label: "Field",
        input: input().attr("value", name()),
        options,
        picks_first: true,
        on_text: Callback::new(move |typed: String| text.set(typed)),
        on_pick: Callback::new(move |option: ComboOption| {
            if let Some(chosen) = F::parse(&option.value) {
                let offered = filter_labels::operators(kind_of(chosen));
                if !offered[..5.min(offered.len())].contains(&operator.get_untracked()) {
                    operator.set(offered[0]);
                }
                field.set(Some(chosen));
                on_change();
            }
            option.label
        }),
    });
    let shown = node.clone();
    let el = el.on(ev::focusout, move |_| shown.set_value(name()));
    (el, node.into())
}

/// Renders the inputs for the values of a condition. Returns each with its input element.
fn value_inputs<F: Field + Send + Sync>(
    field: F,
    kind: FieldKind,
    operator: Operator,
    old: &[String],
    values_of: Option<&ValuesOf<F>>,
    wrong: RwSignal<String>,
) -> Vec<(El, Element)> {
    let old = |at: usize| old.get(at).map_or("", String::as_str);
    let described = move |input: El| {
        input
            .attr("aria-describedby", "filter-wrong")
            .attr("aria-invalid", move || {
                wrong.with(|wrong| !wrong.is_empty()).to_string()
            })
    };
    let plain = |label: &str, at: usize| {
        let input = described(value_input(kind, old(at)).attr("aria-label", label));
        let node = input.node();
        (input, node)
    };
    match (arity(operator), kind) {
        (Arity::None, _) => Vec::new(),
        (Arity::One, FieldKind::Text | FieldKind::Token) if values_of.is_some() => {
            let input = described(input().attr("value", old(0)));
            vec![value_box(field, input, values_of.cloned())]
        }
        (Arity::One, _) => vec![plain("Value", 0)],
        (Arity::Two, _) => vec![plain("From", 0), plain("To", 1)],
        (Arity::Many, _) => {
            let lines: Vec<&str> = (0..).map(old).take_while(|line| !line.is_empty()).collect();
            let input = described(textarea())
                .attr("rows", "2")
                .attr("aria-label", "Values, one per line")
                .attr("placeholder", "One per line")
                .child(lines.join("\n"));
            let node = input.node();
            vec![(input, node)]
        }
    }
}

/// The text box for a value, with the values that the field has.
fn value_box<F: Field + Send + Sync>(
    field: F,
    input: El,
    values_of: Option<ValuesOf<F>>,
) -> (El, Element) {
    let options = RwSignal::new(Vec::new());
    let request = StoredValue::new(None::<AbortOnDrop>);
    let values_of = StoredValue::new(values_of);
    let debounce = Debounce::start();
    let ask = move |text: String| {
        let Some(found) = values_of.with_value(|of| of.as_ref().map(|of| of(field, text))) else {
            return;
        };
        request.set_value(Some(AbortOnDrop::start(async move {
            let found = found.await.into_iter().map(|found| ComboOption {
                note: found.count.map_or_else(String::new, format::number),
                value: found.value,
                label: found.label,
                group: "",
            });
            options.set(found.collect());
        })));
    };
    let (el, node) = combobox(Combobox {
        id: "filter-value",
        label: "Value",
        input,
        options: options.into(),
        picks_first: false,
        on_text: Callback::new(move |text: String| {
            debounce.run_later(move || ask(text.clone()));
        }),
        on_pick: Callback::new(|option: ComboOption| option.value),
    });
    (el, node.into())
}

/// Creates the filter from the typed values, or returns an error message.
fn made<F: Field>(
    field: F,
    kind: FieldKind,
    operator: Operator,
    typed: &[String],
) -> Result<CustomFilter<F>, String> {
    let values: Vec<String> = typed
        .iter()
        .map(|value| normalized(kind, value.trim()))
        .collect();
    let Some(custom) = CustomFilter::new(field, operator, values.iter().map(String::as_str)) else {
        let missing = match (arity(operator), kind) {
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

/// Returns a value in the form of its type. Browsers take other forms of numbers, such as `1e3`, which are texts to the server.
fn normalized(kind: FieldKind, value: &str) -> String {
    // Not with `parse`: that is 10 kB of tables, while JSON is read anyway.
    let number = || match value.strip_prefix('.') {
        Some(rest) => serde_json::from_str::<f64>(&["0.", rest].concat()).ok(),
        None => serde_json::from_str(value).ok(),
    };
    match (kind == FieldKind::Number).then(number).flatten() {
        Some(number) => number.to_string(),
        None => value.to_owned(),
    }
}

/// Stores the typed values, so that inputs of another kind can take them over.
fn keep(inputs: StoredValue<Vec<Element>>, typed: StoredValue<Vec<String>>) {
    inputs.with_value(|inputs| {
        if inputs.is_empty() {
            return;
        }
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
