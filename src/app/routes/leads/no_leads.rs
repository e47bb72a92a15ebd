//! Empty states of the lead list: no leads, nothing pending, or no match for the search.

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, button, code, div, p, pre};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::format;
use crate::app::components::status_label::status_word;
use crate::app::model::lead_tab::{Tab, TabCounts};
use crate::app::model::view::LeadsView;
use crate::app::reactive::memo;

/// Counts that arrive change texts. They replace the buttons only when the workspace turns out to be empty, because a
/// click on a button that is gone between press and release is lost.
pub fn empty(
    view: &LeadsView,
    counts: RwSignal<TabCounts>,
    on_change_view: impl Fn(LeadsView) + Copy + 'static,
    on_refresh: impl Fn() + 'static,
    on_import: Option<impl Fn() + 'static>,
) -> El {
    let view_button = |label: &str, to: LeadsView| {
        button()
            .class("")
            .child(label)
            .on(ev::click, move |_| on_change_view(to.clone()))
    };
    let LeadsView { tab, table, .. } = view;
    let kind = match tab.status() {
        Some(status) => format!("{} leads", status_word(&status.into()).to_ascii_lowercase()),
        None => "leads".to_owned(),
    };
    let buttons = div().class("buttons");
    if let Some(term) = table.term() {
        let title = format!("No {kind} match “{term}”");
        let text = "The search covers name, headline, title and company. Try a shorter text.";
        let wider = (*tab != Tab::All).then(|| view_button("Search all leads", view.on(Tab::All)));
        let buttons = buttons
            .child(view_button(
                "Clear the search",
                view.with(table.searched("")),
            ))
            .child(wider);
        return empty_state(Severity::Calm, &title, text).child(buttons);
    }
    let all = memo(move |_| counts.with(|counts| counts.whole(Tab::All)));
    if *tab == Tab::All || memo(move |_| all.get() == Some(0)).get() {
        return import(on_refresh, on_import);
    }
    let (title, text) = match tab {
        Tab::Pending => (
            "No leads are waiting for a decision".to_owned(),
            "Every lead in this workspace is decided. New leads appear here after an import.",
        ),
        Tab::Approved => (format!("No {kind}"), "Leads you approve appear here."),
        Tab::Rejected => (format!("No {kind}"), "Leads you reject appear here."),
        _ => (
            format!("No {kind}"),
            "Leads that are filtered out appear here.",
        ),
    };
    let others = view_button("", view.on(Tab::All))
        .prop("hidden", move || all.get().is_none().into())
        .child(move || {
            format!(
                "See all {}",
                format::count(all.get().unwrap_or_default(), "lead")
            )
        });
    empty_state(Severity::Calm, &title, text).child(buttons.child(others))
}

/// The empty state of a workspace without leads.
fn import(on_refresh: impl Fn() + 'static, on_import: Option<impl Fn() + 'static>) -> El {
    let text = "Import an Excel, CSV or JSON file; its columns are recognised by their names.";
    let file = on_import.map(|on_import| {
        button()
            .class("main")
            .child("Import a file")
            .on(ev::click, move |_| on_import())
    });
    let again = button()
        .class("")
        .child("Check again")
        .on(ev::click, move |_| on_refresh());
    let command = pre().child(code().child("lead-workspace import leads.csv"));
    empty_state(Severity::Calm, "This workspace has no leads yet", text)
        .child(div().class("buttons").child(file).child(again))
        .child(p().child("Or in a shell, even while the service is running:"))
        .child(command)
}
