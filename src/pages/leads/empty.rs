//! Empty states of the lead list: no leads, nothing pending, or no match for the search.

use crate::components::dom::{El, button, classed, el};
use crate::components::empty_state::{Severity, empty_state};
use crate::components::format;
use crate::components::status::status_word;
use crate::model::tab::{Counts, Tab};
use crate::model::view::LeadsView;

pub fn empty(
    view: &LeadsView,
    counts: &Counts,
    on_go: impl Fn(LeadsView) + Copy + 'static,
    on_refresh: impl Fn() + 'static,
    on_import: Option<impl Fn() + 'static>,
) -> El {
    let go = |label: &str, to: LeadsView| button("", label).on("click", move |_| on_go(to.clone()));
    let LeadsView { tab, table, .. } = view;
    let kind = match tab.status() {
        Some(status) => format!("{} leads", status_word(&status.into()).to_ascii_lowercase()),
        None => "leads".to_owned(),
    };
    let buttons = classed("div", "buttons");
    if let Some(term) = table.term() {
        let title = format!("No {kind} match “{term}”");
        let text = "The search looks for this text in name, headline, title and company. Relax it, or look elsewhere.";
        let wider = (*tab != Tab::All).then(|| go("Search all leads", view.on(Tab::All)));
        let buttons = buttons
            .el(go("Clear the search", view.with(table.searched(""))))
            .el_opt(wider);
        return empty_state(Severity::Calm, &title, text).el(buttons);
    }
    let all = counts.of(Tab::All);
    if all == Some(0) || *tab == Tab::All {
        return import(on_refresh, on_import);
    }
    let (title, text) = match tab {
        Tab::Pending => (
            "Nothing waits for a decision".to_owned(),
            "Every lead of this workspace is decided. New ones appear here when they are imported.",
        ),
        Tab::Approved => (
            format!("No {kind}"),
            "Leads that you approve are found here.",
        ),
        Tab::Rejected => (
            format!("No {kind}"),
            "Leads that you reject are found here.",
        ),
        _ => (
            format!("No {kind}"),
            "Leads that a filter takes out are found here.",
        ),
    };
    let others = all.map(|all| {
        let label = format!("See all {}", format::count(all, "lead"));
        go(&label, view.on(Tab::All))
    });
    empty_state(Severity::Calm, &title, text).el(buttons.el_opt(others))
}

/// The empty state of a workspace without leads.
fn import(on_refresh: impl Fn() + 'static, on_import: Option<impl Fn() + 'static>) -> El {
    let text = "Import a CSV or JSONL file; its columns are recognised by their names.";
    let file = on_import.map(|go| button("main", "Import a file").on("click", move |_| go()));
    let again = button("", "Look again").on("click", move |_| on_refresh());
    let command = el("pre").el(el("code").text("lead-workspace import leads.csv"));
    empty_state(Severity::Calm, "This workspace has no leads yet", text)
        .el(classed("div", "buttons").el_opt(file).el(again))
        .el(el("p").text("Or in a shell, also while the service runs:"))
        .el(command)
}
