//! Small drawings, all on a grid of 24, in the ink of the text around them.

use super::dom::{El, drawn};

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $d:literal;)*) => {$(
        $(#[$doc])*
        pub fn $name() -> El {
            drawn(concat!(r#"<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=""#, $d, r#""/></svg>"#))
        }
    )*};
}

icons! {
    /// A magnifying glass.
    magnifier = "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm9.5 16.5-4.6-4.6";
    /// A cross.
    cross = "m6 6 12 12M18 6 6 18";
    /// An arrow that goes round.
    again = "M20 12a8 8 0 1 1-2.6-5.9M20 3v4.5h-4.5";
    /// An arrow to another place.
    away = "M9 6h9v9m0-9L7 17";
    /// To the left.
    left = "m14.5 6-6 6 6 6";
    /// To the right.
    right = "m9.5 6 6 6-6 6";
    /// A funnel.
    funnel = "M4 5h16l-6.2 7.4V19l-3.6-2v-4.6Z";
    /// A plus.
    plus = "M12 5v14M5 12h14";
    /// Upwards.
    up = "m6 14.5 6-6 6 6";
    /// Downwards.
    down = "m6 9.5 6 6 6-6";
    /// Two links of a chain.
    chain = "M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L11.8 6.5M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.3-1.3";
    /// A key.
    key = "M14.5 4a5.5 5.5 0 1 1-2.6 10.3L9 17.2H6.8v2.3H4v-3l6.2-6.2A5.5 5.5 0 0 1 14.5 4Zm2 4h.01";
    /// Half light, half dark.
    halves = "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm0 0v16a8 8 0 0 0 0-16Z";
    /// The sun.
    sun = "M12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4";
    /// The moon.
    moon = "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z";
}
