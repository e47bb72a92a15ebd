//! The dialog of recent decisions, connected to the state.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use crate::app::components::dom::El;
use crate::app::components::recent_dialog::{Recent, RecentAction, recent};
use crate::app::list::panes;
use crate::app::model::route;
use crate::app::model::view::LeadsView;
use crate::app::reactive::{Signal, memo};
use crate::app::shell::lazy::lazy;
use crate::app::shell::toast_text::message;
use crate::app::state::AppState;
use crate::app::state::notice::NoticeMessage;

pub fn recent_dialog(app: AppState) -> El {
    let (decisions, nav, commands) = (app.decisions, app.nav, app.commands);
    let (message, notice) = (message(app), app.notice);
    let on_action = Callback::new(move |action| match action {
        RecentAction::Undo(number) => decisions.undo(Some(number)),
        RecentAction::Redo => decisions.redo(),
        RecentAction::Retry(number) => decisions.retry(Some(&decisions.unsaved_leads(number))),
        RecentAction::Revert(number) => decisions.revert(Some(&decisions.unsaved_leads(number))),
    });
    let of = Recent {
        lines: memo(move |_| decisions.recent_decisions()),
        can_redo: Signal::derive(move || decisions.can_redo()),
        message: Signal::derive(move || {
            // Decisions are in the list already. Only an undo is announced.
            let undone = matches!(notice.get(), Some(NoticeMessage::Undone(..)));
            let message = undone.then(&message).flatten();
            message.map(|message| message.text).unwrap_or_default()
        }),
        href: Rc::new(move |lead| {
            let view = LeadsView::default().opened(Some(lead));
            nav.href(route::LEADS_PATH, &view.to_query())
        }),
        on_action,
    };
    let on_done = Callback::new(move |lead: Option<Arc<str>>| {
        commands.dialog.set(None);
        if let Some(lead) = lead {
            panes::of_leads(app).open(&lead, true);
        }
    });
    recent(&of, on_done)
}

lazy!(lazy_recent: pages, dialog, later, "Recent decisions", recent_dialog);
