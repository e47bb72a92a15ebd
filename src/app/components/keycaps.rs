//! Keys as keycaps.

use super::dom::{El, kbd, span};
use crate::app::model::chord::THEN;

/// Renders the keys of a shortcut as keycaps.
pub fn keycaps(caps: &[String]) -> El {
    let mut all = span().class("caps");
    for (at, cap) in caps.iter().enumerate() {
        let key = if cap == THEN { span() } else { kbd() };
        // The space is invisible, but screen readers need it.
        all = all
            .child(if at > 0 { " " } else { "" })
            .child(key.child(cap));
    }
    all
}
