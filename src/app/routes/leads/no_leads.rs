//! Empty states of the lead list: no leads, nothing pending, or no match for the search.

use leptos::ev;

use super::no_matches::no_matches;
use crate::app::components::dom::{El, button, code, div, p, pre};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::format;
use crate::app::components::status_label::status_word;
use crate::app::model::command::Command;
use crate::app::model::lead_tab::Tab;
use crate::app::model::route::LEADS_PATH;
use crate::app::model::view::LeadsView;
use crate::app::reactive::memo;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;

/// What to show instead of rows, while the list is empty.
///
/// Counts that arrive change texts. They replace the buttons only when the workspace turns out to be empty, because a
/// click on a button that is gone between press and release is lost.
pub fn no_leads(app: AppState) -> El {
    let view = app.leads_view.get_untracked();
    if !view.filters.is_empty() {
        return no_matches(app);
    }
    let nav = app.nav;
    let view_button = |label: &str, to: LeadsView| {
        button().class("").child(label).on(ev::click, move |_| {
            nav.navigate(LEADS_PATH, &to.to_query());
        })
    };
    let LeadsView { tab, table, .. } = &view;
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
    if *tab == Tab::All {
        return import(app);
    }
    let counts = app.decisions.counts;
    let all = memo(move |_| counts.with(|counts| counts.whole(Tab::All)));
    let is_blank = memo(move |_| all.get() == Some(0));
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
    let decided = empty_state(Severity::Calm, &title, text)
        .child(buttons.child(others))
        .prop("hidden", move || is_blank.get().into());
    div()
        .child(decided)
        .child(move || is_blank.get().then(|| import(app)))
}

/// The empty state of a workspace without leads.
fn import(app: AppState) -> El {
    let text = "Import an Excel, CSV or JSON file; its columns are recognized by their names.";
    // A host page has its own way to import leads.
    let file = (!app.session.is_embedded()).then(|| {
        button()
            .class("main")
            .child("Import a file")
            .on(ev::click, move |_| {
                app.commands.run(Command::Import);
            })
    });
    let again = button()
        .class("")
        .child("Check again")
        .on(ev::click, move |_| app.leads.refresh());
    let command = pre().child(code().child("lead-workspace import leads.csv"));
    empty_state(Severity::Calm, "This workspace has no leads yet", text)
        .child(div().class("buttons").child(file).child(again))
        .child(p().child("Or in a shell, even while the service is running:"))
        .child(command)
}

lazy!(lazy_no_leads: list, small, first, "The empty list", no_leads);
