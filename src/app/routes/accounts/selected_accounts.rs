//! Bulk actions for selected accounts.

use std::rc::Rc;

use leptos::ev;

use super::score_commands;
use crate::app::components::bulk_bar::{bulk_bar, spoken};
use crate::app::components::dom::{El, button};
use crate::app::components::format;
use crate::app::list::grid_controller::GridController;
use crate::app::list::host_actions;
use crate::app::model::command::Command;
use crate::app::model::portfolio_view::PortfolioView;
use crate::app::model::route::PORTFOLIO_PATH;
use crate::app::reactive::memo;
use crate::app::state::account_list::ListedAccount;

/// The bar above the status bar, while accounts are selected.
pub fn bar(controller: GridController<ListedAccount>) -> El {
    let selection = controller.grid_selection.selection;
    let many = memo(move |_| selection.with(|selection| selection.len()));
    let offer = controller.select_all_offer();
    let buttons = move |hidden| {
        let all = offer.get().map(|total| controller.all_button(total));
        let clear = spoken("quiet", "Clear", " all").on(ev::click, move |_| {
            controller.clear();
            controller.grid_selection.focus_list();
        });
        let score = button()
            .class("wide")
            .child("Score selected")
            .on(ev::click, move |_| {
                score_commands::selected(controller);
            });
        let pulses = button()
            .class("wide")
            .child("Show pulses")
            .on(ev::click, move |_| {
                compare(controller);
            });
        let export = spoken("export", "Export", " selected").on(ev::click, move |_| {
            controller.app.commands.run(Command::Export);
        });
        let hidden = controller.hidden_buttons(hidden);
        let more = host_actions::selection_buttons(controller.app, controller.grid_selection);
        let first = hidden.chain(all).chain([pulses, score, export]);
        first.chain(more).chain([clear]).collect()
    };
    bulk_bar(many, controller.hidden_rows(), Rc::new(buttons))
}

/// Opens the portfolio with the selected accounts, or with those of the best ICP scores if there are too many.
fn compare(controller: GridController<ListedAccount>) {
    let app = controller.app;
    let selection = controller.grid_selection.selection;
    let (view, all) = selection
        .with_untracked(|selection| (PortfolioView::from_selection(selection), selection.len()));
    let shown = view.accounts.len();
    if shown < all {
        let shown = format::number(shown as u64);
        let all = format::count(all as u64, "selected account");
        app.notice.show_text(
            [
                &*shown,
                " of ",
                &all,
                " are shown: those with the best ICP scores. A comparison has no room for more.",
            ]
            .concat(),
        );
    }
    app.nav.navigate(PORTFOLIO_PATH, &view.to_query());
}

/// Registers the command under the current owner.
pub fn register_commands(controller: GridController<ListedAccount>) {
    let selection = controller.grid_selection.selection;
    let any_selected = Rc::new(move || selection.with(|selection| !selection.is_empty()));
    let compare = Rc::new(move || compare(controller));
    let commands = controller.app.commands;
    commands.on_while(Command::ComparePulses, any_selected, compare);
}
