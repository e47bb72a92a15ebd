//! What runs besides the pages: the decision engine, the changes of others, the names of custom fields, the commands of
//! every page, the hint for keys that can follow, signing out with other tabs, and the focus guard. Loaded after the first
//! rows, which it would delay.

use super::components::dom::{El, div};
use super::components::focus_guard::focus_guard;
use super::key_handler;
use super::panels::key_hint;
use super::shell::lazy::{self, lazy};
use super::state::commands::HandlersOf;
use super::state::live::follower;
use super::state::{AppState, sign_out};

pub fn after_first_rows(app: AppState) -> El {
    app.commands.load_handlers(HandlersOf::EveryPage);
    lazy::after(lazy::first_rows(app), app, lazy_background)
}

pub fn background(app: AppState) -> El {
    let place = div().attr("hidden", "").child(focus_guard());
    app.decisions.start_engine();
    follower::follow(app);
    app.custom_fields.follow_key();
    key_handler::everywhere(app, place.node());
    app.commands.handlers_loaded(HandlersOf::EveryPage);
    if !app.session.is_embedded() {
        sign_out::listen(app);
    }
    key_hint::while_waiting(app).child(place)
}

lazy!(lazy_background: list, small, first, "Decisions", background);
