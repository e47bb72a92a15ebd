//! Icons: SVG paths on a grid of 24 × 24 units, in the current text color.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use web_sys::Element;

use super::dom::{El, svg_element};

thread_local! {
    /// Elements by path. Cloning one is cheaper than creating it again.
    static DRAWN: RefCell<Vec<(&'static str, Element)>> = const { RefCell::new(Vec::new()) };
}

/// Returns an SVG element for a path.
pub fn drawing(path: &'static str) -> Element {
    DRAWN.with_borrow_mut(|all| {
        let known = all.iter().find(|(known, _)| *known == path);
        let known = known.map(|(_, element)| element.clone());
        let original = known.unwrap_or_else(|| {
            let element = svg_element("svg")
                .class("icon")
                .attr("viewBox", "0 0 24 24")
                .attr("aria-hidden", "true")
                .child(svg_element("path").attr("d", path))
                .node();
            all.push((path, element.clone()));
            element
        });
        let copy = original.clone_node_with_deep(true);
        // Cloning an element cannot fail.
        copy.map_or(original, JsCast::unchecked_into)
    })
}

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $d:literal;)*) => {$(
        $(#[$doc])*
        pub fn $name() -> El {
            El::new(drawing($d))
        }
    )*};
}

/// Arrow for external links.
pub const AWAY: &str = "M9 6h9v9m0-9L7 17";

icons! {
    magnifier = "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm9.5 16.5-4.6-4.6";
    cross = "m6 6 12 12M18 6 6 18";
    /// Circular arrow.
    again = "M20 12a8 8 0 1 1-2.6-5.9M20 3v4.5h-4.5";
    left = "m14.5 6-6 6 6 6";
    right = "m9.5 6 6 6-6 6";
    funnel = "M4 5h16l-6.2 7.4V19l-3.6-2v-4.6Z";
    plus = "M12 5v14M5 12h14";
    up = "m6 14.5 6-6 6 6";
    down = "m6 9.5 6 6 6-6";
    chain = "M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L11.8 6.5M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.3-1.3";
    pin = "M9 4h6l-.8 6 3.3 3.5v1.5h-11v-1.5L9.8 10 9 4Zm3 11v6";
    star = "m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.8-5.1 2.8 1-5.7-4.1-4 5.7-.8Z";
    upload = "M12 15.5V4m0 0L7.5 8.5M12 4l4.5 4.5M4 14.5v4a1.5 1.5 0 0 0 1.5 1.5h13a1.5 1.5 0 0 0 1.5-1.5v-4";
    gear = "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Zm0-6v2.6M12 18.4V21M3 12h2.6M18.4 12H21M5.6 5.6l1.9 1.9M16.5 16.5l1.9 1.9M18.4 5.6l-1.9 1.9M7.5 16.5l-1.9 1.9";
    keyboard = "M4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5v-9A1.5 1.5 0 0 1 4.5 6ZM7 10h.1M10.3 10h.1M13.6 10h.1M17 10h.1M8 14h8";
    leave = "M14 4h4.5A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5H14M10 8l-4 4 4 4M6.5 12H15";
    pen = "m4.5 19.5.9-4L16.3 4.6a1.4 1.4 0 0 1 2 0l1.1 1.1a1.4 1.4 0 0 1 0 2L8.5 18.6Z";
    /// Lines close to each other, for the row density.
    rows = "M4 6h16M4 10h16M4 14h16M4 18h16";
}
