//! The option `appearance` of the host page.

use js_sys::{Number, Object};
use wasm_bindgen::{JsCast, JsError, JsValue};

use super::choice::{Choice, Chosen};
use crate::app::state::theme::Colors;
use crate::client::property;
use crate::embed::theme_option;
use crate::embed::warnings::Warnings;

/// The themes that have colors of their own, and whether they are dark.
const THEMES: [(&str, bool); 2] = [("light", false), ("dark", true)];

/// What the option says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    pub theme: Option<Colors>,
    /// Each with the theme that it is for: whether it is the dark one, or `None` for both.
    values: Vec<(Option<bool>, Chosen)>,
}

impl Appearance {
    /// Reads the option. What is not known is ignored, with a warning.
    ///
    /// # Errors
    /// If it is not an object, or its theme does not exist.
    pub fn read(option: &JsValue, warnings: &Warnings) -> Result<Self, JsError> {
        let mut appearance = Self::default();
        if option.is_undefined() || option.is_null() {
            return Ok(appearance);
        }
        if !option.is_object() {
            return Err(JsError::new(
                "`appearance` is not an object. Use one such as { accent: \"#0b57d0\" }.",
            ));
        }
        appearance.theme = property(option, "theme")
            .map(|theme| theme_option::theme(&theme.as_string().unwrap_or_default()))
            .transpose()?;
        appearance.add("appearance", option, None, warnings);
        for (name, is_dark) in THEMES {
            let Some(colors) = property(option, name) else {
                continue;
            };
            let name = ["appearance.", name].concat();
            match colors.is_object() {
                true => appearance.add(&name, &colors, Some(is_dark), warnings),
                false => warnings.say(format!("`{name}` is not an object, and is ignored.")),
            }
        }
        Ok(appearance)
    }

    /// Adds the members of an object. Those of one theme are colors.
    fn add(&mut self, of: &str, object: &JsValue, is_dark: Option<bool>, warnings: &Warnings) {
        let is_of_both = is_dark.is_none();
        let object: &Object = object.unchecked_ref();
        for key in Object::keys(object) {
            let Some(key) = key.as_string() else { continue };
            let is_theme = key == "theme" || THEMES.iter().any(|(theme, _)| *theme == key);
            if is_of_both && is_theme {
                continue;
            }
            let name = [of, ".", &key].concat();
            let choice = Choice::of_key(&key);
            let Some(choice) = choice.filter(|choice| is_of_both || choice.is_color()) else {
                warnings.say(format!("`{name}` is not known, and is ignored."));
                continue;
            };
            let Some(value) = property(object, &key) else {
                continue;
            };
            match text_of(&value) {
                Some(text) => self.values.push((is_dark, Chosen { choice, name, text })),
                None => warnings.say(format!("`{name}` is not a text, and is ignored.")),
            }
        }
    }

    /// Returns a choice for a theme.
    pub fn get(&self, choice: Choice, is_dark: bool) -> Option<&Chosen> {
        let of = |theme: Option<bool>| {
            let mut values = self.values.iter();
            values.find(|(of, chosen)| *of == theme && chosen.choice == choice)
        };
        let (_, chosen) = of(Some(is_dark)).or_else(|| of(None))?;
        Some(chosen)
    }
}

/// Returns a value as CSS. Numbers are pixels.
fn text_of(value: &JsValue) -> Option<String> {
    value.as_string().or_else(|| {
        let number: &Number = value.dyn_ref()?;
        Some(String::from(number.to_string_with_radix(10).ok()?) + "px")
    })
}
