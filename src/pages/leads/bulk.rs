//! What can be done with all ticked leads at once.

use std::rc::Rc;

use lead_workspace_api::NewApprovalStatus;

use super::review::Review;
use crate::components::bulk_bar::bulk_bar;
use crate::components::dom::{El, button, classed};
use crate::components::format;
use crate::model::command::Command;
use crate::model::pages::Pages;
use crate::signal::Memo;

/// A button whose last word is only heard where there is no room for it.
fn spoken(class: &str, label: &str, more: &str) -> El {
    button(class, label).el(classed("span", "more").text(more))
}

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
        let more = idle && total > many.get() as u64 && review.hand.is_page_ticked();
        more.then_some(total)
    });
    let decide = move |class, verb, to| {
        spoken(class, verb, " selected").on("click", move |_| {
            review.decide_selected(to);
            choice.grab();
        })
    };
    let buttons = move |_| {
        let all = offer.get().map(|total| {
            let label = ["Select all ", &format::number(total)].concat();
            spoken("all", &label, " matching").on("click", move |_| {
                review.tick_matching();
                choice.grab();
            })
        });
        let export = spoken("export", "Export", " selected").on("click", move |_| {
            review.workspace.commands.run(Command::Export);
            choice.grab();
        });
        let clear = spoken("quiet", "Clear", " selection").on("click", move |_| {
            review.hand.clear();
            choice.grab();
        });
        let score = spoken("rescore", "Score", " selected").on("click", move |_| {
            review.score_selected();
        });
        let others = [
            decide("yes", "Approve", NewApprovalStatus::Approved),
            decide("no", "Reject", NewApprovalStatus::Rejected),
            score,
            export,
            clear,
        ];
        all.into_iter().chain(others).collect()
    };
    bulk_bar(many, Rc::new(buttons))
}
