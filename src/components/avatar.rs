//! A face, or the initials in its place.

use super::markup::Markup;

/// Initials, and the picture over them once it is there. The initials are drawn by the style
/// sheet, so that they are no part of the name for those who hear the page. The picture's address
/// must be safe to load; one that cannot be loaded is hidden.
pub fn avatar(initials: &str, picture: Option<&str>) -> Markup {
    let picture = picture.map(|source| {
        Markup::new("img")
            .attr("alt", "")
            .attr("loading", "lazy")
            .attr("decoding", "async")
            .attr("referrerpolicy", "no-referrer")
            .attr("src", source.to_owned())
    });
    Markup::classed("i", "avatar")
        .attr("data-initials", initials.to_owned())
        .children(picture)
}
