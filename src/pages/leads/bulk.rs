//! What can be done with all ticked leads at once.

use lead_workspace_api::NewApprovalStatus;

use super::review::Review;
use crate::components::dom::{El, button, classed, el};
use crate::components::format;
use crate::components::signal::Memo;

/// A bar over the foot, while leads are ticked.
pub fn bulk(review: Review) -> El {
    let choice = review.workspace.leads.choice;
    let selection = choice.selection;
    let many = Memo::new(move |_| selection.with(|selection| selection.len()));
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
            (count > 0).then(|| {
                classed("div", "bulk")
                    .attr("role", "toolbar")
                    .attr("aria-label", "Selection")
                    .el(el("span").text(&format!("{} selected", format::number(count as u64))))
                    .el(decide(
                        "yes",
                        "Approve selected",
                        NewApprovalStatus::Approved,
                    ))
                    .el(decide("no", "Reject selected", NewApprovalStatus::Rejected))
                    .el(button("quiet", "Clear selection").on("click", move |_| {
                        selection.update(|selection| selection.clear());
                        choice.grab();
                    }))
            })
        })
}
