//! The brand of the host page: colors, font, corners and row height, from the option `appearance` or from custom
//! properties. They replace tokens of the style sheet on the app's element.
//!
//! The style sheet derives all other colors. Those that would be hard to read on what lies under them are replaced by
//! the nearest tone that is not.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsError, JsValue};
use web_sys::{Element, HtmlElement};

pub use self::appearance::Appearance;
use self::choice::{Choice, Chosen};
use self::palette::Palette;
use self::probe::Probe;
use self::sizes::Sizes;
use super::HostOptions;
use super::warnings::Warnings;
use crate::app::components::dom::El;
use crate::app::reactive::{RwSignal, StoredValue, effect_now};
use crate::app::state::AppState;
use crate::app::state::theme::Colors;
use crate::platform::event_listener::EventListener;

mod appearance;
mod choice;
mod palette;
mod probe;
mod sizes;

/// A token of the style sheet with its value.
type Token = (&'static str, String);

pub struct Brand {
    container: HtmlElement,
    warnings: Warnings,
    appearance: RefCell<Appearance>,
    theme: Cell<Colors>,
    row_height: Cell<Option<RwSignal<u32>>>,
    /// What the tokens are made from, to find out whether it changed.
    input: RefCell<Option<Input>>,
}

#[derive(PartialEq)]
struct Input {
    is_dark: bool,
    is_styled: bool,
    chosen: Vec<Chosen>,
}

impl Brand {
    /// The brand of the app in an element.
    pub fn new(container: &Element, host: &HostOptions) -> Self {
        Self {
            container: container.clone().unchecked_into(),
            warnings: host.warnings.clone(),
            appearance: RefCell::new(host.appearance.clone()),
            theme: Cell::new(host.theme),
            row_height: Cell::default(),
            input: RefCell::default(),
        }
    }

    /// Follows changes of the custom properties. `element` is the app's.
    pub fn listen(self: &Rc<Self>, element: El) -> El {
        let brand = Rc::clone(self);
        element.on(ev::transitionend, move |event| {
            let name = event.property_name();
            if Choice::ALL.iter().any(|choice| choice.property() == name) {
                brand.apply();
            }
        })
    }

    /// Follows the theme of the app and of the system, under the current owner.
    pub fn follow(self: &Rc<Self>, app: AppState) {
        self.row_height.set(Some(app.views.row_height));
        let brand = Rc::clone(self);
        effect_now(move || {
            brand.theme.set(app.theme.get());
            brand.apply();
        });
        let brand = Rc::clone(self);
        let scheme = window().match_media("(prefers-color-scheme: dark)");
        let scheme = scheme.ok().flatten().and_then(|scheme| {
            EventListener::new(scheme.into(), "change", Box::new(move || brand.apply()))
        });
        // Stored with the owner, and dropped with it.
        StoredValue::new(scheme);
    }

    /// # Errors
    /// If the option is not an object, or its theme does not exist.
    pub fn set_appearance(&self, option: &JsValue) -> Result<(), JsError> {
        let appearance = Appearance::read(option, &self.warnings)?;
        self.appearance.replace(appearance);
        self.apply();
        Ok(())
    }

    /// Reads what the host page chose, and shows it.
    pub fn apply(&self) {
        let theme = self.appearance.borrow().theme.unwrap_or(self.theme.get());
        // Attribute names in this program are always valid.
        let _ = self.container.set_attribute("data-theme", theme.as_str());
        let parent = self.container.parent_node();
        let Some(probe) = parent.and_then(|parent| Probe::new(&parent)) else {
            return;
        };
        let input = self.read(&probe, theme);
        if self.input.borrow().as_ref() == Some(&input) {
            return;
        }
        let mut sizes = Sizes {
            probe: &probe,
            warnings: &self.warnings,
            tokens: Vec::new(),
        };
        let row_height = sizes.add(&input.chosen);
        if let Some(shown) = self.row_height.get()
            && shown.get_untracked() != row_height
        {
            shown.set(row_height);
        }
        let mut palette = Palette {
            probe: &probe,
            warnings: &self.warnings,
            tokens: sizes.tokens,
        };
        palette.add(&input.chosen);
        let style = self.container.style();
        style.set_css_text(&watched());
        for (name, value) in palette.tokens {
            // Valid: the probe has taken it.
            let _ = style.set_property(name, &value);
        }
        self.input.replace(Some(input));
    }

    fn read(&self, probe: &Probe, theme: Colors) -> Input {
        let scheme = match theme {
            Colors::System => "light dark",
            Colors::Light => "light",
            Colors::Dark => "dark",
        };
        probe.set("color-scheme", scheme);
        let is_dark = probe
            .color("light-dark(#fff, #000)")
            .is_some_and(|(color, _)| color.is_dark());
        let appearance = self.appearance.borrow();
        let chosen = Choice::ALL.into_iter().filter_map(|choice| {
            let property = choice.property();
            let given = appearance.get(choice, is_dark);
            let is_valid = given.is_none_or(|given| probe.set(property, &given.text));
            let text = probe.computed(property);
            match given {
                Some(given) if !is_valid => self.warnings.say(given.ignored("is not valid CSS")),
                Some(given) if text.is_empty() => self.warnings.say(given.ignored("has no value")),
                _ => {}
            }
            let given = given.filter(|_| is_valid);
            (!text.is_empty()).then(|| Chosen {
                choice,
                name: given.map_or(property, |given| &given.name).to_owned(),
                text,
            })
        });
        let chosen = chosen.collect();
        Input {
            is_dark,
            is_styled: probe.token("--surface").is_some(),
            chosen,
        }
    }
}

/// Returns the style with which the browser reports changes of the custom properties: as transitions of the element.
fn watched() -> String {
    let properties = Choice::ALL.map(|choice| [choice.property(), " 1ms allow-discrete"].concat());
    // Also if the user wants less motion: nothing moves.
    ["transition: ", &properties.join(", "), " !important"].concat()
}
