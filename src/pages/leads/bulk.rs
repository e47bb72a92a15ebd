//! What can be done with all ticked leads at once.

use lead_workspace_api::NewApprovalStatus;

use super::review::Review;
use crate::components::dom::{El, button, classed, el};
use crate::components::format;
use crate::model::command::Command;
use crate::model::pages::Pages;
use crate::signal::Memo;

/// A bar over the foot, while leads are ticked.
pub fn bulk(review: Review) -> El {
    let choice = review.workspace.leads.choice;
    let selection = choice.selection;
    let (errands, pages) = (
        review.workspace.errands,
        review.workspace.leads.listing.pages,
    );
    let many = Memo::new(move |_| selection.with(|selection| selection.len()));
    // How many leads the list has, where more of them can be ticked at once.
    let offer = Memo::new(move |_| {
        let total = pages.with(Pages::total);
        let idle = errands.gather.with(Option::is_none);
        let more = idle && total > many.get() as u64 && review.is_page_ticked();
        more.then_some(total)
    });
    classed("div", "bulks")
        .attr("role", "status")
        .el_of(move || {
            let decide = |class, label, to| {
                button(class, label).on("click", move |_| {
                    review.decide_selected(to);
                    choice.grab();
                })
            };
            let count = many.get();
            let all = offer.get().map(|total| {
                let label = ["Select all ", &format::number(total), " matching"].concat();
                button("all", &label).on("click", move |_| {
                    review.tick_matching();
                    choice.grab();
                })
            });
            (count > 0).then(|| {
                classed("div", "bulk")
                    .attr("role", "toolbar")
                    .attr("aria-label", "Selection")
                    .el(el("span").text(&format!("{} selected", format::number(count as u64))))
                    .el_opt(all)
                    .el(decide(
                        "yes",
                        "Approve selected",
                        NewApprovalStatus::Approved,
                    ))
                    .el(decide("no", "Reject selected", NewApprovalStatus::Rejected))
                    .el(button("", "Score selected").on("click", move |_| {
                        review.score_selected();
                    }))
                    .el(button("", "Export selected").on("click", move |_| {
                        review.workspace.commands.run(Command::Export);
                        choice.grab();
                    }))
                    .el(button("quiet", "Clear selection").on("click", move |_| {
                        selection.update(|selection| selection.clear());
                        choice.grab();
                    }))
            })
        })
}
