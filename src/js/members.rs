//! Checks of the members of objects that a page passes.

use js_sys::{Array, Object};
use wasm_bindgen::{JsCast, JsValue};

use super::error::options as refused;

/// Refuses what is not an object with members.
pub(super) fn check_object(name: &str, value: &JsValue) -> Result<(), JsValue> {
    if !value.is_object() || value.is_function() || Array::is_array(value) {
        return Err(refused(&format!("{name} must be an object")));
    }
    Ok(())
}

/// Refuses what is not an object, and an object with an unknown member: usually a typo, which would
/// otherwise have no effect.
pub(super) fn check_members(name: &str, value: &JsValue, known: &[&str]) -> Result<(), JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(());
    }
    check_object(name, value)?;
    for member in Object::keys(value.unchecked_ref::<Object>()).iter() {
        let member = member.as_string().unwrap_or_default();
        if known.contains(&member.as_str()) {
            continue;
        }
        let advice = match nearest(&member, known) {
            Some(near) => format!("Use \"{near}\"."),
            None => format!("Known names: {}.", known.join(", ")),
        };
        return Err(refused(&format!(
            "there is no \"{member}\" in {name}. {advice}"
        )));
    }
    Ok(())
}

/// Returns the known name with the longest common beginning, of at least three letters. Case and
/// underscores do not count.
fn nearest<'a>(unknown: &str, known: &[&'a str]) -> Option<&'a str> {
    let letters = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let unknown = letters(unknown);
    let common = |name: &str| {
        let name = letters(name);
        let pairs = name.chars().zip(unknown.chars());
        pairs.take_while(|(a, b)| a == b).count()
    };
    let best = known.iter().copied().max_by_key(|name| common(name))?;
    (common(best) > 2).then_some(best)
}
