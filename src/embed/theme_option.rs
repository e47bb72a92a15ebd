//! The themes of the host page's options, by their names.

use wasm_bindgen::JsError;

use crate::app::state::theme::Colors;

pub(super) fn theme(theme: &str) -> Result<Colors, JsError> {
    Colors::parse(theme).ok_or_else(|| {
        JsError::new(&format!(
            "{theme:?} is not a theme. Use \"light\", \"dark\" or \"system\"."
        ))
    })
}
