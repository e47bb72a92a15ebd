//! Progress panel of a long-running task.

use super::dom::{El, div, h2, p};
use crate::app::reactive::Signal;

/// Renders a panel with a title, the progress `share` in percent, and a status text. The caller adds the rest.
pub fn panel(title: &str, share: Signal<u64>, word: Signal<String>) -> El {
    panel_in_parts(title, share, Signal::stored(0), word)
}

/// Same as [`panel`]. The part `stuck` of the share, in percent, has another color: it did not succeed.
pub fn panel_in_parts(
    title: &str,
    share: Signal<u64>,
    stuck: Signal<u64>,
    word: Signal<String>,
) -> El {
    div()
        .class("panel")
        .attr("role", "group")
        .attr("aria-label", title)
        .child(h2().child(title))
        .child(p().class("progress-text").child(move || word.get()))
        .child(extent(share, stuck).attr("aria-valuetext", move || word.get()))
}

fn extent(share: Signal<u64>, stuck: Signal<u64>) -> El {
    let width = |percent: u64| [&*percent.to_string(), "%"].concat();
    let fill = div().class("fill").style("width", move || {
        width(share.get().saturating_sub(stuck.get()))
    });
    let rest = div()
        .class("fill stuck")
        .style("width", move || width(stuck.get()));
    div()
        .class("extent")
        .attr("role", "progressbar")
        .attr("aria-label", "Done")
        .attr("aria-valuemin", "0")
        .attr("aria-valuemax", "100")
        .attr("aria-valuenow", move || share.get().to_string())
        .child(fill)
        .child(rest)
}

/// Returns the part in percent, rounded down, so that only the whole gives 100. An empty whole gives 100, too.
pub fn percent(part: u64, whole: u64) -> u64 {
    (part.min(whole) * 100).checked_div(whole).unwrap_or(100)
}
