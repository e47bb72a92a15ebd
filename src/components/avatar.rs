//! A face, or the initials in its place.

use super::dom::{El, classed, el};

/// Initials, and the picture over them once it is there. The initials are drawn by the style
/// sheet, so that they are no part of the name for those who hear the page. The picture's address
/// must be safe to load.
pub fn avatar(initials: &str, picture: Option<&str>) -> El {
    let picture = picture.map(|source| {
        let image = el("img")
            .attr("alt", "")
            .attr("loading", "lazy")
            .attr("decoding", "async")
            .attr("referrerpolicy", "no-referrer")
            .attr("src", source);
        // A picture that does not come leaves the initials to be seen.
        let node = image.node();
        image.on("error", move |_| node.remove())
    });
    classed("i", "avatar")
        .attr("data-initials", initials)
        .el_opt(picture)
}
