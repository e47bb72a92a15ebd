//! Icons: SVG paths on a grid of 24 × 24 units, in the current text color.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use web_sys::Element;

use super::dom::{El, from_markup};

thread_local! {
    /// Parsed elements by path. Cloning one is cheaper than parsing it again.
    static DRAWN: RefCell<Vec<(&'static str, Element)>> = const { RefCell::new(Vec::new()) };
}

/// Returns an SVG element for a path.
pub fn drawing(path: &'static str) -> Element {
    DRAWN.with_borrow_mut(|all| {
        let known = all.iter().find(|(known, _)| *known == path);
        let known = known.map(|(_, element)| element.clone());
        let original = known.unwrap_or_else(|| {
            let before = r#"<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=""#;
            let element = from_markup(&[before, path, r#""/></svg>"#].concat()).node();
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
    /// Half-filled circle.
    halves = "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm0 0v16a8 8 0 0 0 0-16Z";
    sun = "M12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4";
    moon = "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z";
    sliders = "M4 7h9m4 0h3M4 17h3m4 0h9M13 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0ZM7 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0Z";
    pin = "M9 4h6l-.8 6 3.3 3.5v1.5h-11v-1.5L9.8 10 9 4Zm3 11v6";
    star = "m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.8-5.1 2.8 1-5.7-4.1-4 5.7-.8Z";
    upload = "M12 15.5V4m0 0L7.5 8.5M12 4l4.5 4.5M4 14.5v4a1.5 1.5 0 0 0 1.5 1.5h13a1.5 1.5 0 0 0 1.5-1.5v-4";
    pen = "m4.5 19.5.9-4L16.3 4.6a1.4 1.4 0 0 1 2 0l1.1 1.1a1.4 1.4 0 0 1 0 2L8.5 18.6Z";
    /// Lines close to each other, for the row density.
    rows = "M4 6h16M4 10h16M4 14h16M4 18h16";
    command = "M9 9V6.8A2.2 2.2 0 1 0 6.8 9H9Zm0 0h6m-6 0v6m6-6V6.8A2.2 2.2 0 1 1 17.2 9H15Zm0 0v6m0 0H9m6 0v2.2a2.2 2.2 0 1 0 2.2-2.2H15Zm-6 0v2.2A2.2 2.2 0 1 1 6.8 15H9Z";
}
