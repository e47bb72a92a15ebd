//! The dot in the bar: whether changes by others are shown as they happen.

use super::lazy::lazy;
use crate::app::components::dom::{El, span};
use crate::app::state::AppState;

pub fn live_dot(app: AppState) -> El {
    let connection = move || {
        let follower = app.live.follower();
        follower
            .map(|follower| follower.connection.get())
            .unwrap_or_default()
    };
    // The shape differs, too; on narrow screens the word is only for screen readers.
    span()
        .class("live")
        .attr("role", "status")
        .attr("data-connection", move || connection().as_str().to_owned())
        .attr("title", move || connection().text().1.to_owned())
        .child(span().child(move || connection().text().0.to_owned()))
}

lazy!(lazy_live_dot: list, small, first, "The connection", live_dot);
