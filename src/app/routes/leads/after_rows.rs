//! What the leads page has besides its rows, loaded after them: the commands, the bar for selected leads, the
//! confirmation of a deletion, the menu of a row, and the note for the next visit.

use std::rc::Rc;

use super::{bulk_actions, delete_dialog, review};
use crate::app::components::dom::{El, div};
use crate::app::list::{added_cells, focus_switch, row_menu, toolbar};
use crate::app::shell::lazy::lazy;
use crate::app::state::commands::HandlersOf;
use crate::app::state::{AppState, first_query};

pub fn after_rows(app: AppState) -> El {
    let review = review(app);
    review.register_commands();
    focus_switch::register_command(review);
    toolbar::register_list_commands(app, Rc::new(move || app.leads.refresh()));
    toolbar::register_lead_list_commands(app);
    app.commands.handlers_loaded(HandlersOf::Leads);
    first_query::keep_noted(app);
    added_cells::start(app);
    div()
        .child(bulk_actions::bulk(review))
        .child(delete_dialog::delete(app))
        .child(row_menu::while_open(app, app.leads.grid_selection))
}

lazy!(lazy_after_rows: list, small, first, "The commands", after_rows);
