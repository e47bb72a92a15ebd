//! Below the grid: what is saved.

use crate::components::dom::{El, button, classed, el};
use crate::components::{format, icon};
use crate::state::decisions::{Decisions, Tally};

/// What was decided here, whether it is saved, and a way to load the list again.
pub fn saved(decisions: Decisions, on_refresh: impl Fn() + 'static) -> Vec<El> {
    let tally = classed("span", "tallies")
        .attr("role", "status")
        .el_of(move || {
            let Tally {
                open,
                saved,
                failed,
            } = decisions.tally();
            let decided = open + saved + failed;
            let open = match (open, failed) {
                (0, 0) => "all saved".to_owned(),
                (open, 0) => format!("{open} being saved"),
                (0, failed) => format!("{failed} not saved"),
                (open, failed) => format!("{open} being saved, {failed} not saved"),
            };
            (decided > 0).then(|| {
                let text = format!("{} decided here · {open}", format::number(decided as u64));
                classed("span", "tally")
                    .attr("data-open", &failed.to_string())
                    .text(&text)
            })
        });
    let refresh = button("quiet", "")
        .attr("title", "Load the list again")
        .el(icon::again())
        .el(el("span").text("Refresh"))
        .on("click", move |_| on_refresh());
    vec![tally, refresh]
}
