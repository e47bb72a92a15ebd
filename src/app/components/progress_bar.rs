//! Progress panel of a long-running task.

use super::dom::{El, Reader, div, h2, p};

/// Renders a panel with a title, the progress `share` in percent, and a status text. The caller adds the rest.
pub fn panel(title: &str, share: Reader<u64>, word: Reader<String>) -> El {
    div()
        .class("panel")
        .attr("role", "group")
        .attr("aria-label", title)
        .child(h2().child(title))
        .child(p().class("far").child(move || word()))
        .child(extent(share))
}

fn extent(share: Reader<u64>) -> El {
    let (now, wide) = (share.clone(), share);
    let fill = div()
        .class("fill")
        .style("width", move || [&*wide().to_string(), "%"].concat());
    div()
        .class("extent")
        .attr("role", "progressbar")
        .attr("aria-label", "Done")
        .attr("aria-valuemin", "0")
        .attr("aria-valuemax", "100")
        .attr("aria-valuenow", move || now().to_string())
        .child(fill)
}

/// Returns the part in percent, rounded down, so that only the whole gives 100. An empty whole gives 100, too.
pub fn percent(part: u64, whole: u64) -> u64 {
    (part.min(whole) * 100).checked_div(whole).unwrap_or(100)
}
