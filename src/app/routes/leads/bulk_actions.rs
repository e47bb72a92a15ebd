//! Bulk actions for selected leads.

use std::rc::Rc;

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;

use crate::app::components::bulk_bar::{bulk_bar, spoken};
use crate::app::components::dom::El;
use crate::app::list::host_actions;
use crate::app::list::review_commands::Review;
use crate::app::model::command::Command;
use crate::app::reactive::memo;

/// The bar above the status bar, while leads are selected.
pub fn bulk(review: Review) -> El {
    let controller = review.controller;
    let (grid_selection, selection) = (
        controller.grid_selection,
        controller.grid_selection.selection,
    );
    let many = memo(move |_| selection.with(|selection| selection.len()));
    let offer = controller.select_all_offer();
    let decide = move |class, verb, to| {
        spoken(class, verb, " selected").on(ev::click, move |_| {
            review.decide_selected(to);
            grid_selection.focus_list();
        })
    };
    let buttons = move |hidden| {
        let all = offer.get().map(|total| controller.all_button(total));
        let export = spoken("export", "Export", " selected").on(ev::click, move |_| {
            review.app.commands.run(Command::Export);
            grid_selection.focus_list();
        });
        let clear = spoken("quiet", "Clear", " selection").on(ev::click, move |_| {
            controller.clear();
            grid_selection.focus_list();
        });
        let score = spoken("rescore", "Score", " selected").on(ev::click, move |_| {
            review.score_selected();
        });
        let others = [
            decide("yes", "Approve", NewApprovalStatus::Approved),
            decide("no", "Reject", NewApprovalStatus::Rejected),
            score,
            export,
            clear,
        ];
        let hidden = controller.hidden_buttons(hidden);
        let more = host_actions::selection_buttons(review.app, grid_selection);
        let [yes, no, score, export, clear] = others;
        let first = hidden.chain(all).chain([yes, no, score, export]);
        first.chain(more).chain([clear]).collect()
    };
    bulk_bar(many, controller.hidden_rows(), Rc::new(buttons))
}
