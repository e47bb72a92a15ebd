//! The top bar of every page.

use leptos::ev;
use leptos::prelude::*;

use super::live_dot::lazy_live_dot;
use crate::app::components::dom::{El, button, div, element, header};
use crate::app::components::keycaps::keycaps;
use crate::app::components::links::route_link;
use crate::app::components::search_box::{Search, search_box};
use crate::app::model::command::Command;
use crate::app::model::route::{ACCOUNTS_PATH, INSIGHTS_PATH, LEADS_PATH, PORTFOLIO_PATH};
use crate::app::state::AppState;

pub fn bar(app: AppState, search: Option<Search>) -> El {
    let nav = app.nav;
    let path = nav.path();
    let views = app.views;
    let nav_link = |label: &str, to: &'static str| {
        let href = move || nav.href(to, &views.entry(to));
        route_link(
            label,
            href,
            move || path.get() == to,
            move || nav.navigate(to, &untrack(|| views.entry(to))),
        )
    };
    let areas = element("nav")
        .attr("aria-label", "Areas")
        .child(nav_link("Leads", LEADS_PATH))
        .child(nav_link("Accounts", ACCOUNTS_PATH))
        .child(nav_link("Portfolio", PORTFOLIO_PATH))
        .child(nav_link("Insights", INSIGHTS_PATH));
    let commands = commands_button(app);
    let search = search.map(search_box);
    let bar = header().class("bar");
    // In a host page, the workspace, its key and the colors are up to that page.
    #[cfg(not(feature = "embed"))]
    let bar = bar.child(super::workspace_button::workspace_button(app));
    let is_live = app.live.is_on;
    bar.child(areas)
        .child(search)
        .child(move || is_live.get().then(|| lazy_live_dot(app)))
        .child(div().class("tools").child(commands))
}

/// The button that opens the command palette.
fn commands_button(app: AppState) -> El {
    let (keys, commands) = (app.keys, app.commands);
    button()
        .class("quiet commands")
        .attr("aria-label", move || {
            let caps = keys.caps(Command::Palette).join(" ");
            ["Commands ", &caps].concat().trim_end().to_owned()
        })
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| {
            commands.run(Command::Palette);
        })
        .child("Commands ")
        .child(move || Some(keycaps(&keys.caps(Command::Palette))))
}
