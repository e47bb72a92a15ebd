//! Avatar: a picture, or the initials in its place.

use super::markup::Markup;

/// Renders the initials, and the picture over them once it is loaded. The style sheet draws the initials, so that
/// they are no part of the name for screen readers. The picture's URL must be safe to load. A picture that fails to
/// load is hidden.
pub fn avatar(initials: &str, picture: Option<&str>) -> Markup {
    let picture = picture.map(|source| {
        Markup::new("img")
            .attr("alt", "")
            .attr("loading", "lazy")
            .attr("decoding", "async")
            .attr("referrerpolicy", "no-referrer")
            .attr("src", source.to_owned())
    });
    Markup::new("i")
        .class("avatar")
        .attr("data-initials", initials.to_owned())
        .children(picture)
}
