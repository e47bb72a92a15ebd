//! Settings for the language of numbers and dates, and for the time zone.

use js_sys::{Array, Function, Reflect};
use leptos::ev;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlSelectElement;

use super::sections::part;
use crate::app::components::dom::{El, div, element, option, select, span};
use crate::app::components::format;
use crate::app::reactive::RwSignal;
use crate::app::state::{AppState, language};

/// Each language by its own name.
const LANGUAGES: &[(&str, &str)] = &[
    ("", "Browser default"),
    ("en-GB", "English (United Kingdom)"),
    ("en-US", "English (United States)"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("pt-BR", "Português (Brasil)"),
    ("sv", "Svenska"),
    ("ja", "日本語"),
    ("zh-CN", "简体中文"),
];

pub fn time_format(_: AppState) -> El {
    let now = RwSignal::new(language::read());
    let choose = move |language: String, zone: String| {
        format::choose(&language, &zone);
        language::write(&language, &zone);
        now.set((language, zone));
    };
    let languages = LANGUAGES.iter();
    let languages = languages.map(|(name, label)| ((*name).to_owned(), (*label).to_owned()));
    let mut zones = vec![
        (String::new(), "Browser default".to_owned()),
        ("UTC".to_owned(), "UTC".to_owned()),
    ];
    zones.extend(all_zones().into_iter().map(|zone| (zone.clone(), zone)));
    let (language, zone) = language::read();
    let languages = labeled_select(
        "Language of numbers and dates",
        languages,
        &language,
        move |to| {
            choose(to, now.with_untracked(|now| now.1.clone()));
        },
    );
    let zones = labeled_select("Time zone", zones.into_iter(), &zone, move |to| {
        choose(now.with_untracked(|now| now.0.clone()), to);
    });
    let example = div()
        .class("value example")
        .attr("role", "status")
        .child(move || {
            now.track();
            let iso: String = js_sys::Date::new_0().to_iso_string().into();
            [&*format::number(1_234_567), " · ", &format::moment(&iso)].concat()
        });
    part(
        "Language and time",
        "How numbers and dates are formatted. The app itself is in English.",
    )
    .child(
        div().class("fields").child(languages).child(zones).child(
            div()
                .class("setting")
                .child(span().class("label").child("Example"))
                .child(example),
        ),
    )
}

fn labeled_select(
    label: &str,
    all: impl Iterator<Item = (String, String)>,
    now: &str,
    choose: impl Fn(String) + 'static,
) -> El {
    let options = all.map(|(name, label)| {
        let chosen = (name == now).then_some("");
        option()
            .attr("value", &name)
            .attr("selected", chosen)
            .child(&label)
    });
    let select = select().children(options);
    let field: HtmlSelectElement = select.node().unchecked_into();
    element("label")
        .class("setting")
        .child(span().class("label").child(label))
        .child(select.on(ev::change, move |_| choose(field.value())))
}

/// Returns the time zones that the browser supports, or none if it cannot list them.
fn all_zones() -> Vec<String> {
    let member = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let intl = member(&js_sys::global(), "Intl").unwrap_or_default();
    let values = member(&intl, "supportedValuesOf");
    let values = values.and_then(|values| values.dyn_into::<Function>().ok());
    let zones = values.and_then(|values| values.call1(&intl, &"timeZone".into()).ok());
    let zones = zones.and_then(|zones| zones.dyn_into::<Array>().ok());
    let names = zones
        .iter()
        .flat_map(Array::iter)
        .filter_map(|name| name.as_string());
    names.filter(|name| name != "UTC").collect()
}
