//! One of several values.

use leptos::ev;

use crate::app::components::dom::{El, div, element, input, span};

/// Renders a group of radio buttons.
pub fn one_of<T: Copy + PartialEq + 'static>(
    label: &str,
    all: &[(T, &str)],
    now: impl Fn() -> T + Copy + 'static,
    choose: impl Fn(T) + Copy + 'static,
) -> El {
    let name = label.to_owned();
    let each = all.iter().map(move |(value, label)| {
        let value = *value;
        let radio = input()
            .attr("type", "radio")
            .attr("name", &name)
            .prop("checked", move || (now() == value).into())
            .on(ev::change, move |_| choose(value));
        element("label").child(radio).child(label)
    });
    div()
        .class("setting one-of")
        .attr("role", "group")
        .attr("aria-label", label)
        .child(
            span()
                .class("label")
                .attr("aria-hidden", "true")
                .child(label),
        )
        .child(div().class("few").children(each))
}
