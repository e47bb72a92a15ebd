//! The filter buttons, the row of active filters, and the number of matching leads.

use leptos::ev;

use crate::app::components::dom::{El, b, button, div, span};
use crate::app::components::{format, icon};
use crate::app::model::lead_tab::Tab;
use crate::app::model::rejected_filter::{RejectedFilter, blamed};
use crate::app::reactive::{Memo, RwSignal, memo};
use crate::app::state::AppState;
use crate::app::state::facets::Editing;
use crate::client::ErrorKind;

/// The button that opens the filter sheet, where there is no room for a sidebar.
pub fn filters_button(sheet_open: RwSignal<bool>, filtered: Memo<usize>) -> El {
    let count = move || Some(filtered.get()).filter(|count| *count > 0);
    button()
        .class("quiet filters")
        .child(icon::funnel())
        .child(span().child("Filters"))
        .child(move || Some(b().child(" ").child(count()?.to_string())))
        .on(ev::click, move |_| sheet_open.set(true))
}

/// The button that opens the editor for another filter.
pub fn add_button(editing: RwSignal<Option<Editing>>) -> El {
    button()
        .class("quiet add")
        .child(icon::plus())
        .child(span().child("Add a filter"))
        .on(ev::click, move |_| editing.set(Some(Editing::New)))
}

/// Same as [`add_button`], for the end of the row of active filters. The sidebar has the same button, so the style sheet
/// hides this one while the sidebar is visible.
pub fn add_another_button(editing: RwSignal<Option<Editing>>, sheet_open: RwSignal<bool>) -> El {
    add_button(editing).prop("hidden", move || {
        (sheet_open.get() || editing.get().is_some()).into()
    })
}

/// The row of active filters, while there are any, a search or a filter that is edited, or while the server rejects the
/// sort.
pub fn above(app: AppState, filtered: Memo<usize>, chips: fn(AppState) -> El) -> El {
    let load_status = app.leads.listing.load_status();
    let refused = memo(move |_| {
        load_status.with(|load_status| {
            let error = load_status.error.as_ref();
            error.is_some_and(|error| match &error.kind {
                ErrorKind::Validation(detail) => {
                    let blamed = blamed(0, &[], detail);
                    blamed.iter().any(|(of, _)| *of == RejectedFilter::Sort)
                }
                _ => false,
            })
        })
    });
    let view = app.leads_view;
    let has_search = move || view.with(|view| view.table.term().is_some());
    let editing = app.facets.editing;
    let is_edited = move || editing.get().is_some();
    let wanted = memo(move |_| filtered.get() > 0 || has_search() || is_edited() || refused.get());
    div()
        .class("above")
        .child(move || wanted.get().then(|| chips(app)))
}

/// Returns the number of leads in the view as text, e.g. `2,092 leads`.
pub fn matching(app: AppState) -> String {
    format::count(total(app), "lead")
}

/// Same as [`matching`], with the number without filters and search if it is known: `366 of 13,594 pending`.
pub fn matching_of_all(app: AppState) -> String {
    let tab = app.leads_view.with(|view| view.tab);
    let all = app.decisions.counts.with(|counts| counts.whole(tab));
    let total = total(app);
    let Some(all) = all.filter(|all| *all >= total) else {
        return format::count(total, "lead");
    };
    let noun = match tab {
        Tab::All => "leads",
        tab => tab.as_str(),
    };
    [
        &format::number(total),
        " of ",
        &format::number(all),
        " ",
        noun,
    ]
    .concat()
}

fn total(app: AppState) -> u64 {
    let load_status = app.leads.listing.load_status();
    load_status.with(|load_status| load_status.total)
}
