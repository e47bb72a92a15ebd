//! Below the grid: what is saved.

use super::review::Review;
use crate::components::dom::{El, button, classed};
use crate::components::{format, icon};
use crate::model::command::Command;
use crate::signal::Memo;
use crate::state::decisions::Tally;

/// What was decided here, whether it is saved, the latest of it, and a way to load the list again.
/// On a phone, where nothing else leads there, the way to the next lead and to the views, too.
pub fn saved(review: Review, on_refresh: impl Fn() + 'static) -> Vec<El> {
    let workspace = review.workspace;
    let (decisions, commands) = (workspace.decisions, workspace.commands);
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
    let any = Memo::new(move |_| {
        let Tally {
            open,
            saved,
            failed,
        } = decisions.tally();
        open + saved + failed > 0
    });
    let recent = classed("span", "latest").el_of(move || {
        any.get().then(|| {
            button("quiet", "Recent")
                .el(classed("span", "more").text(" decisions"))
                .attr("aria-haspopup", "dialog")
                .on("click", move |_| {
                    commands.run(Command::Recent);
                })
        })
    });
    let refresh = button("quiet", "")
        .attr("title", "Load the list again")
        .el(icon::again())
        .el(classed("span", "more").text("Refresh"))
        .on("click", move |_| on_refresh());
    let views = button("quiet phone", "Views")
        .attr("aria-haspopup", "dialog")
        .on("click", move |_| {
            commands.run(Command::Views);
        });
    let turn = |label: &str, icon: El, by: i64| {
        classed("button", "quiet phone")
            .attr("type", "button")
            .attr("aria-label", label)
            .el(icon)
            .on("click", move |_| review.turn(by))
    };
    vec![
        tally,
        views,
        recent,
        refresh,
        turn("Previous lead", icon::up(), -1),
        turn("Next lead", icon::down(), 1),
    ]
}
