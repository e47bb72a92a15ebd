//! An element that tells what the browser makes of a CSS value where the app is.

use js_sys::Number;
use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, HtmlElement, Node};

use crate::app::components::dom::div;
use crate::app::model::color::Oklab;

/// A hidden element next to the app's, with the same tokens of the style sheet and the same custom properties of the
/// host page. Dropping it removes it.
pub struct Probe {
    node: HtmlElement,
    given: CssStyleDeclaration,
    computed: CssStyleDeclaration,
}

impl Probe {
    pub fn new(parent: &Node) -> Option<Self> {
        let node: HtmlElement = div().class("embedded").node().unchecked_into();
        let computed = window().get_computed_style(&node).ok()??;
        let probe = Self {
            given: node.style(),
            node,
            computed,
        };
        probe.set("display", "none");
        parent.append_child(&probe.node).ok()?;
        Some(probe)
    }

    /// Sets a style property. Returns whether the value is valid.
    pub fn set(&self, property: &str, value: &str) -> bool {
        // A value that is not valid would leave the one before.
        let _ = self.given.remove_property(property);
        let _ = self.given.set_property(property, value);
        let set = self.given.get_property_value(property);
        set.is_ok_and(|set| !set.is_empty())
    }

    /// Returns the computed value of a property; empty if it has none.
    pub fn computed(&self, property: &str) -> String {
        let value = self.computed.get_property_value(property);
        value.unwrap_or_default().trim().to_owned()
    }

    /// Returns what a property makes of a value; `None` if it does not take it.
    pub fn resolved(&self, property: &str, value: &str) -> Option<String> {
        self.set(property, value).then(|| self.computed(property))
    }

    /// Returns a length in pixels; `None` if the text is not a length.
    pub fn pixels(&self, property: &str, text: &str) -> Option<f64> {
        let length = self.resolved(property, text)?;
        number(length.strip_suffix("px")?)
    }

    /// Returns a color with its opacity; `None` if the text is not a color.
    pub fn color(&self, text: &str) -> Option<(Oklab, f64)> {
        // First alone: several colors would be valid as arguments.
        self.resolved("color", text)?;
        let mix = ["color-mix(in oklab, ", text, ", ", text, ")"].concat();
        Oklab::parse(&self.resolved("color", &mix)?, number)
    }

    /// Returns the color of a token of the style sheet; `None` until the sheet is loaded.
    pub fn token(&self, name: &str) -> Option<Oklab> {
        let (color, _) = self.color(&["var(", name, ")"].concat())?;
        Some(color)
    }
}

/// Parses a number.
fn number(text: &str) -> Option<f64> {
    let number = Number::parse_float(text);
    (!number.is_nan()).then_some(number)
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.node.remove();
    }
}
